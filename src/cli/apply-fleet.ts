import { exitCodes, RunError } from "../diagnostics/failure.ts";
import { runEach } from "../engine/fleet/each.ts";
import { openRollout, type Rollout, type Wave } from "../engine/fleet/waves.ts";
import type { PlanRequest } from "../engine/pipeline/context.ts";
import { plan } from "../engine/plan.ts";
import type { SharedFiles } from "../load/shared-files.ts";
import type { Command } from "../model/target.ts";
import { formatName } from "../render/escape.ts";
import {
  createFailedRow,
  createFleetView,
  type FleetResult,
  type FleetRow,
  type FleetShard,
  type FleetState,
} from "../render/views/fleet.ts";
import { createFailureItem, type FleetItem } from "../render/views/fleet-parts.ts";
import { pluralise } from "../render/views/words.ts";
import { maskRunError } from "../secrets/masked-message.ts";
import type { ApplyFlags } from "./apply-plan.ts";
import { carryOutPlan } from "./carry-out.ts";
import { collectOutput } from "./collected-output.ts";
import { chooseOneOf, listFleet, refuseForSeveral, usualParallel } from "./fleet.ts";
import { type Io, writeBlocks } from "./io.ts";
import { chooseStyle, readRequestFlags } from "./options.ts";
import { createFleetReports, planEach, refuseOtherFormats, withoutTargets } from "./plan-fleet.ts";
import { createPlanRequest } from "./plan-once.ts";
import { createReadSource } from "./read-source.ts";
import { writeReports } from "./reports.ts";

/** Plans all targets, shows that, asks once, and applies them wave by wave. */
export async function applyFleet(io: Io, state: readonly string[], flags: ApplyFlags): Promise<number> {
  if (flags.expect !== undefined) throw refuseForSeveral("--expect");
  refuseOtherFormats(flags);
  const fleet = await listFleet(io, flags);
  const { names, shard, shared } = fleet;
  const place = { cwd: io.cwd, env: io.env, shared, ...(flags.config !== undefined && { configPath: flags.config }) };
  const rollout = await openRollout(place, names);
  const planned = await planEach(io, state, flags, fleet, { onlyPlans: false });
  refuseSameUrl(planned);
  const isText = flags.format !== "json";
  if (isText && !flags.quiet) await showPlan(io, flags, planned);
  const pending = planned.filter(({ row }) => row.state === "changes");
  if (pending.length === 0) return finishFleet(io, flags, shard, planned, isText && !flags.quiet);
  if (!flags.yes)
    await confirmAll(
      io,
      pending.map(({ row }) => row.name),
    );
  io.beginWriting();
  const results = await applyWaves(io, state, flags, { rollout, planned, shared });
  const known = new Set(planned.flatMap(({ items }) => items));
  // What text has shown already is not repeated.
  const news = ({ row, items }: FleetResult) => ({ row, items: items.filter((item) => !known.has(item)) });
  return finishFleet(io, flags, shard, isText && !flags.quiet ? results.map(news) : results, false);
}

async function showPlan(io: Io, flags: ApplyFlags, planned: readonly FleetResult[]): Promise<void> {
  const { formatFleetBlocks } = await import("../render/text/fleet.ts");
  await writeBlocks(io.stdout, formatFleetBlocks(createFleetView("apply", planned), chooseStyle(io.stdout, io, flags)));
  io.stdout.write("\n");
}

async function finishFleet(
  io: Io,
  flags: ApplyFlags,
  shard: FleetShard | undefined,
  results: readonly FleetResult[],
  isShown: boolean,
): Promise<number> {
  const view = createFleetView("apply", results, shard);
  if (!isShown)
    await writeReports(io, flags, createFleetReports(view, readRequestFlags(io, [], withoutTargets(flags)), flags));
  return view.exitCode;
}

async function confirmAll(io: Io, names: readonly string[]): Promise<void> {
  if (!io.interactive) {
    throw new RunError("usage", {
      what: "There is no terminal to ask whether to apply these plans.",
      why: "Nothing was sent.",
      fix: "On a terminal, answer the question; elsewhere, say it with --yes.",
    });
  }
  const answer = await io.ask(`Type yes to apply to ${pluralise(names.length, "target")}: `);
  if (answer?.trim() !== "yes") throw new RunError("failed", { what: "Not applied.", why: "Nothing was sent." });
}

/** @throws RunError `usage` where two targets are one cluster: each would undo what the other has declared */
function refuseSameUrl(planned: readonly FleetResult[]): void {
  const known = new Map<string, string>();
  for (const { row } of planned) {
    if (row.url === undefined) continue;
    const other = known.get(row.url);
    known.set(row.url, row.name);
    if (other === undefined) continue;
    throw new RunError("usage", {
      what: `The targets ${formatName(other)} and ${formatName(row.name)} are both at ${row.url}.`,
      why: "One after the other would make it what it declares. Nothing was sent.",
      fix: "Correct the url of one. Where both are meant, for different entries, apply them in runs of their own.",
    });
  }
}

