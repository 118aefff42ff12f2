import { formatCount, getNoun } from "../../families/index.ts";
import { groupItems } from "../../json/collections.ts";
import { type Action, type Change, isPending, type Reason } from "../../model/change.ts";
import { type Address, createAddress, type Family, isResourceFamily } from "../../model/names.ts";
import { formatName } from "../escape.ts";
import { type ChangeView, createChangeView, isQuiet, reasonWords } from "./change.ts";
import { findRenamed } from "./renamed.ts";
import { capitalise, formatCounts } from "./words.ts";

/** What is shown of one family: its changes, and how many entries there are of each kind. */
export interface FamilyView {
  readonly family: Family;
  /** `Role mappings`. */
  readonly title: string;
  /** What is pending, or differs and is left as it is, in the order of the plan. */
  readonly changes: readonly ChangeView[];
  /** Every entry, in the order of the plan. There may be 100 000 of them, so that they are no views of their own. */
  readonly entries: readonly EntryHead[];
  readonly actions: Readonly<Record<Action, number>>;
  /** `1 to create, 2 to change`; empty where nothing is pending. */
  readonly pendingCounts: string;
  /** `2 differ, 1 cannot be compared`: what is among `changes` and not pending. */
  readonly leftCounts: string;
  /** The same, and `41 in sync, 9 reserved, 3 unmanaged`. */
  readonly otherCounts: string;
  /** `41 roles`, `config`: what is as declared; empty where nothing is. */
  readonly inSync: string;
  /** How many of those are users whose passwords are unknown. */
  readonly unknownPasswords: number;
}

/** What programs may know of any entry. */
export type EntryHead = Pick<Change, "family" | "name" | "action" | "reason" | "origin" | "passwordUnknown">;

/** @param named what a guard found */
export function createFamilyViews(changes: readonly Change[], named: ReadonlySet<Address>): readonly FamilyView[] {
  const renamed = findRenamed(changes);
  const createView = (change: Change): ChangeView => {
    const address = createAddress(change.family, change.name);
    const other = renamed.get(address);
    const isWhole = other === undefined || named.has(address) || named.has(createAddress(change.family, other));
    return createChangeView(change, named.has(address), isWhole ? undefined : other);
  };
  return groupByFamily(changes).map(({ family, changes: some }) => {
    const shown = some.filter((change) => !isQuiet(change));
    const actions = countActions(some);
    const inSync = countInSync(some);
    return {
      family,
      title: getFamilyTitle(family),
      changes: shown.map(createView),
      entries: some,
      actions,
      pendingCounts: formatPendingCounts(actions),
      leftCounts: formatCounts(countLeft(some)),
      otherCounts: formatCounts([...countLeft(some), ...countQuiet(some)]),
      inSync: inSync === 0 ? "" : isResourceFamily(family) ? formatCount(inSync, family) : getNoun(family),
      unknownPasswords: countUnknownPasswords(some),
    };
  });
}

/** Entries that are neither written nor in sync, by name only, as their contents are unmanaged. */
export function listLeftAlone({ entries, changes }: FamilyView): readonly Pick<ChangeView, "title" | "aside">[] {
  const shown = new Set(changes.map(({ name }) => name));
  return entries
    .filter(({ name, reason }) => reason !== "in-sync" && !shown.has(name))
    .map(({ name, reason }) => ({ title: formatName(name), aside: reasonWords[reason] }));
}

export function getFamilyTitle(family: Family): string {
  return capitalise(getNoun(family, 2));
}

export function groupByFamily<T extends Pick<Change, "family">>(
  changes: readonly T[],
): readonly { readonly family: Family; readonly changes: readonly T[] }[] {
  return groupItems(changes, ({ family }) => family).map((some) => ({ family: some[0].family, changes: some }));
}

/** The model says `update`, a reader changes something. */
export function formatPendingCounts(actions: Readonly<Record<Action, number>>): string {
  return formatCounts([
    [actions.create, "to create"],
    [actions.update, "to change"],
    [actions.delete, "to delete"],
  ]);
}

export function countActions(changes: readonly Pick<Change, "action">[]): Readonly<Record<Action, number>> {
  const counts = { create: 0, update: 0, delete: 0, leave: 0 };
  for (const { action } of changes) counts[action]++;
  return counts;
}

/** Observed or not: without edits it is as declared. */
export function countInSync(changes: readonly Pick<Change, "edits" | "unknown" | "reason">[]): number {
  return changes.filter(
    ({ reason, edits, unknown }) => (reason === "in-sync" || reason === "observed") && edits.length === 0 && !unknown,
  ).length;
}

export function countUnknownPasswords(changes: readonly Pick<Change, "passwordUnknown">[]): number {
  return changes.filter(({ passwordUnknown }) => passwordUnknown).length;
}

/** `2 in sync`, `1 in sync, 1 in sync but for passwords`. */
export function formatInSync(inSync: number, unknownPasswords: number): string {
  return formatCounts([
    [inSync - unknownPasswords, "in sync"],
    [unknownPasswords, "in sync but for passwords"],
  ]);
}

/** `41 in sync, 9 reserved, 3 unmanaged`: all of which there is nothing to show. */
export function formatQuietCounts(changes: readonly Change[]): string {
  return formatCounts(countQuiet(changes));
}

type Count = readonly [number, string];

function countLeft(changes: readonly Change[]): readonly Count[] {
  const left = changes.filter((one) => !isQuiet(one) && !isPending(one));
  const unsure = left.filter(({ reason }) => reason === "unknown").length;
  const differing = left.length - unsure;
  return [
    [differing, differing === 1 ? "differs" : "differ"],
    [unsure, "cannot be compared"],
  ];
}

function countQuiet(changes: readonly Change[]): readonly Count[] {
  const quiet = changes.filter(isQuiet);
  const count = (...reasons: readonly Reason[]) => quiet.filter(({ reason }) => reasons.includes(reason)).length;
  const unknown = countUnknownPasswords(changes);
  return [
    [countInSync(changes) - unknown, "in sync"],
    [unknown, "in sync but for passwords"],
    [count("reserved", "static", "server-owned", "service-account"), "reserved"],
    [count("unmanaged", "out-of-scope"), "unmanaged"],
  ];
}
