// The body of one request, or the answer to one, in a file of its own.
import { createDiagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import { guessBodyKind } from "../load/evidence.ts";
import { isHeader } from "../load/header.ts";
import type { Family } from "../model/names.ts";
import type { Node } from "../model/node.ts";
import { addLeftOut, type FoundRequest, type ImportFindings } from "./findings.ts";
import { parseTemplate } from "./templates.ts";

/** As requests: a list is a JSON Patch, and a map without a name is a map of entries. */
export function readPayload(
  given: SourceFile,
  { family, name }: { readonly family: Family; readonly name?: string },
  findings: ImportFindings,
): readonly FoundRequest[] {
  const before = findings.diagnostics.length;
  const { file, documents } = parseTemplate(given, findings);
  if (documents.length === 0 && findings.diagnostics.length === before)
    addLeftOut(findings, "the file", "it has no entries", { file, start: 0, end: 0 });
  return documents.flatMap((body): readonly FoundRequest[] => {
    const create = (method: string, entry: string, value: Node): FoundRequest => ({
      method,
      path: `/_gate/api/${segmentOf[family]}/${encodeURIComponent(entry)}`,
      isPayload: true,
      body: value,
      place: value,
    });
    if (body.kind === "list") return [create("PATCH", name ?? "", body)];
    if (name !== undefined || family === "config") return [create("PUT", name ?? "", body)];
    if (body.kind !== "map") {
      addLeftOut(findings, "a document", "it is a single value", body);
      return [];
    }
    if (guessBodyKind(body) !== undefined) {
      findings.diagnostics.push(refuseNameless(body));
      return [];
    }
    return body.entries.filter((entry) => !isHeader(entry)).map(({ key, value }) => create("PUT", key, value));
  });
}

const segmentOf: Readonly<Record<Family, string>> = {
  roles: "roles",
  role_mappings: "rolesmapping",
  action_groups: "actiongroups",
  tenants: "tenants",
  blocks: "blocks",
  internal_users: "internalusers",
  nodes_dn: "nodesdn",
  audit: "audit",
  whitelist: "whitelist",
  allowlist: "allowlist",
  config: "securityconfig",
  license: "license",
};

function refuseNameless(body: Node) {
  return createDiagnostic({ ...body, end: body.start + 1 }, "unknown-family", {
    what: "These are the fields of one entry, and nothing says its name.",
    why: "The body of a request has no name: it was in the path.",
    fix: "Name it with --name NAME.",
  });
}
