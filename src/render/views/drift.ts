import type { Change } from "../../model/change.ts";
import { type DriftDifference, type DriftReport, type DriftSide, isDrift } from "../../model/drift.ts";
import { escapeInvisible } from "../escape.ts";
import type { FoldedPart } from "./fold.ts";
import type { Remark } from "./folded-changes.ts";
import { pluralise, reasonWords, unknownWords } from "./words.ts";

// The words that all formats share.

const movedWords: Readonly<Record<DriftSide, string>> = {
  git: "changed in git",
  live: "changed on the server",
  both: "changed in both",
  unknown: "origin unknown",
};

/** `live moved: added on the server`; of what is only observed, that too. */
export function formatMoved({ moved, counts, change }: DriftDifference): string {
  const { reason } = change;
  if (reason === "unknown") return "unknown whether the server has it";
  if (change.unknown && change.edits.length === 0) return unknownWords;
  const how = howMoved(moved, change);
  const explained = how === undefined ? movedWords[moved] : `${movedWords[moved]}: ${how}`;
  return counts ? explained : `${explained}; ${reasonWords[reason]}, left as it is`;
}

/** What the side that changed did. The rows of a difference say the opposite: what apply would do about it. */
function howMoved(moved: DriftSide, change: Change): string | undefined {
  const { before, after } = change;
  const isThere = before !== undefined;
  const isDeclared = after !== undefined;
  if (isThere === isDeclared) return undefined;
  if (moved === "live") return isThere ? "added on the server" : "deleted on the server";
  return moved === "git" ? (isThere ? "no longer declared" : "newly declared") : undefined;
}

/** `declared by Ann (0123456789ab)`; undefined where the author is unknown. */
export function formatAuthor({ author }: DriftDifference): string | undefined {
  return author && `declared by ${escapeInvisible(author.name)} (${author.commit.slice(0, 12)})`;
}

/** Who moved, and who declared it; the latter not of those that are only named, as it may be anybody. */
export function formatDriftRemark(difference: DriftDifference, { kind }: Pick<FoldedPart<Change>, "kind">): string {
  const who = kind === "more" ? undefined : formatAuthor(difference);
  return [formatMoved(difference), ...(who === undefined ? [] : [who])].join("; ");
}

/** Only differences of the same side fold together. */
export function getDriftFoldKey(difference: DriftDifference | undefined): Remark {
  if (difference === undefined) return { text: "", kind: "" };
  return { text: formatDriftRemark(difference, { kind: "one" }), kind: formatMoved(difference) };
}

/** The two sides of a difference: `not on the server`, `not declared`, `differs`. */
export function formatDifference({ before, after, action, reason }: Change): string {
  if (reason === "unknown") return "cannot be compared";
  if (action === "create" || (before === undefined && after !== undefined)) return "not on the server";
  return after === undefined && before !== undefined ? "not declared" : "differs";
}

export function formatBaseline({ baseline }: Pick<DriftReport, "baseline">): string {
  switch (baseline?.kind) {
    case undefined:
      return "No baseline: who moved is unknown. Name what was applied by --applied-ref or --baseline.";
    case "commit":
      return `Compared with what was declared at ${escapeInvisible(baseline.ref)} (${baseline.commit.slice(0, 12)}).`;
    case "plan-file":
      return `Compared with what the plan in ${escapeInvisible(baseline.path)} declares (${baseline.fingerprint.slice(0, 12)}). Of what it does not change, the origin is unknown.`;
    case "journal":
      return `Compared with what the last run declared (${escapeInvisible(baseline.time).slice(0, 16).replace("T", " ")} UTC, run ${escapeInvisible(baseline.run)}).`;
  }
}

/** The answer: `Drift: 2 live moved, 1 both moved.`, and what else there is. */
export function formatDriftSummary({ differences, ceased = 0 }: Pick<DriftReport, "differences" | "ceased">): string {
  const drifted = differences.filter(isDrift);
  const order = ["live", "both", "unknown"] as const;
  const counts = order.flatMap((moved) => {
    const count = drifted.filter((difference) => difference.moved === moved).length;
    return count === 0 ? [] : [`${count} ${movedWords[moved]}`];
  });
  if (ceased > 0) counts.push(`${ceased === 1 ? "1 family" : `${ceased} families`} no longer managed`);
  const pending = differences.filter(({ moved, counts }) => counts && moved === "git").length;
  const left = differences.filter(({ counts }) => !counts).length;
  return [
    counts.length === 0 ? "No drift." : `Drift: ${counts.join(", ")}.`,
    ...(pending === 0 ? [] : [`${pluralise(pending, "change")} of git not applied yet.`]),
    ...(left === 0 ? [] : [`${pluralise(left, "difference")} left as ${left === 1 ? "it is" : "they are"}.`]),
  ].join(" ");
}

/** How many of a family are as declared. */
export function countInSync(changes: readonly Change[]): number {
  return changes.filter(
    ({ reason, edits, unknown }) => edits.length === 0 && !unknown && (reason === "in-sync" || reason === "observed"),
  ).length;
}
