import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { RunError } from "../../diagnostics/failure.ts";
import { formatLocation } from "../../diagnostics/source.ts";
import { groupItems } from "../../json/collections.ts";
import type { JsonObject } from "../../json/value.ts";
import { families as allFamilies } from "../../model/names.ts";
import type { WeakenedProtection } from "../../model/since.ts";
import { type AccessBlock, type AccessView, formatSignCounts } from "./access-diff.ts";
import type { AccessLine } from "./access-lines.ts";
import type { ChangeView } from "./change.ts";
import { createDiagnosticsView, type DiagnosticsView } from "./diagnostics.ts";
import { countActions, type FamilyView, formatPendingCounts, getFamilyTitle } from "./family.ts";
import type { ReviewFinding } from "./findings.ts";
import { listMarkNotes, withMark } from "./marks.ts";
import type { PlanView } from "./plan.ts";
import { createProtectionView, type ProtectionView } from "./protection.ts";
import type { RequestView } from "./request.ts";
import type { ViolationView } from "./violation.ts";

/** Lists of an access diff, in the order in which they are shown. */
export const blockKinds = ["administering", "others", "pairs", "unknown"] as const;
export const lineKinds = ["blocked", "closing"] as const;

type BlockKind = (typeof blockKinds)[number];
type LineKind = (typeof lineKinds)[number];

/** One thing that a run says of a target, and of each other target of which it says the same. */
export type FleetItem = { readonly key: string } & (
  | { readonly kind: "change"; readonly value: ChangeView }
  | { readonly kind: "block"; readonly of: BlockKind; readonly value: AccessBlock }
  | { readonly kind: "line"; readonly of: LineKind; readonly value: AccessLine }
  | { readonly kind: "requests"; readonly value: readonly RequestView[] }
  | { readonly kind: "violation"; readonly value: ViolationView }
  | { readonly kind: "protection"; readonly value: WeakenedProtection }
  | { readonly kind: "note"; readonly value: string }
  | { readonly kind: "warning"; readonly value: Diagnostic }
  | { readonly kind: "failure"; readonly value: RunError }
  | { readonly kind: "finding"; readonly value: ReviewFinding }
  | { readonly kind: "output"; readonly value: string }
  | { readonly kind: "document"; readonly value: JsonObject }
);

/** What the same targets have in common, and no other. */
export interface FleetPart {
  readonly targets: readonly string[];
  /** What the run about each of them alone printed, as text. */
  readonly outputs: readonly string[];
  /** The same where JSON was asked for. */
  readonly documents: readonly JsonObject[];
  readonly failures: readonly RunError[];
  readonly families: readonly FamilyView[];
  readonly access?: AccessView;
  readonly requests: readonly RequestView[];
  readonly violations: readonly ViolationView[];
  readonly protection: readonly ProtectionView[];
  readonly notes: readonly string[];
  readonly warnings: DiagnosticsView;
  /** What forges show beside lines of files; empty where none of their formats is asked for. */
  readonly findings: readonly ReviewFinding[];
}

/** All that a plan says of its target; two items of equal meaning have equal keys. */
export function listPlanItems(view: PlanView): readonly FleetItem[] {
  const { families, access, requests, violations, protection, notes, warnings } = view;
  const shown = warnings.cut?.shown ?? warnings.diagnostics;
  return [
    ...families.flatMap(({ changes }) => changes.map((change) => createChangeItem(withMark(change, view.plan)))),
    ...(access ? listAccessItems(access) : []),
    ...listRequestItems(requests),
    ...violations.map((value) => ({ kind: "violation", key: JSON.stringify(toComparable(value)), value }) as const),
    ...protection.map(({ weakened }) => createProtectionItem(weakened)),
    ...[...listMarkNotes(view.plan), ...notes].map((value) => ({ kind: "note", key: value, value }) as const),
    ...shown.map(createWarningItem),
  ];
}

/** How long their bodies are, and which entries they carry, differs by a name: that would keep equal orders apart. */
function listRequestItems(requests: readonly RequestView[]): readonly FleetItem[] {
  if (requests.length === 0) return [];
  const value = requests.map(({ bytes: _, ...request }) => ({
    ...request,
    names: request.bulk ? [] : request.names,
    size: "",
  }));
  return [{ kind: "requests", key: JSON.stringify(value), value }];
}

export function createProtectionItem(value: WeakenedProtection): FleetItem {
  return { kind: "protection", key: JSON.stringify(value), value };
}

export function createFindingItem(value: ReviewFinding): FleetItem {
  const { rule, level, sentences, range, path } = value;
  return {
    kind: "finding",
    key: JSON.stringify([rule, level, sentences, range ? formatLocation(range) : path]),
    value,
  };
}

export function createFailureItem(error: RunError): FleetItem {
  const { kind, userMessage, diagnostics } = error;
  return { kind: "failure", key: JSON.stringify([kind, userMessage, diagnostics.map(getDiagnosticKey)]), value: error };
}

export function createWarningItem(value: Diagnostic): FleetItem {
  return { kind: "warning", key: getDiagnosticKey(value), value };
}

export function createChangeItem(value: ChangeView): FleetItem {
  const { family, name, action, reason, edits, before, after, unknown, aside, isNamedByGuard, renamed } = value;
  const content = [family, name, action, reason, edits, before, after, unknown];
  return { kind: "change", key: JSON.stringify([...content, aside, isNamedByGuard, renamed]), value };
}