interface Plans {
  readonly rollout: Rollout;
  readonly planned: readonly FleetResult[];
  readonly shared: SharedFiles;
}

/** The results in the order of gate-sync.yaml; of a target whose wave was not begun, that. */
async function applyWaves(
  io: Io,
  state: readonly string[],
  flags: ApplyFlags,
  { rollout, planned, shared }: Plans,
): Promise<readonly FleetResult[]> {
  const { waves, check } = rollout;
  const results = new Map(planned.map((result) => [result.row.name, result]));
  const say = (text: string) => {
    if (!flags.quiet) io.stderr.write(`${text}\n`);
  };
  const isStaged = waves.some(({ name, targets }) => name !== targets[0] || targets.length > 1);
  let failures = 0;
  for (const [at, wave] of waves.entries()) {
    const isGoing = failures <= (flags.maxFailures ?? 0) && !io.stopped();
    if (isStaged) say(formatWave(wave, at, waves.length, isGoing));
    const ended = await runEach(wave.targets, flags.parallel ?? usualParallel, async (name) => {
      const before = results.get(name) as FleetResult;
      if (before.row.state !== "changes") return before;
      if (!isGoing || io.stopped())
        return withState(before, "not attempted", io.stopped() ? exitCodes.interrupted : exitCodes.failed);
      const after = await applyOne(io, state, { ...flags, shared }, before);
      say(`${formatName(name)}: ${after.row.state}`);
      return after;
    });
    for (const result of ended) results.set(result.row.name, result);
    if (!isGoing) continue;
    failures += ended.filter(({ row }) => row.state !== "applied" && row.state !== "in sync").length;
    const failed = check && at < waves.length - 1 && !io.stopped() && (await checkWave(io, check, wave, say));
    if (!failed) continue;
    failures = Number.POSITIVE_INFINITY;
    for (const name of wave.targets) results.set(name, withFailedCheck(results.get(name) as FleetResult, failed));
  }
  return planned.map(({ row }) => results.get(row.name) as FleetResult);
}

function formatWave({ name, targets }: Wave, at: number, of: number, isGoing: boolean): string {
  const attempted = isGoing ? "" : ", not attempted";
  return `Wave ${at + 1} of ${of}, ${formatName(name)}: ${pluralise(targets.length, "target")}${attempted}`;
}

/** Exactly the plan that was shown, with the records of a run by itself; then a plan that has to find nothing left to do. */
async function applyOne(
  io: Io,
  state: readonly string[],
  flags: ApplyFlags & { readonly shared: SharedFiles },
  { row, items }: FleetResult,
): Promise<FleetResult> {
  const own = {
    ...chooseOneOf(flags, row.name, flags.shared),
    yes: true,
    format: "text",
    color: "never",
    annotations: false,
  } as const;
  const { io: captured, read } = collectOutput(io);
  try {
    const source = { connect: await createReadSource(captured) };
    const planner = async (request: PlanRequest) => {
      const planned = await plan(request, source);
      if (!request.withoutPatch?.size) refuseOtherPlan(planned.plan.fingerprint, row);
      return planned;
    };
    const request = createPlanRequest(captured, state, own, { onlyPlans: false });
    const code = await carryOutPlan(captured, own, request, planner, "apply");
    if (code !== exitCodes.done)
      return { row: { ...row, state: stateOf(code), exitCode: code }, items: [...items, outputItem(read())] };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return {
      row: { ...createFailedRow(row.name, error), families: row.families },
      items: [...items, createFailureItem(maskRunError(error))],
    };
  }
  const [after] = await planEach(io, state, flags, { names: [row.name], shared: flags.shared }, { onlyPlans: false });
  if (after?.row.state === "in sync") return { row: { ...row, state: "applied", exitCode: exitCodes.done }, items };
  return {
    row: { ...row, state: "failed", exitCode: after?.row.exitCode || exitCodes.failed },
    items: [...items, ...(after?.items ?? []), createFailureItem(notInSync(row.name))],
  };
}

function stateOf(code: number): FleetState {
  if (code === exitCodes.refused) return "refused";
  if (code === exitCodes.interrupted) return "not attempted";
  return code === exitCodes.partial ? "stopped part-way" : "failed";
}

function outputItem(text: string): FleetItem {
  return { kind: "output", key: text, value: text.trimEnd() };
}

function refuseOtherPlan(fingerprint: string, shown: FleetRow): void {
  if (fingerprint === shown.fingerprint) return;
  throw new RunError("stale", {
    what: `The plan for ${formatName(shown.name)} that was shown no longer holds: the server or the files changed meanwhile.`,
    why: "Nothing was sent to it.",
    fix: "Run gate-sync apply again and look at the new plan.",
  });
}

function notInSync(name: string): RunError {
  return new RunError("failed", {
    what: `${formatName(name)} is not in sync after it was applied.`,
    why: "All requests were answered as done, and what a new plan finds is above. No further wave is applied.",
    fix: "Find out who else writes there, then run gate-sync apply again.",
  });
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
  const env = { ...check.env, GATE_SYNC_WAVE: name, GATE_SYNC_TARGETS: targets.join(" ") };
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
