import { joinMoved } from "../artifacts/saved-plan/moved.ts";
import { exitCodes, RunError } from "../diagnostics/failure.ts";
import { listMoved } from "../engine/apply.ts";
import { listEdited } from "../engine/expected-fingerprint.ts";
import { openRollout } from "../engine/fleet/waves.ts";
import type { PlanRequest } from "../engine/pipeline/context.ts";
import { plan } from "../engine/plan.ts";
import type { SharedFiles } from "../load/shared-files.ts";
import type { Plan } from "../model/plan.ts";
import { formatName } from "../render/escape.ts";
import { createChangeView } from "../render/views/change.ts";
import {
  createFailedRow,
  createFleetView,
  type FleetResult,
  type FleetRow,
  type FleetShard,
} from "../render/views/fleet.ts";
import { createFailureItem, type FleetItem } from "../render/views/fleet-parts.ts";
import { pluralise } from "../render/views/words.ts";
import { maskRunError } from "../secrets/masked-message.ts";
import type { ApplyFlags } from "./apply-plan.ts";
import { applyWaves, chooseOneToApply, createOutputItem, findEndState, omitAll } from "./apply-waves.ts";
import { carryOutPlan } from "./carry-out.ts";
import { collectOutput } from "./collected-output.ts";
import { listFleet } from "./fleet.ts";
import { type Io, type Output, writeBlocks } from "./io.ts";
import { chooseStyle, readRequestFlags } from "./options.ts";
import { createFleetReports, planEach, refuseOtherFormats, withoutTargets } from "./plan-fleet.ts";
import { createPlanRequest } from "./plan-once.ts";
import { createReadSource } from "./read-source.ts";
import { writeReports } from "./reports.ts";

/** Plans all targets, shows that, asks once, and applies them wave by wave. */
export async function applyFleet(io: Io, state: readonly string[], flags: ApplyFlags): Promise<number> {
  refuseOtherFormats(flags);
  const fleet = await listFleet(io, flags);
  const { names, shard, shared } = fleet;
  const place = { cwd: io.cwd, env: io.env, shared, ...(flags.config !== undefined && { configPath: flags.config }) };
  const rollout = await openRollout(place, names);
  if (shard && rollout.isStaged) throw refuseShardedWaves();
  const planned = await planEach(io, state, flags, fleet, { onlyPlans: false });
  refuseSameUrl(planned);
  const isText = flags.format !== "json";
  const pending = planned.filter(({ row }) => row.state === "changes");
  if (flags.expect !== undefined) refuseOtherPlans(flags.expect, planned);
  const omitted = omitAll(planned, flags);
  const asks = pending.length > 0 && !omitted && !flags.yes && flags.expect === undefined;
  // A user who is asked has seen the plan.
  const isShown = isText ? !flags.quiet || asks : asks && io.interactive;
  if (isShown) await showPlan(isText ? io.stdout : io.stderr, io, flags, planned);
  if (pending.length === 0) return finishFleet(io, flags, shard, planned, isShown);
  if (asks)
    await confirmAll(
      io,
      pending.map(({ row }) => row.name),
    );
  const apply = (before: FleetResult) => applyOne(io, state, { ...flags, shared }, before);
  const results = omitted ?? (await applyWaves(io, flags, { rollout, planned, apply }));
  const known = new Set(planned.flatMap(({ items }) => items));
  // What text has shown already is not repeated.
  const news = ({ row, items }: FleetResult) => ({ row, items: items.filter((item) => !known.has(item)) });
  return finishFleet(io, flags, shard, isText && isShown ? results.map(news) : results, false);
}

async function showPlan(output: Output, io: Io, flags: ApplyFlags, planned: readonly FleetResult[]): Promise<void> {
  const { formatFleetBlocks } = await import("../render/text/fleet.ts");
  await writeBlocks(output, formatFleetBlocks(createFleetView("apply", planned), chooseStyle(output, io, flags)));
  output.write("\n");
}

