import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { credentialFields } from "../families/credentials.ts";
import { Secret } from "../json/secret.ts";
import type { Node, ScalarNode } from "../model/node.ts";
import type { StateDocument } from "../model/repository.ts";
import { mayBeSecret } from "../secrets/config-fields.ts";
import { convertToSecretReference, keptOnServer } from "./reference-text.ts";

/** Secrets in fields that hold none: the server would store them in clear, and show them to every user of its API. */
export function findMisplacedSecrets(document: StateDocument): readonly ScalarNode[] {
  const found = new Set<ScalarNode>();
  visitScalars(document, (node, mayBeSecret) => {
    const isKept = node.value instanceof Secret && node.value.reference === keptOnServer;
    if (!mayBeSecret && (node.isDefault || node.value instanceof Secret) && !isKept) found.add(node);
  });
  return [...found];
}

/**
 * A diagnostic about a variable in another tool's format: where the field may hold a secret, its fix is the variable as
 * a reference of gate-sync. Other diagnostics as they are.
 */
export function withAllowedReference(found: Diagnostic, document: StateDocument): Diagnostic {
  const { code, range } = found;
  if (code !== "vendor-variable" || range === undefined) return found;
  let isSecret = false;
  visitScalars(document, (node, mayBeSecret) => {
    if (mayBeSecret && node.start <= range.start && range.end <= node.end) isSecret = true;
  });
  return isSecret ? { ...found, fix: convertToSecretReference(range.file.text.slice(range.start, range.end)) } : found;
}

/** All values of a document, and what it lays over those of others; `mayBeSecret`: of the license, of credentials of internal users, and of fields of the config whose name says so. */
function visitScalars(
  { sections, overrides }: StateDocument,
  see: (node: ScalarNode, mayBeSecret: boolean) => void,
): void {
  const visit = (node: Node, isSecret: boolean, family: string): void => {
    if (node.kind === "scalar") see(node, isSecret);
    else if (node.kind === "list") for (const item of node.items) visit(item, isSecret, family);
    else {
      for (const { key, value } of node.entries) visit(value, isSecret || mayHoldSecret(family, key), family);
    }
  };
  for (const { family, node } of sections) visit(node, family === "license", family);
  if (overrides?.kind !== "map") return;
  for (const { key, value } of overrides.entries) visit(value, false, key);
}

function mayHoldSecret(family: string, key: string): boolean {
  return family === "config" ? mayBeSecret(key) : family === "internal_users" && credentialFields.includes(key);
}

export function refuseMisplaced(node: ScalarNode): Diagnostic {
  const written = /\$\{(?:env|file):[^}]*\}/.exec(node.file.text.slice(node.start, node.end))?.[0] ?? "a default";
  const [first = written] = node.value instanceof Secret ? node.value.reference.split(" ") : [];
  const at = node.file.text.indexOf(first, node.start);
  const range: SourceRange = at === -1 || at >= node.end ? node : { ...node, start: at, end: at + first.length };
  return createDiagnostic(range, "misplaced-secret", {
    what: `${first} is a secret, and this field holds none.`,
    why: "The server would store its value in clear, and show it.",
    fix:
      "For a public value write $" +
      "{var:NAME}: its value comes from vars in gate-sync.yaml, or from --var NAME=VALUE.",
  });
}
