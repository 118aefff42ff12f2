import type { JsonObject } from "../../json/value.ts";
import type { Family } from "../../model/names.ts";
import type { AccessView } from "../views/access-diff.ts";
import type { AccessLine } from "../views/access-lines.ts";
import type { ChangeView } from "../views/change.ts";
import type { FleetCell, FleetRow, FleetView } from "../views/fleet.ts";
import { blockKinds, type FleetPart, lineKinds } from "../views/fleet-parts.ts";
import type { RequestView } from "../views/request.ts";
import type { ViolationView } from "../views/violation.ts";
import { renderDiagnosticsJson, renderErrorJson } from "./diagnostics.ts";
import { formatVersion, omitAbsent, renderChangeJson, renderProtectionJson } from "./parts.ts";

/** As `schemas/fleet.schema.json` describes it: how each target fares, then each distinct finding with its targets. */
export function renderFleetJson({ command, rows, parts, exitCode, shard, fingerprint }: FleetView): JsonObject {
  return {
    format_version: formatVersion,
    kind: "fleet",
    command,
    exit_code: exitCode,
    ...omitAbsent({ fingerprint }),
    ...(shard && { shard: { index: shard.index, of: shard.of, all_targets: shard.all } }),
    targets: rows.map(rowJson),
    // What is only for forges is not in here.
    findings: parts.map(partJson).filter((part) => Object.keys(part).length > 1),
  };
}

function rowJson({
  name,
  state,
  exitCode,
  url,
  server,
  families,
  requests,
  unknownPasswords,
  fingerprint,
}: FleetRow): JsonObject {
  return {
    name,
    state: state.replaceAll(" ", "-"),
    exit_code: exitCode,
    ...omitAbsent({ url, server }),
    requests,
    ...omitAbsent({ unknown_passwords: unknownPasswords }),
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
  protection,
  notes,
  warnings,
}: FleetPart): JsonObject {
  return {
    targets,
    ...(outputs.length > 0 && { outputs }),
    ...(documents[0] && { result: documents[0] }),
    ...(failures.length > 0 && { errors: failures.map(renderErrorJson) }),
    ...(families.length > 0 && { changes: families.flatMap(({ changes }) => changes.map(changeJson)) }),
    ...(access && { access: accessJson(access) }),
    ...(requests.length > 0 && { requests: requests.map(requestJson) }),
    ...(violations.length > 0 && { violations: violations.map(violationJson) }),
    ...(protection.length > 0 && { protection: protection.map(({ weakened }) => renderProtectionJson(weakened)) }),
    ...(notes.length > 0 && { notes }),
    ...(warnings.diagnostics.length > 0 && { diagnostics: renderDiagnosticsJson(warnings).diagnostics ?? [] }),
  };
}

function changeJson(change: ChangeView): JsonObject {
  const { isNamedByGuard, renamed } = change;
  return { ...renderChangeJson(change), ...(isNamedByGuard && { named_by_guard: true }), ...omitAbsent({ renamed }) };
}

/** In the words that people read: of whom, and what. */
function accessJson(view: AccessView): readonly JsonObject[] {
  return [
    ...blockKinds.flatMap((kind) =>
      view[kind].map(({ who, lines, isNamedByGuard }) => ({
        kind,
        who,
        ...(isNamedByGuard && { named_by_guard: true }),
        lines: lines.map(lineJson),
      })),
    ),
    ...lineKinds.flatMap((kind) => (view[kind].length > 0 ? [{ kind, lines: view[kind].map(lineJson) }] : [])),
  ];
}

function lineJson({ sign, sentence, details }: AccessLine): JsonObject {
  return { sign, sentence, ...(details.length > 0 && { details }) };
}

function requestJson({ method, what, changes, why, duration }: RequestView): JsonObject {
  const facts = { changes, why, duration };
  return { method, what, ...Object.fromEntries(Object.entries(facts).filter(([, text]) => text !== "")) };
}

function violationJson({ rule, what, why, addresses, names, remedies }: ViolationView): JsonObject {
  return {
    rule,
    what,
    ...omitAbsent({ why }),
    addresses,
    names,
    remedies: remedies.map(({ title, lines }) => ({ title, lines })),
  };
}
