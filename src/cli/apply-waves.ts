import { exitCodes, RunError } from "../diagnostics/failure.ts";
import { runEach } from "../engine/fleet/each.ts";
import type { Rollout, Wave } from "../engine/fleet/waves.ts";
import type { SharedFiles } from "../load/shared-files.ts";
import type { Command } from "../model/target.ts";
import { formatName, joinNames } from "../render/escape.ts";
import { type FleetResult, type FleetState, findGravestExit } from "../render/views/fleet.ts";
import { createFailureItem, type FleetItem } from "../render/views/fleet-parts.ts";
import { pluralise } from "../render/views/words.ts";
import { maskRunError } from "../secrets/masked-message.ts";
import type { ApplyFlags } from "./apply-plan.ts";
import { chooseOneOf, usualParallel } from "./fleet.ts";
import type { Io } from "./io.ts";

export interface WavesToApply {
  readonly rollout: Rollout;
  /** What is shown of each target's plan. */
  readonly planned: readonly FleetResult[];
  /** Applies that plan, and no other. */
  readonly apply: (planned: FleetResult) => Promise<FleetResult>;
}

/** The results in the order of gate-sync.yaml; of a target whose wave was not begun, that. */
export async function applyWaves(
  io: Io,
  flags: ApplyFlags,
  { rollout, planned, apply }: WavesToApply,
): Promise<readonly FleetResult[]> {
  const { waves, check, isStaged } = rollout;
  io.beginWriting();
  const results = new Map(planned.map((result) => [result.row.name, result]));
  const say = (text: string) => {
    if (!flags.quiet) io.stderr.write(`${text}\n`);
  };
  let failures = 0;
  let worst: number = exitCodes.done;
  for (const [at, wave] of waves.entries()) {
    const isGoing = failures <= (flags.maxFailures ?? 0) && !io.stopped();
    if (isStaged) say(formatWave(wave, at, waves.length, isGoing));
    const ended = await runEach(wave.targets, flags.parallel ?? usualParallel, async (name) => {
      const before = results.get(name) as FleetResult;
      if (before.row.state !== "changes") return before;
      const signal = io.stopped();
      if (signal !== undefined) return withState(before, "not attempted", signal);
      if (!isGoing) return withNote(withState(before, "not attempted", findCodeOfRest(worst)), notBegun);
      const after = await apply(before);
      say(`${formatName(name)}: ${after.row.state}`);
      return after;
    });
    for (const result of ended) results.set(result.row.name, result);
    if (!isGoing) continue;
    failures += ended.filter(({ row }) => row.state !== "applied" && row.state !== "in sync").length;
    worst = findGravestExit([worst, ...ended.map(({ row }) => row.exitCode)]);
    const failed = check && at < waves.length - 1 && !io.stopped() && (await checkWave(io, check, wave, say));
    if (!failed) continue;
    failures = Number.POSITIVE_INFINITY;
    worst = findGravestExit([worst, failed.exitCode]);
    for (const name of wave.targets) results.set(name, withFailedCheck(results.get(name) as FleetResult, failed));
  }
  return planned.map(({ row }) => results.get(row.name) as FleetResult);
}

/** What was not begun ends as what stopped it; where that was written in part, as what has changes still. */
function findCodeOfRest(worst: number): number {
  return worst === exitCodes.partial ? exitCodes.pending : worst;
}

/** Where more of them cannot be applied than may fail, which is known before the first write: the results without any. */
export function omitAll(
  planned: readonly FleetResult[],
  { maxFailures = 0 }: ApplyFlags,
  fix = "Correct that, leave it out with --exclude-target",
) {
  const blocking = planned.filter(({ row }) => blockingCodes.includes(row.exitCode));
  if (blocking.length <= maxFailures) return undefined;
  const names = joinNames(blocking.map(({ row }) => row.name));
  // Those that could not be reached would be counted, too.
  const failing = planned.filter(({ row }) => row.state !== "changes" && row.state !== "in sync");
  const value = `Nothing was sent to any target, because ${names} cannot be applied. ${fix}, or apply the others all the same with --max-failures ${failing.length}.`;
  const code = findGravestExit(blocking.map(({ row }) => row.exitCode));
  return planned.map((result): FleetResult => {
    if (result.row.state !== "changes") return result;
    return withNote(withState(result, "not attempted", code), value);
  });
}

const notBegun =
  "Not attempted, because others failed before it. Run the same command again once they are well, leave them out with --exclude-target, or admit more with --max-failures.";

function withNote({ row, items }: FleetResult, value: string): FleetResult {
  return { row, items: [...items, { kind: "note", key: value, value }] };
}

/** What is wrong with what is declared or reviewed; a server that cannot be reached counts in its wave. */
const blockingCodes: readonly number[] = [exitCodes.invalid, exitCodes.refused, exitCodes.stale, exitCodes.usage];

function formatWave({ name, targets }: Wave, at: number, of: number, isGoing: boolean): string {
  const attempted = isGoing ? "" : ", not attempted";
  return `Wave ${at + 1} of ${of}, ${formatName(name)}: ${pluralise(targets.length, "target")}${attempted}`;
}

/** The flags by which one of several is applied, with an output that is shown where it fails. */
export function chooseOneToApply(flags: ApplyFlags & { readonly shared: SharedFiles }, name: string): ApplyFlags {
  // The fingerprint is that of all plans together: it was held to already.
  const { expect: _, ...others } = chooseOneOf(flags, name, flags.shared);
  return { ...others, yes: true, format: "text", color: "never", annotations: false };
}

/** By the exit code of a run about one target. */
export function findEndState(code: number): FleetState {
  if (code === exitCodes.refused) return "refused";
  if (code === exitCodes.interrupted || code === exitCodes.terminated) return "not attempted";
  return code === exitCodes.partial ? "stopped part-way" : "failed";
}

export function createOutputItem(text: string): FleetItem {
  return { kind: "output", key: text, value: text.trimEnd() };
}

function withState(result: FleetResult, state: FleetState, exitCode: number): FleetResult {
  return { ...result, row: { ...result.row, state, exitCode } };
}

/** All may be applied, and the run has failed: what is in no wave after this one may be in sync already. */
function withFailedCheck({ row, items }: FleetResult, error: RunError): FleetResult {
  return {
    row: { ...row, exitCode: row.exitCode || error.exitCode },
    items: [...items, createFailureItem(maskRunError(error))],
  };
}

/** Undefined where all is well. */
async function checkWave(
  io: Io,
  check: Command,
  { name, targets }: Wave,
  say: (text: string) => void,
): Promise<RunError | undefined> {
  const { runCheckCommand } = await import("../live/check-command.ts");
  const env = { ...check.env, GATE_SYNC_WAVE: name, GATE_SYNC_TARGETS: targets.join("\n") };
  say(`Check after ${formatName(name)}:`);
  try {
    await runCheckCommand({ ...check, env }, (text) => io.stderr.write(text));
    return undefined;
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    say(`${error.userMessage.what} ${error.userMessage.why}`);
    return error;
  }
}
