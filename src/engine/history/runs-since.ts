import { readRuns } from "../../artifacts/journal/file.ts";
import type { KnownRun, UnreadableRun } from "../../artifacts/journal/known-run.ts";
import { mayBeSameCluster } from "../../artifacts/same-cluster.ts";
import { RunError } from "../../diagnostics/failure.ts";
import type { Artifact, RecordedTarget } from "../../model/artifact.ts";
import { type Address, createAddress } from "../../model/names.ts";
import type { SavedPlan } from "../../model/plan-file.ts";
import type { PlanRequest } from "../pipeline/context.ts";

/** The run that applied a saved plan. */
export interface RecordedRun {
  readonly time: string;
  /** No later run is on record. */
  readonly isNewest: boolean;
}

/**
 * The last run on record that did all of a saved plan.
 *
 * @param cluster the one that it is about to be applied to
 * @returns `undefined`: there are records of the cluster, and none is of this plan; `none`: there are no records of it
 * @throws RunError `stale` where a run after it wrote to an address of the plan, or may have
 */
export async function findRunOfPlan(
  { body, at = "" }: Artifact<SavedPlan>,
  cluster: Pick<RecordedTarget, "url" | "server">,
  { stateDir, env }: Pick<PlanRequest, "stateDir" | "env">,
): Promise<RecordedRun | "none" | undefined> {
  if (stateDir === undefined) return "none";
  const addresses = body.changes.map(({ family, name }) => createAddress(family, name));
  let [isNewest, later] = [true, undefined as LaterRun | undefined];
  for await (const run of readRuns(stateDir, (target) => mayBeSameCluster(target, cluster), env)) {
    if (isRunOf(run, body.fingerprint, at)) {
      const { time } = run.begin;
      const isWhole = [...run.changeOutcomes.values()].every(({ kind }) => kind === "done");
      if (later && addresses.some((address) => mayHaveWritten(run, address))) {
        throw createStaleMessage(later, isWhole ? time : `${time}, in part`);
      }
      // One that stopped part-way applied nothing that could be called this plan.
      if (isWhole) return { time, isNewest };
    }
    isNewest = false;
    const written = run.plan ? addresses.filter((address) => mayHaveWritten(run, address)) : addresses;
    if (written.length > 0) later ??= { run, written };
  }
  return isNewest ? "none" : undefined;
}

interface LaterRun {
  readonly run: KnownRun | UnreadableRun;
  readonly written: readonly Address[];
}

/**
 * By when its plan file was made: clocks of machines differ. Of an equal plan, which may have been applied and undone before this one was
 * made, the clocks say which of them that was.
 */
function isRunOf(run: KnownRun | UnreadableRun, fingerprint: string, at: string): run is KnownRun {
  if (!run.plan || run.plan.fingerprint !== fingerprint || run.begin.command !== "apply") return false;
  if (run.plan.planned !== at && run.time <= at) return false;
  return run.changeOutcomes.size > 0;
}

function mayHaveWritten({ changeOutcomes }: KnownRun, address: Address): boolean {
  const kind = changeOutcomes.get(address)?.kind;
  return kind === "done" || kind === "in-part" || kind === "unknown";
}

function createStaleMessage({ run: { plan, begin, name }, written }: LaterRun, applied: string): RunError {
  const what = plan
    ? `The reviewed plan is stale: after it was applied, a later run of ${begin.command} wrote to ${written.join(", ")}.`
    : `The reviewed plan is stale: after it was applied there was a later run of ${begin.command}, and what it wrote is unknown.`;
  const seen = plan ? "" : ` The journal ${name} cannot be read.`;
  return new RunError("stale", {
    what,
    why: `It was applied at ${applied}; the later run began at ${begin.time}.${seen} Nothing was sent.`,
    fix: "Run gate-sync plan --out again, and have the new plan reviewed.",
  });
}