export async function finishFleet(
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

/** @throws RunError `stale` for other plans than the expected ones */
function refuseOtherPlans(expected: string, planned: readonly FleetResult[]): void {
  const { fingerprint } = createFleetView("apply", planned);
  if (fingerprint === expected) return;
  const unplanned = planned.filter(({ row }) => row.fingerprint === "" && row.state !== "in sync");
  const now = [...new Set([...unplanned, ...planned])].map(describePlan);
  throw new RunError("stale", {
    what: `These are not the expected plans: their fingerprint is ${fingerprint ?? "none, as nothing is to be done"}, not ${expected}.`,
    why: `A server, the files, the choice of targets or GATE_SYNC_PLAN_KEY differ from those of the reviewed plans. The plans of now: ${joinMoved(now)}. Nothing was sent.`,
    fix: "Run gate-sync plan again with the same targets, have the new plans reviewed, and apply with their fingerprint.",
  });
}

function describePlan({ row, items }: FleetResult): string {
  const edited = row.fingerprint === "" ? [row.state] : listEdited(listShownChanges(items));
  const more = edited.length > mostOfEach ? `, and ${edited.length - mostOfEach} more` : "";
  return `${formatName(row.name)}: ${edited.slice(0, mostOfEach).join(", ")}${more}`;
}

/** How many changes of a target a message shows. */
const mostOfEach = 5;

function listShownChanges(items: readonly FleetItem[]) {
  return items.flatMap((item) => (item.kind === "change" ? [item.value] : []));
}

/** Each run would go through the waves by itself: what fails in one would stop no other. */
function refuseShardedWaves(): RunError {
  return new RunError("usage", {
    what: "--shard divides the targets among several runs, and gate-sync.yaml has waves.",
    why: "A wave that fails in one of the runs would stop none of the others. Nothing was sent.",
    fix: "Apply all targets in one run, with --parallel for more at once; plan and drift may be divided.",
  });
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

/** Exactly the plan that was shown, with the records of a run by itself; then a plan that has to find nothing left to do. */
async function applyOne(
  io: Io,
  state: readonly string[],
  flags: ApplyFlags & { readonly shared: SharedFiles },
  { row, items }: FleetResult,
): Promise<FleetResult> {
  const own = chooseOneToApply(flags, row.name);
  const { io: captured, read } = collectOutput(io, row.name);
  try {
    const source = { connect: await createReadSource(captured) };
    const planner = async (request: PlanRequest) => {
      const planned = await plan(request, source);
      if (!request.withoutPatch?.size) refuseOtherPlan(planned.plan, row, items);
      return planned;
    };
    const request = createPlanRequest(captured, state, own, { onlyPlans: false });
    const code = await carryOutPlan(captured, own, request, planner, "apply");
    if (code !== exitCodes.done)
      return {
        row: { ...row, state: findEndState(code), exitCode: code },
        items: [...items, createOutputItem(read())],
      };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return {
      row: { ...createFailedRow(row.name, error), families: row.families },
      items: [...items, createFailureItem(maskRunError(error))],
    };
  }
  // What was rotated would be written again.
  const { rotate: _, ...rest } = flags;
  const [after] = await planEach(io, state, rest, { names: [row.name], shared: flags.shared }, { onlyPlans: false });
  if (after?.row.state === "in sync") return { row: { ...row, state: "applied", exitCode: exitCodes.done }, items };
  return {
    row: { ...row, state: "failed", exitCode: after?.row.exitCode || exitCodes.failed },
    items: [...items, ...(after?.items ?? []), createFailureItem(notInSync(row.name))],
  };
}

function refuseOtherPlan(now: Plan, shown: FleetRow, items: readonly FleetItem[]): void {
  if (now.fingerprint === shown.fingerprint) return;
  const changes = now.changes.map((change) => createChangeView(change));
  throw new RunError("stale", {
    what: `The plan for ${formatName(shown.name)} that was shown no longer holds: the server or the files changed meanwhile.`,
    why: `Changed since: ${joinMoved(listMoved({ changes: listShownChanges(items) }, { changes }))}. Nothing was sent to it.`,
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
