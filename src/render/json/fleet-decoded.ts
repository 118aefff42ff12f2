// The way back from what `fleet.ts` writes: for one report of several runs.

import type { Code, Severity } from "../../diagnostics/catalogue.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { RunError } from "../../diagnostics/failure.ts";
import { createSourceFile, type SourceRange } from "../../diagnostics/source.ts";
import type { Edit } from "../../json/patch.ts";
import type { Fields, JsonObject, Value } from "../../json/value.ts";
import type { Action, Reason } from "../../model/change.ts";
import type { Family } from "../../model/names.ts";
import type { WeakenedProtection } from "../../model/since.ts";
import type { AccessSign } from "../views/access-lines.ts";
import { createChangeView } from "../views/change.ts";
import { type FleetCell, type FleetResult, type FleetRow, type FleetShard, fleetStates } from "../views/fleet.ts";
import {
  blockKinds,
  createChangeItem,
  createFailureItem,
  createProtectionItem,
  createWarningItem,
  type FleetItem,
  lineKinds,
  listAccessItems,
} from "../views/fleet-parts.ts";
import type { Span } from "../views/place.ts";
import type { RequestView } from "../views/request.ts";
import type { ViolationView } from "../views/violation.ts";

/** A document of `schemas/fleet.schema.json`, as far as it is read here. */
interface FleetDocument {
  readonly command: string;
  readonly shard?: { readonly index: number; readonly of: number; readonly all_targets: readonly string[] };
  readonly targets: readonly TargetDocument[];
  readonly findings: readonly FindingDocument[];
}

interface TargetDocument {
  readonly name: string;
  readonly state: string;
  readonly exit_code: number;
  readonly url?: string;
  readonly server?: string;
  readonly requests: number;
  readonly unknown_passwords?: number;
  readonly fingerprint?: string;
  readonly families: Readonly<Record<string, Omit<FleetCell, "left"> & { readonly leave: number }>>;
}

interface FindingDocument {
  readonly targets: readonly string[];
  readonly outputs?: readonly string[];
  readonly result?: JsonObject;
  readonly errors?: readonly ErrorDocument[];
  readonly changes?: readonly ChangeDocument[];
  readonly access?: readonly AccessDocument[];
  readonly requests?: readonly Partial<RequestView>[];
  readonly violations?: readonly Omit<ViolationView, "violation">[];
  readonly protection?: readonly WeakenedProtection[];
  readonly notes?: readonly string[];
  readonly diagnostics?: readonly DiagnosticDocument[];
}

interface ErrorDocument {
  readonly error: {
    readonly kind: RunError["kind"];
    readonly what: string;
    readonly why?: string;
    readonly fix?: string;
  };
  readonly diagnostics: readonly DiagnosticDocument[];
}

interface ChangeDocument {
  readonly family: Family;
  readonly name: string;
  readonly action: Action;
  readonly reason: Reason;
  readonly origin?: Span;
  readonly overridden_in?: readonly Span[];
  readonly generated_for?: Span;
  readonly named_by_guard?: boolean;
  readonly renamed?: string;
  readonly edits: readonly Edit[];
  readonly unknown_fields?: readonly { readonly path: readonly string[]; readonly value: Value }[];
  readonly before?: Fields;
  readonly after?: Fields;
}

interface AccessDocument {
  readonly kind: string;
  readonly who?: string;
  readonly named_by_guard?: boolean;
  readonly lines: readonly LineDocument[];
}

interface LineDocument {
  readonly sign: AccessSign;
  readonly sentence: string;
  readonly details?: readonly string[];
}

interface DiagnosticDocument extends Partial<Span> {
  readonly code: Code;
  readonly severity: Severity;
  readonly path: string;
  readonly what: string;
  readonly why?: string;
  readonly fix?: string;
}

export interface DecodedFleet {
  readonly command: string;
  readonly shard?: FleetShard;
  readonly results: readonly FleetResult[];
}

/** @param document that fits `schemas/fleet.schema.json` */
export function decodeFleet(document: JsonObject): DecodedFleet {
  const { command, shard, targets, findings } = document as unknown as FleetDocument;
  const itemsOf = new Map<string, FleetItem[]>(targets.map(({ name }) => [name, []]));
  for (const finding of findings) {
    const items = decodeItems(finding);
    for (const name of finding.targets) itemsOf.get(name)?.push(...items);
  }
  return {
    command,
    ...(shard && { shard: { index: shard.index, of: shard.of, all: shard.all_targets } }),
    results: targets.map((target) => ({ row: decodeRow(target), items: itemsOf.get(target.name) ?? [] })),
  };
}

