import type { JsonObject } from "../../json/value.ts";
import type { Family } from "../../model/names.ts";
import type { AccessView } from "../views/access-diff.ts";
import type { AccessLine } from "../views/access-lines.ts";
import type { FleetCell, FleetRow, FleetView } from "../views/fleet.ts";
import type { FleetPart } from "../views/fleet-parts.ts";
import { renderDiagnosticsJson, renderErrorJson } from "./diagnostics.ts";
import { formatVersion, omitAbsent, renderChangeJson, renderRequestJson } from "./parts.ts";

/** As `schemas/fleet.schema.json` describes it: how each target fares, then each distinct finding with its targets. */
export function renderFleetJson({ command, rows, parts, exitCode }: FleetView): JsonObject {
  return {
    format_version: formatVersion,
    kind: "fleet",
    command,
    exit_code: exitCode,
    targets: rows.map(rowJson),
    findings: parts.map(partJson),
  };
}

function rowJson({ name, state, exitCode, url, server, families, requests, fingerprint }: FleetRow): JsonObject {
  return {
    name,
    state: state.replaceAll(" ", "-"),
    exit_code: exitCode,
    ...omitAbsent({ url, server }),
    requests,
    ...(fingerprint !== "" && { fingerprint }),
    families: Object.fromEntries([...families].map(cellJson)),
  };
}

function cellJson([family, { create, update, delete: deleted, left }]: readonly [Family, FleetCell]) {
  return [family, { create, update, delete: deleted, leave: left }] as const;
}

function partJson({
  targets,
  outputs,
  documents,
  failures,
  families,
  access,
  requests,
  violations,
  notes,
  warnings,
}: FleetPart): JsonObject {
  return {
    targets,
    ...(outputs.length > 0 && { outputs }),
    ...(documents[0] && { result: documents[0] }),
    ...(failures.length > 0 && { errors: failures.map(renderErrorJson) }),
    ...(families.length > 0 && { changes: families.flatMap(({ changes }) => changes.map(renderChangeJson)) }),
    ...(access && { access: accessJson(access) }),
    ...(requests.length > 0 && { operations: requests.map(renderRequestJson) }),
    ...(violations.length > 0 && {
      violations: violations.map(({ rule, what, why, addresses, remedies }) => ({
        rule,
        what,
        ...omitAbsent({ why }),
        addresses,
        remedies: remedies.map(({ lines }) => lines.join("\n")),
      })),
    }),
    ...(notes.length > 0 && { notes }),
    ...(warnings.diagnostics.length > 0 && { diagnostics: renderDiagnosticsJson(warnings).diagnostics ?? [] }),
  };
}

/** In the words that people read: of whom, and what. */
function accessJson({ administering, others, pairs, unknown, blocked, closing }: AccessView): readonly JsonObject[] {
  return [
    ...[...administering, ...others, ...pairs, ...unknown].map(({ who, lines }) => ({
      who,
      lines: lines.map(lineJson),
    })),
    ...[blocked, closing].filter((lines) => lines.length > 0).map((lines) => ({ lines: lines.map(lineJson) })),
  ];
}

function lineJson({ sign, sentence, details }: AccessLine): JsonObject {
  return { sign, sentence, ...(details.length > 0 && { details }) };
}
