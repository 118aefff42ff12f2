import { writesCredentials } from "../../families/credentials.ts";
import { type Change, isPending } from "../../model/change.ts";
import { type Address, createAddress } from "../../model/names.ts";
import type { Again, ChangeOutcomeKind, Outcome, Report } from "../../model/outcome.ts";
import { escapeInvisible, joinNames } from "../escape.ts";
import { createRequestView, type RequestView } from "./request.ts";
import { capitalise, formatCounts, pluralise } from "./words.ts";

/** Everything that a format shows of a run that wrote. Texts are fit to be shown. */
export interface ReportView {
  /** The target's name. */
  readonly name: string;
  /** In the order of the plan. */
  readonly outcomes: readonly { readonly outcome: Outcome; readonly request: RequestView }[];
  readonly changes: readonly ChangeOutcome[];
  readonly counts: Readonly<Record<ChangeOutcomeKind, number>>;
  /** What reading back found, where it is not as desired or could not be read; else empty. */
  readonly readBack: string;
  /** What is done, what is unknown, what is left; then the one thing to do. */
  readonly conclusion: readonly string[];
  /** The command line that undoes the run; empty where no backup is kept. */
  readonly undo: string;
  /** As the model has it, for programs. */
  readonly report: Report;
}

/**
 * What became of one change: the worst that became of a request that makes it, and `in-part` where some are done and the
 * others were not attempted. What was called done and is not there when read back is unknown.
 */
export interface ChangeOutcome {
  readonly change: Change;
  readonly kind: ChangeOutcomeKind;
}

export function createReportView(report: Report): ReportView {
  const { plan, outcomes, backup } = report;
  const changes = listChangeOutcomes(report);
  const counts = countOutcomes(changes);
  return {
    name: escapeInvisible(plan.target.name),
    outcomes: outcomes.map((outcome) => ({ outcome, request: createRequestView(outcome.operation) })),
    changes,
    counts,
    readBack: formatReadBack(report),
    conclusion: conclude(report, changes, counts),
    undo: escapeInvisible(backup?.undo ?? ""),
    report,
  };
}

const worstFirst: readonly ChangeOutcomeKind[] = ["unknown", "failed", "in-part", "not-attempted", "done"];

/** What became of a change that two requests make, from what became of each. */
export function combineOutcomes(one: ChangeOutcomeKind, other: ChangeOutcomeKind): ChangeOutcomeKind {
  const worst = worstFirst.find((kind) => kind === one || kind === other) ?? one;
  return worst === "not-attempted" && one !== other ? "in-part" : worst;
}

/** For every pending change, in the order of the plan. One that no request names was not attempted. */
export function listChangeOutcomes(report: Report): readonly ChangeOutcome[] {
  const kinds = new Map<string, ChangeOutcomeKind>();
  for (const { operation, kind } of report.outcomes) {
    for (const name of operation.names) {
      const address = createAddress(operation.family, name);
      kinds.set(address, combineOutcomes(kinds.get(address) ?? kind, kind));
    }
  }
  const differing = new Set(report.differing);
  return report.plan.changes.filter(isPending).map((change) => {
    const address = createAddress(change.family, change.name);
    const kind = kinds.get(address) ?? "not-attempted";
    return { change, kind: kind === "done" && differing.has(address) ? "unknown" : kind };
  });
}

function countOutcomes(changes: readonly ChangeOutcome[]): Readonly<Record<ChangeOutcomeKind, number>> {
  const counts = { done: 0, "in-part": 0, failed: 0, unknown: 0, "not-attempted": 0 };
  for (const { kind } of changes) counts[kind]++;
  return counts;
}

function formatReadBack({ outcomes, verified, differing }: Report): string {
  if (verified) return "";
  if (verified === undefined) {
    const isWhole = outcomes.every(({ kind, cause }) => kind === "done" && cause === undefined);
    return isWhole ? "Done, but what the server now holds could not be read: look with gate-sync plan." : "";
  }
  const count = differing.length === 1 ? "1 still differs" : `${differing.length} still differ`;
  return `Read back: ${count}: ${joinNames(differing)}. Run gate-sync plan to see how.`;
}

