import type { Again, ChangeOutcomeKind, Outcome, Report } from "../../model/outcome.ts";
import { escapeInvisible, joinNames } from "../escape.ts";
import { joinLines, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { type ChangeOutcome, listChangeOutcomes } from "../views/change-outcomes.ts";
import { pluralise } from "../views/words.ts";
import { paint } from "./ansi.ts";
import { formatOutcomeLine } from "./outcome.ts";

/**
 * What is left to report after `outcomeLine` reported each request that was made: those that were not made, what
 * reading back found, and the count. No newline at its end.
 */
export function reportToText(report: Report, style: Style): string {
  if (report.outcomes.length === 0)
    return `${escapeInvisible(report.plan.target.name)}: nothing was pending, nothing was sent.`;
  const total = report.outcomes.length;
  return joinLines([
    ...report.outcomes.flatMap((outcome, index) =>
      outcome.kind === "not-attempted" ? [formatOutcomeLine(outcome, index, total, style)] : [],
    ),
    ...readBackLines(report, style),
    ...endLines(report, style),
    // In one line, however long: it is there to be copied.
    ...(report.backup ? [`Backup kept. Undo: ${escapeInvisible(report.backup.undo)}`] : []),
  ]);
}

function readBackLines({ outcomes, verified, differing }: Report, style: Style): readonly string[] {
  if (verified === undefined) {
    const isWhole = outcomes.every(({ kind, cause }) => kind === "done" && cause === undefined);
    return isWhole ? ["Done, but what the server now holds could not be read: look with gate-sync plan."] : [];
  }
  if (verified) return [`Read back: ${paint("in sync", "added", style)}.`];
  return wrap(
    `Read back: ${differing.length === 1 ? "1 still differs" : `${differing.length} still differ`}: ${joinNames(differing)}. ` +
      "Run gate-sync plan to see how.",
    style.width,
    2,
  );
}

type Causes = ReadonlySet<Outcome["cause"]>;

function causesOf({ outcomes }: Report): Causes {
  return new Set(outcomes.map(({ cause }) => cause));
}

function endLines(report: Report, style: Style): readonly string[] {
  const changeOutcomes = listChangeOutcomes(report);
  const causes = causesOf(report);
  const isWhole = changeOutcomes.every(({ kind }) => kind === "done") && !causes.has("not-in-effect");
  const lines = isWhole
    ? [doneLine(changeOutcomes)]
    : report.verified === false
      ? [missingLine(changeOutcomes)]
      : stoppedLines(report, changeOutcomes);
  return lines.flatMap((line) => wrap(line, style.width).map((part) => paint(part, "strong", style)));
}

/** What is done, what is unknown, what is left: then the one thing to do, which is safe in every case. */
function stoppedLines(report: Report, changeOutcomes: readonly ChangeOutcome[]): readonly string[] {
  const causes = causesOf(report);
  const count = (kind: ChangeOutcomeKind) =>
    changeOutcomes.filter((changeOutcome) => changeOutcome.kind === kind).length;
  const done = causes.has("not-in-effect") ? "Stored" : "Done";
  const others: readonly (readonly [ChangeOutcomeKind, string])[] = [
    ["in-part", `${done} in part`],
    ["unknown", "Unknown"],
    ["failed", "Failed"],
    ["not-attempted", "Not attempted"],
  ];
  const rest = others.filter(([kind]) => count(kind) > 0).map(([kind, words]) => ` ${words}: ${count(kind)}.`);
  return [
    `Stopped. ${done}: ${count("done")} of ${pluralise(changeOutcomes.length, "change")}.${rest.join("")}`,
    adviceFor(report, count("failed") > 0),
  ];
}

/** The one thing to do next. */
function adviceFor(report: Report, failed: boolean): string {
  const causes = causesOf(report);
  const { command, reviewed } = report.again ?? byFiles;
  const moved = reviewed && movedWords(report, causes);
  const planAgain = `plan again with gate-sync plan --out, and have the new plan reviewed: ${moved}, so that it no longer holds.`;
  if (causes.has("not-in-effect")) {
    const next = moved ? planAgain : `run ${command} again.`;
    return `What is stored takes effect with the first write after the cause that is named above is gone: take it out, then ${next}`;
  }
  if (causes.has("stale")) {
    return moved ? capital(planAgain) : `Run gate-sync plan and look at what moved, then ${command} again.`;
  }
  const finishes = reviewed
    ? "it goes on only where nothing else has moved"
    : "it reads the server first and finishes from whatever it holds";
  const next = moved ? planAgain : `run ${command} again: ${finishes}.`;
  return failed ? `Look at what the server said, then ${next}` : capital(next);
}

/** Why a reviewed plan holds no more; undefined where the server still has what it was made from. */
function movedWords({ outcomes }: Report, causes: Causes): string | undefined {
  // By request: of a change that failed, a part may be done.
  const kinds = new Set(outcomes.map(({ kind }) => kind));
  if (kinds.has("done")) return "part of this one is done";
  if (kinds.has("unknown")) return "part of this one may be done";
  return causes.has("stale") ? "what this one was made from has moved" : undefined;
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

const byFiles: Again = { command: "gate-sync apply", reviewed: false };

/** All was called done, and not all of it is there. */
function missingLine(changeOutcomes: readonly ChangeOutcome[]): string {
  const missing = changeOutcomes.filter(({ kind }) => kind !== "done").length;
  return `Done: ${changeOutcomes.length - missing} of ${pluralise(changeOutcomes.length, "change")}. Not there when read back: ${missing}.`;
}

function doneLine(changeOutcomes: readonly ChangeOutcome[]): string {
  const words = { create: "created", update: "changed", delete: "deleted" } as const;
  const parts = (["create", "update", "delete"] as const).flatMap((action) => {
    const count = changeOutcomes.filter(({ change }) => change.action === action).length;
    return count === 0 ? [] : [`${count} ${words[action]}`];
  });
  return `${parts.join(", ")}.`;
}
