import type { Difference, DifferenceKind, Limits } from "../../model/access.ts";
import { verdictOf, verdicts } from "./codes.ts";
import type { Parting } from "./parts.ts";
import { regionOf } from "./region.ts";
import { compareLimits, limitsKey, type Sight } from "./sees.ts";
import { type Column, dataReads, type Table } from "./table.ts";

interface Found {
  readonly kind: DifferenceKind;
  readonly before?: Limits;
  readonly after?: Limits;
  readonly depends?: string;
}

/** Which differences are to be told, by the parts of actions and indices. */
export interface Telling {
  /** False where none of an index is: then none is looked for. */
  readonly onIndex: (index: number) => boolean;
  readonly isTold: (kind: DifferenceKind, action: number, index?: number) => boolean;
}

const everything: Telling = { onIndex: () => true, isTold: () => true };

/** The differences between two columns of a table, folded; none where they judge alike. */
export function differencesIn(
  table: Table,
  from: Column,
  to: Column,
  telling: Telling = everything,
): readonly Difference[] {
  return [...onIndices(table, from, to, telling), ...onCluster(table, from, to, telling)];
}

function onCluster(table: Table, from: Column, to: Column, { isTold }: Telling): readonly Difference[] {
  const { actions } = table;
  const universe = actions.ofLevel("cluster");
  const found = universe.map((action) => ({ action, found: atCluster(from, to, action) }));
  return folded(found, isTold).map(({ parts, found: one }) => ({
    ...one,
    level: "cluster",
    actions: regionOf(actions, parts, universe),
    witness: { action: witnessOf(table, parts) },
  }));
}

function onIndices(table: Table, from: Column, to: Column, telling: Telling): readonly Difference[] {
  const { indices, actions } = table;
  const universe = actions.ofLevel("index");
  const rows = new Map<string, { readonly where: number[]; readonly fold: Fold }>();
  for (const index of indices.every) {
    if (from.signature(index) === to.signature(index) || !telling.onIndex(index)) continue;
    const found = differencesAt(table, from, to, index);
    for (const fold of folded(found, (kind, action) => telling.isTold(kind, action, index))) {
      const key = `${fold.parts.join()} ${fold.key}`;
      const row = rows.get(key);
      if (row) row.where.push(index);
      else rows.set(key, { where: [index], fold });
    }
  }
  return [...rows.values()].map(({ where, fold: { parts, found } }): Difference => {
    const [first = 0] = where;
    return {
      ...found,
      level: "index",
      actions: regionOf(actions, parts, universe),
      indices: regionOf(indices, where, indices.every),
      witness: { action: witnessOf(table, parts), index: indices.atoms[first]?.example ?? "" },
    };
  });
}

/** The difference of one cluster permission; undefined where there is none. */
export function atCluster(from: Column, to: Column, action: number): Found | undefined {
  return between(from.cluster()[action], to.cluster()[action], [from, to], (column) => column.depends(action));
}

interface At {
  readonly action: number;
  readonly found: Found | undefined;
}

/** The differences of the actions on one index; none where the same rules cover it. */
export function differencesAt({ actions, part }: Table, from: Column, to: Column, index: number): readonly At[] {
  if (from.signature(index) === to.signature(index)) return [];
  const [was, is] = [from.index(index), to.index(index)];
  const reads = actions.metBy(dataReads);
  const [before, after] = [from.limits(index), to.limits(index)];
  const seen = seenOtherwise(before, after, part);
  const fieldsSeen = seenOtherwise(withoutDocuments(before), withoutDocuments(after), part);
  const isAsDoubtful = from.doubts(index) === to.doubts(index);
  return actions.ofLevel("index").map((action) => {
    const found =
      isAsDoubtful && was[action] === is[action]
        ? undefined
        : between(was[action], is[action], [from, to], (column) => column.depends(action, index));
    const isRead = reads[action] === verdicts.yes;
    if (!isRead && !showsFields(actions.atoms[action]?.example)) return { action, found };
    if (!found) return { action, found: was[action] === verdicts.no ? undefined : isRead ? seen : fieldsSeen };
    const had = was[action] !== verdicts.no && isLimited(before);
    const has = is[action] !== verdicts.no && isLimited(after);
    return { action, found: { ...found, ...(had && { before }), ...(has && { after }) } };
  });
}

function isLimited({ documents, fields: { only, not, masks }, unsure }: Limits): boolean {
  return documents !== undefined || only !== undefined || not.length + masks.length + unsure.length > 0;
}

/** A mapping shows the fields that may be seen, and no documents. */
export function showsFields(action = ""): boolean {
  return action.startsWith("indices:admin/mappings/");
}

function withoutDocuments({ documents: _, ...rest }: Limits): Limits {
  return rest;
}

/** What is seen otherwise of an index that may be read before and after. */
function seenOtherwise(before: Limits, after: Limits, part: Parting): Found | undefined {
  if (before.unsure.join() !== after.unsure.join()) {
    const depends = [...new Set([...before.unsure, ...after.unsure])].map((role) => `role ${role}`).join(", ");
    return { kind: "may-change", before, after, depends };
  }
  const kind = kinds[compareLimits(before, after, part)];
  return kind && { kind, before, after };
}

const kinds: Readonly<Record<Sight, DifferenceKind | undefined>> = {
  same: undefined,
  more: "widened",
  less: "narrowed",
  other: "changed",
};

function between(
  was: number | undefined,
  is: number | undefined,
  [from, to]: readonly [Column, Column],
  dependsOn: (column: Column) => string,
): Found | undefined {
  const [before, after] = [verdictOf(was), verdictOf(is)];
  if (before !== "unknown" && after !== "unknown") {
    if (before === after) return undefined;
    return { kind: after === "yes" ? "gained" : "lost" };
  }
  if (before !== after) {
    const kind = before === "no" || after === "yes" ? "may-gain" : "may-lose";
    return { kind, depends: dependsOn(before === "unknown" ? from : to) };
  }
  const [on, on2] = [dependsOn(from), dependsOn(to)];
  return on === on2 ? undefined : { kind: "may-change", depends: [on, on2].join(", ") };
}

interface Fold {
  readonly key: string;
  readonly parts: readonly number[];
  readonly found: Found;
}

/** Actions that differ in the same way, together. */
function folded(all: readonly At[], isTold: (kind: DifferenceKind, action: number) => boolean): readonly Fold[] {
  const byKey = new Map<string, { readonly parts: number[]; readonly found: Found }>();
  const keys = new Map<Limits | undefined, string>();
  const keyOf = (limits: Limits | undefined): string => {
    const key = keys.get(limits) ?? (limits ? limitsKey(limits) : "");
    keys.set(limits, key);
    return key;
  };
  for (const { action, found } of all) {
    if (!found || !isTold(found.kind, action)) continue;
    const { kind, before, after, depends = "" } = found;
    const key = [kind, keyOf(before), keyOf(after), depends].join(" ");
    const same = byKey.get(key);
    if (same) same.parts.push(action);
    else byKey.set(key, { parts: [action], found });
  }
  return [...byKey].map(([key, { parts, found }]) => ({ key, parts, found }));
}

/** What people know best. */
const tellingActions = ["indices:data/read/search", "indices:data/write/index", "cluster:monitor/main"];

function witnessOf(table: Table, parts: readonly number[]): string {
  const examples = parts.map((part) => exampleAt(table, part));
  return tellingActions.find((action) => examples.includes(action)) ?? examples[0] ?? "";
}

function exampleAt({ actions }: Table, action: number): string {
  return actions.atoms[action]?.example ?? "";
}