function conclude(report: Report, changes: readonly ChangeOutcome[], counts: ReportView["counts"]): readonly string[] {
  const isInEffect = report.outcomes.every(({ cause }) => cause !== "not-in-effect");
  const missing = changes.length - counts.done;
  if (missing === 0 && isInEffect) return [formatDone(changes)];
  const all = pluralise(changes.length, "change");
  // All was called done, and not all of it is there.
  if (report.verified === false) return [`Done: ${counts.done} of ${all}. Not there when read back: ${missing}.`];
  const done = isInEffect ? "Done" : "Stored";
  const others: readonly (readonly [ChangeOutcomeKind, string])[] = [
    ["in-part", `${done} in part`],
    ["unknown", "Unknown"],
    ["failed", "Failed"],
    ["not-attempted", "Not attempted"],
  ];
  const rest = others.filter(([kind]) => counts[kind] > 0).map(([kind, words]) => ` ${words}: ${counts[kind]}.`);
  return [`Stopped. ${done}: ${counts.done} of ${all}.${rest.join("")}`, formatAdvice(report, counts.failed > 0)];
}

function formatDone(changes: readonly ChangeOutcome[]): string {
  const count = (action: Change["action"]) => changes.filter(({ change }) => change.action === action).length;
  const parts: readonly (readonly [number, string])[] = [
    [count("create"), "created"],
    [count("update"), "changed"],
    [count("delete"), "deleted"],
  ];
  return `${formatCounts(parts)}.`;
}

const byFiles: Again = { command: "gate-sync apply", reviewed: false };

/** The one thing to do next, which is safe in every case. */
function formatAdvice(report: Report, failed: boolean): string {
  const causes = new Set(report.outcomes.map(({ cause }) => cause));
  const { command, reviewed } = report.again ?? byFiles;
  const moved = reviewed ? explainStalePlan(report) : "";
  const flags = ["--out", formatRotations(listUnknownRotations(report))].filter(Boolean).join(" ");
  const planAgain = `plan again with gate-sync plan ${flags}, and have the new plan reviewed: the old one no longer holds, as ${moved}.`;
  if (causes.has("not-in-effect")) {
    const next = moved ? planAgain : `run ${command} again.`;
    return `What is stored takes effect with the first write after the cause named above is removed: remove it, then ${next}`;
  }
  if (causes.has("stale")) {
    return moved ? capitalise(planAgain) : `Run gate-sync plan and look at what changed, then ${command} again.`;
  }
  const next = moved ? planAgain : formatRunAgain(report);
  return failed ? `Look at the server's answer, then ${next}` : capitalise(next);
}

function formatRunAgain(report: Report): string {
  const { command, reviewed } = report.again ?? byFiles;
  if (reviewed) return `run ${command} again: it continues only if nothing else has changed.`;
  const rotations = formatRotations(listUnknownRotations(report));
  return rotations !== ""
    ? `run ${command} again with ${rotations}: without it no password is written.`
    : `run ${command} again: it reads the server first and finishes from there.`;
}

/** Flags of another run: `--rotate internal_users/ana`; empty where there is no such user. */
export function formatRotations(addresses: readonly Address[]): string {
  return addresses.map((address) => `--rotate ${escapeInvisible(address)}`).join(" ");
}

/** Users whose password may not have been written: a next plan does not see it. */
function listUnknownRotations({ plan, outcomes }: Report): readonly Address[] {
  const open = outcomes
    .filter(({ kind }) => kind !== "done")
    .flatMap(({ operation: { family, names } }) => names.map((name) => createAddress(family, name)));
  return plan.changes
    .filter((change) => change.action === "update" && writesCredentials(change))
    .map(({ family, name }) => createAddress(family, name))
    .filter((address) => open.includes(address));
}

/** Why a reviewed plan holds no more; empty where the server still has what it was made from. */
function explainStalePlan({ outcomes }: Report): string {
  // By request: of a change that failed, a part may be done.
  if (outcomes.some(({ kind }) => kind === "done")) return "a part of it is done";
  if (outcomes.some(({ kind }) => kind === "unknown")) return "a part of it may be done";
  return outcomes.some(({ cause }) => cause === "stale") ? "the server has changed since" : "";
}