function decodeRow({
  state,
  exit_code,
  families,
  fingerprint = "",
  unknown_passwords,
  ...row
}: TargetDocument): FleetRow {
  const cells = Object.entries(families).map(([family, { leave, ...counts }]) => {
    return [family as Family, { ...counts, left: leave }] as const;
  });
  return {
    ...row,
    state: fleetStates.find((known) => known.replaceAll(" ", "-") === state) ?? "failed",
    exitCode: exit_code,
    ...(unknown_passwords !== undefined && { unknownPasswords: unknown_passwords }),
    families: new Map(cells),
    fingerprint,
  };
}

function decodeItems(finding: FindingDocument): readonly FleetItem[] {
  const { outputs = [], result, errors = [], changes = [], access = [], violations = [], notes = [] } = finding;
  const { requests = [], protection = [], diagnostics = [] } = finding;
  return [
    ...outputs.map((value) => ({ kind: "output", key: value, value }) as const),
    ...(result ? [{ kind: "document", key: JSON.stringify(result), value: result } as const] : []),
    ...errors.map((one) => createFailureItem(decodeError(one))),
    ...changes.map((one) => createChangeItem(decodeChange(one))),
    ...listAccessItems(decodeAccess(access)),
    ...(requests.length > 0 ? [decodeRequests(requests)] : []),
    ...violations.map(decodeViolation),
    ...protection.map(createProtectionItem),
    ...notes.map((value) => ({ kind: "note", key: value, value }) as const),
    ...diagnostics.map((one) => createWarningItem(decodeDiagnostic(one))),
  ];
}

function decodeError({ error: { kind, ...userMessage }, diagnostics }: ErrorDocument): RunError {
  const { what, why, fix } = userMessage;
  const known = { what, ...(why !== undefined && { why }), ...(fix !== undefined && { fix }) };
  return new RunError(kind, known, diagnostics.map(decodeDiagnostic));
}

function decodeChange(one: ChangeDocument) {
  const { family, name, action, reason, edits, before, after, unknown_fields: unknown } = one;
  const { origin, overridden_in: overridden = [], generated_for: generated } = one;
  return createChangeView(
    {
      family,
      name,
      action,
      reason,
      edits,
      ...(before && { before }),
      ...(after && { after }),
      ...(unknown && { unknown }),
      ...(origin && {
        origin: {
          ...decodeRange(origin),
          ...(overridden.length > 0 && { overriddenAt: overridden.map(decodeRange) }),
          ...(generated && { generatedFor: decodeRange(generated) }),
        },
      }),
    },
    one.named_by_guard ?? false,
    one.renamed,
  );
}

/** The files of then are not read: only the place is known. */
function decodeRange({ path, line, column }: Pick<Span, "path" | "line" | "column">): SourceRange {
  return { file: { ...createSourceFile(path, ""), text: "", at: { line, column } }, start: 0, end: 0 };
}

function decodeDiagnostic({ code, severity, path, line, column, what, why, fix }: DiagnosticDocument): Diagnostic {
  return {
    code,
    severity,
    ...(line !== undefined && column !== undefined ? { range: decodeRange({ path, line, column }) } : { path }),
    what,
    ...(why !== undefined && { why }),
    ...(fix !== undefined && { fix }),
  };
}

function decodeAccess(access: readonly AccessDocument[]) {
  const linesOf = (lines: readonly LineDocument[]) =>
    lines.map(({ sign, sentence, details = [] }) => ({ sign, sentence, details, chain: [] }));
  const only = (kind: string) => access.filter((one) => one.kind === kind);
  const blocksOf = (kind: (typeof blockKinds)[number]) =>
    only(kind).map(({ who = "", lines, named_by_guard }) => ({
      who,
      principals: [],
      lines: linesOf(lines),
      isNamedByGuard: named_by_guard ?? false,
    }));
  const ofKind = (kind: (typeof lineKinds)[number]) => only(kind).flatMap(({ lines }) => linesOf(lines));
  const [administering, others, pairs, unknown] = blockKinds.map(blocksOf);
  const [blocked, closing] = lineKinds.map(ofKind);
  return {
    counts: [],
    administering: administering ?? [],
    others: others ?? [],
    pairs: pairs ?? [],
    unknown: unknown ?? [],
    blocked: blocked ?? [],
    closing: closing ?? [],
  };
}

function decodeRequests(requests: readonly Partial<RequestView>[]): FleetItem {
  const value = requests.map((one) => ({
    changes: "",
    why: "",
    duration: "",
    size: "",
    ...one,
  })) as readonly RequestView[];
  return { kind: "requests", key: JSON.stringify(value), value };
}

function decodeViolation(one: Omit<ViolationView, "violation">): FleetItem {
  const { rule, what, addresses } = one;
  const value = { ...one, violation: { rule, what, addresses, remedies: [] } } as unknown as ViolationView;
  return { kind: "violation", key: JSON.stringify(one), value };
}
