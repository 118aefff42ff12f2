import { getNoun } from "../../families/index.ts";
import { type Change, isPending, type Reason } from "../../model/change.ts";
import type { Family } from "../../model/names.ts";
import type { Operation } from "../../model/operation.ts";
import type { Plan } from "../../model/plan.ts";
import { formatName } from "../escape.ts";

// The words that text and Markdown share, so that both say the same of a plan.

/** The changes of one family, in the order of the plan. */
export interface FamilyChanges {
  readonly family: Family;
  readonly changes: readonly Change[];
}

export function groupByFamily(plan: Pick<Plan, "changes">): readonly FamilyChanges[] {
  const groups = new Map<Family, Change[]>();
  for (const change of plan.changes) {
    const group = groups.get(change.family);
    if (group === undefined) groups.set(change.family, [change]);
    else group.push(change);
  }
  return [...groups].map(([family, changes]) => ({ family, changes }));
}

/** Left unchanged, though it differs or this is unknown: worth a line, but no pending change. */
export function isOdd(change: Change): boolean {
  return !isPending(change) && (change.edits.length > 0 || change.unknown !== undefined || change.reason === "unknown");
}

/** In the words of people: the model says `update`, a reader changes something. `1 to create, 2 to change`; empty where nothing is pending. */
export function formatPendingCounts(changes: readonly Change[]): string {
  const count = (action: Change["action"]) => changes.filter((change) => change.action === action).length;
  const parts: readonly (readonly [number, string])[] = [
    [count("create"), "to create"],
    [count("update"), "to change"],
    [count("delete"), "to delete"],
  ];
  return counts(parts);
}

/** `41 in sync, 9 reserved, 3 unmanaged`. */
export function formatQuietCounts(changes: readonly Change[]): string {
  const odd = changes.filter(isOdd);
  const unsure = odd.filter(({ reason }) => reason === "unknown").length;
  const quiet = changes.filter((change) => !isPending(change) && !isOdd(change));
  const count = (...reasons: readonly Reason[]) => quiet.filter(({ reason }) => reasons.includes(reason)).length;
  const differing = odd.length - unsure;
  return counts([
    [differing, differing === 1 ? "differs" : "differ"],
    [unsure, "cannot be compared"],
    // Observed or not: without edits it is as declared.
    [count("in-sync", "observed"), "in sync"],
    [count("reserved", "static", "server-owned"), "reserved"],
    [count("unmanaged", "out-of-scope"), "unmanaged"],
  ]);
}

/** Of an entry that is as declared, but for what gate-sync does not know. */
export const unknownWords = "has fields that gate-sync does not know";

/** Why something is as it is, beside its name. */
export const reasonWords: Readonly<Record<Reason, string>> = {
  declared: "",
  "no-longer-declared": "no longer declared",
  "taken-back": "made by that run",
  "in-sync": "in sync",
  unmanaged: "not declared",
  "out-of-scope": "out of scope",
  reserved: "reserved",
  static: "static",
  "server-owned": "the server's own",
  observed: "observed only",
  unknown: "unknown",
};

/** `1 to create, 2 to change, in 2 requests.` and what differs but is left, in one or two sentences. */
export function formatSummary(plan: Plan): string {
  const pending = formatPendingCounts(plan.changes);
  const differing = plan.changes.filter((change) => isOdd(change) && change.edits.length > 0).length;
  const left = differing === 1 ? " 1 difference is left as it is." : ` ${differing} differences are left as they are.`;
  const doing =
    pending === "" ? nothingPending(plan) : `${pending}, in ${pluralise(plan.operations.length, "request")}.`;
  return differing === 0 ? doing : doing + left;
}

/** A plan of nothing is refused where a test fails on what is there. */
function nothingPending({ violations }: Plan): string {
  if (violations.length === 0) return "Nothing to do.";
  return violations.every(({ rule }) => rule === "access-tests")
    ? "no change is pending, and the access tests do not pass as it is."
    : "no change is pending.";
}

/** `roles` for a request to a collection, `role hr_reader` for one to a resource; a split may name several. */
export function formatOperationTarget({ family, bulk, names }: Operation): string {
  if (family === "config" || family === "license") return getNoun(family);
  return bulk ? getNoun(family, 2) : `${getNoun(family)} ${names.map(formatName).join(", ")}`;
}

export function pluralise(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** `94 B`, `1.2 kB`, `15 kB`: what a request carries. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [size, unit] = bytes < 999_500 ? [bytes / 1000, "kB"] : [bytes / 1_000_000, "MB"];
  return `${size < 9.95 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}

/** `45 s`, `4 min`: roughly, for what takes long. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `a`, `a and b`, `a, b and c`. */
export function joinWithAnd(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? "") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

export function counts(parts: readonly (readonly [number, string])[]): string {
  return parts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`)
    .join(", ");
}