export function listAccessItems(access: AccessView): readonly FleetItem[] {
  const blocks = blockKinds.flatMap((of) =>
    access[of].map((value) => ({ kind: "block", of, key: JSON.stringify([of, getBlockKey(value)]), value }) as const),
  );
  const lines = lineKinds.flatMap((of) =>
    access[of].map((value) => ({ kind: "line", of, key: JSON.stringify([of, getShownKey(value)]), value }) as const),
  );
  return [...blocks, ...lines];
}

function getBlockKey({ who, lines, isNamedByGuard }: AccessBlock): unknown {
  return [who, lines.map(getShownKey), isNamedByGuard];
}

function getShownKey({ sign, sentence, details, chain }: AccessLine): unknown {
  return [sign, sentence, details, chain];
}

/** Its place in a file is that of the entry, which the change has. */
function toComparable({ rule, what, why, addresses, remedies }: ViolationView): unknown {
  return [rule, what, why, addresses, remedies];
}

function getDiagnosticKey({ code, severity, range, path, what, why, fix }: Diagnostic): string {
  return JSON.stringify([code, severity, range ? formatLocation(range) : path, what, why, fix]);
}

/**
 * Each item once, with those that hold for the same targets; what most targets have in common first, then in the order of the
 * targets, so that a report of parts has the order of one run.
 */
export function groupFleetItems(
  targets: readonly { readonly name: string; readonly items: readonly FleetItem[] }[],
): readonly FleetPart[] {
  const holders = new Map<string, { readonly item: FleetItem; readonly targets: string[] }>();
  for (const { name, items } of targets) {
    for (const item of items) {
      const key = `${item.kind} ${item.key}`;
      const known = holders.get(key);
      if (known?.targets.at(-1) === name) continue;
      if (known) known.targets.push(name);
      else holders.set(key, { item, targets: [name] });
    }
  }
  const places = new Map(targets.map(({ name }, at) => [name, at]));
  const placeOf = (part: FleetPart, at: number) => places.get(part.targets[at] ?? "") ?? 0;
  const compare = (a: FleetPart, b: FleetPart) => {
    const differing = a.targets.findIndex((name, at) => name !== b.targets[at]);
    return b.targets.length - a.targets.length || placeOf(a, differing) - placeOf(b, differing);
  };
  return groupItems(holders.values(), ({ targets: some }) => JSON.stringify(some))
    .map((held) =>
      createFleetPart(
        held[0].targets,
        held.map(({ item }) => item),
      ),
    )
    .sort(compare);
}

function createFleetPart(targets: readonly string[], items: readonly FleetItem[]): FleetPart {
  const only = <K extends FleetItem["kind"]>(kind: K) =>
    items.filter((item): item is Extract<FleetItem, { readonly kind: K }> => item.kind === kind);
  const access = combineAccess(only("block"), only("line"));
  return {
    targets,
    outputs: only("output").map(({ value }) => value),
    documents: only("document").map(({ value }) => value),
    failures: only("failure").map(({ value }) => value),
    families: combineFamilies(only("change").map(({ value }) => value)),
    ...(access && { access }),
    requests: only("requests").flatMap(({ value }) => value),
    violations: only("violation").map(({ value }) => value),
    protection: only("protection").map(({ value }) => createProtectionView(value)),
    notes: only("note").map(({ value }) => value),
    findings: only("finding").map(({ value }) => value),
    warnings: createDiagnosticsView(
      only("warning").map(({ value }) => value),
      { files: new Set(only("warning").map(({ value }) => value.range?.file.path ?? value.path)).size },
    ),
  };
}

function combineFamilies(changes: readonly ChangeView[]): readonly FamilyView[] {
  return allFamilies.flatMap((family) => {
    const some = changes.filter((change) => change.family === family);
    if (some.length === 0) return [];
    const actions = countActions(some);
    const left = actions.leave === 0 ? "" : `${actions.leave} left as ${actions.leave === 1 ? "it is" : "they are"}`;
    const pendingCounts = formatPendingCounts(actions);
    const title = getFamilyTitle(family);
    return [
      {
        family,
        title,
        changes: some,
        entries: some,
        actions,
        pendingCounts,
        leftCounts: left,
        otherCounts: left,
        inSync: "",
        unknownPasswords: 0,
      },
    ];
  });
}

function combineAccess(
  blocks: readonly Extract<FleetItem, { readonly kind: "block" }>[],
  lines: readonly Extract<FleetItem, { readonly kind: "line" }>[],
): AccessView | undefined {
  if (blocks.length === 0 && lines.length === 0) return undefined;
  const ofBlocks = (kind: BlockKind) => blocks.filter(({ of }) => of === kind).map(({ value }) => value);
  const ofLines = (kind: LineKind) => lines.filter(({ of }) => of === kind).map(({ value }) => value);
  const all = [...blocks.flatMap(({ value }) => value.lines), ...lines.map(({ value }) => value)];
  return {
    counts: formatSignCounts(all),
    administering: ofBlocks("administering"),
    others: ofBlocks("others"),
    pairs: ofBlocks("pairs"),
    unknown: ofBlocks("unknown"),
    blocked: ofLines("blocked"),
    closing: ofLines("closing"),
  };
}
