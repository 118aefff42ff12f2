import { levelOf } from "../../dialects/requests.ts";
import type { Difference, DifferenceKind, Limits } from "../../model/access.ts";
import { regionOf } from "./region.ts";
import { compareLimits, limitsKey, type Sight } from "./sees.ts";
import type { Cell, Column, Table } from "./table.ts";

interface Verdictwise {
  readonly kind: DifferenceKind;
  readonly before?: Limits;
  readonly after?: Limits;
  readonly depends?: string;
}

/** Whether a difference is to be told, of an action and an index by their examples; without index: of the cluster. */
type Telling = (kind: DifferenceKind, action: string, index?: string) => boolean;

/** The differences between two columns of a table, folded; none where they judge alike. */
export function differencesIn(
  table: Table,
  from: Column,
  to: Column,
  isTold: Telling = () => true,
): readonly Difference[] {
  const { indices, actions } = table;
  const partsOfLevel = (level: "cluster" | "index"): readonly number[] =>
    actions.atoms.flatMap(({ example }, part) => (levelOf(example) === level ? [part] : []));
  const [clusterParts, indexParts] = [partsOfLevel("cluster"), partsOfLevel("index")];
  const told = (found: Verdictwise | undefined, action: number, index?: string): Verdictwise | undefined =>
    found && isTold(found.kind, actions.atoms[action]?.example ?? "", index) ? found : undefined;
  const everyIndex = indices.atoms.map((_, part) => part);

  const ofCluster = folded(
    clusterParts.map((action) => ({ action, found: told(atCluster(from, to, action), action) })),
  ).map(
    ({ parts, found }): Difference => ({
      ...found,
      level: "cluster",
      actions: regionOf(actions, parts, clusterParts),
      witness: { action: exampleOf(table, parts) },
    }),
  );

  const rows = new Map<string, { readonly where: number[]; readonly fold: Fold }>();
  for (const index of everyIndex) {
    if (from.signature(index) === to.signature(index)) continue;
    const name = indices.atoms[index]?.example ?? "";
    const found = indexParts.map((action) => {
      return { action, found: told(atIndex(table, from, to, index, action), action, name) };
    });
    for (const fold of folded(found)) {
      const key = `${fold.parts.join()} ${fold.key}`;
      const row = rows.get(key);
      if (row) row.where.push(index);
      else rows.set(key, { where: [index], fold });
    }
  }
  const ofIndices = [...rows.values()].map(({ where, fold: { parts, found } }): Difference => {
    const [first = 0] = where;
    return {
      ...found,
      level: "index",
      actions: regionOf(actions, parts, indexParts),
      indices: regionOf(indices, where, everyIndex),
      witness: { action: exampleOf(table, parts), index: indices.atoms[first]?.example ?? "" },
    };
  });
  return [...ofIndices, ...ofCluster];
}

/** The difference at one action of the cluster; undefined where there is none. */
export function atCluster(from: Column, to: Column, action: number): Verdictwise | undefined {
  return between(from.cluster(action), to.cluster(action));
}

/** The difference at one action and index; undefined where there is none. */
export function atIndex(
  { actions }: Table,
  from: Column,
  to: Column,
  index: number,
  action: number,
): Verdictwise | undefined {
  const [was, is] = [from.index(index, action), to.index(index, action)];
  const found = between(was, is);
  const isRead = actions.atoms[action]?.example.startsWith("indices:data/read/") ?? false;
  if (!isRead) return found;
  const [before, after] = [from.limits(index), to.limits(index)];
  if (found) {
    return { ...found, ...(was.verdict !== "no" && { before }), ...(is.verdict !== "no" && { after }) };
  }
  if (was.verdict === "no") return undefined;
  if (
    limitsKey({ ...before, fields: after.fields }) !== limitsKey(after) &&
    before.unsure.join() !== after.unsure.join()
  ) {
    return { kind: "may-change", before, after, depends: [...before.unsure, ...after.unsure].join(", ") };
  }
  const kind = kinds[compareLimits(before, after)];
  return kind && { kind, before, after };
}

const kinds: Readonly<Record<Sight, DifferenceKind | undefined>> = {
  same: undefined,
  more: "widened",
  less: "narrowed",
  other: "changed",
};

function between(was: Cell, is: Cell): Verdictwise | undefined {
  if (was.verdict === is.verdict) {
    const isSame = was.depends === is.depends;
    return isSame ? undefined : { kind: "may-change", depends: [was.depends, is.depends].filter(Boolean).join(", ") };
  }
  if (was.verdict === "no" && is.verdict === "yes") return { kind: "gained" };
  if (was.verdict === "yes" && is.verdict === "no") return { kind: "lost" };
  const depends = was.depends || is.depends;
  return { kind: was.verdict === "no" || is.verdict === "yes" ? "may-gain" : "may-lose", depends };
}

interface Fold {
  readonly key: string;
  readonly parts: readonly number[];
  readonly found: Verdictwise;
}

/** Actions that differ in the same way, together. */
function folded(all: readonly { readonly action: number; readonly found: Verdictwise | undefined }[]): readonly Fold[] {
  const byKey = new Map<string, { readonly parts: number[]; readonly found: Verdictwise }>();
  for (const { action, found } of all) {
    if (!found) continue;
    const { kind, before, after, depends } = found;
    const key = JSON.stringify([kind, before && limitsKey(before), after && limitsKey(after), depends]);
    const same = byKey.get(key);
    if (same) same.parts.push(action);
    else byKey.set(key, { parts: [action], found });
  }
  return [...byKey].map(([key, { parts, found }]) => ({ key, parts, found }));
}

/** What people know best. */
const tellingActions = ["indices:data/read/search", "indices:data/write/index", "cluster:monitor/main"];

function exampleOf({ actions }: Table, parts: readonly number[]): string {
  const examples = parts.map((part) => actions.atoms[part]?.example ?? "");
  return tellingActions.find((action) => examples.includes(action)) ?? examples[0] ?? "";
}
