import { perform } from "../apply/perform.ts";
import type { Clock, Progress, Server } from "../apply/ports.ts";
import { isSameCluster } from "../artifacts/same-cluster.ts";
import { RunError } from "../diagnostics/failure.ts";
import { encodeCanonical } from "../json/canonical.ts";
import { type Edit, findEdits } from "../json/patch.ts";
import { isEqual, type Value } from "../json/value.ts";
import { findDegraded } from "../live/degraded.ts";
import { explainOutcome } from "../live/explained.ts";
import { placeRefusals } from "../live/placed-refusals.ts";
import { type Change, isPending } from "../model/change.ts";
import { type Address, createAddress, isResourceFamily, type ResourceFamily } from "../model/names.ts";
import { type Operation, withoutTests } from "../model/operation.ts";
import type { Outcome, Report } from "../model/outcome.ts";
import type { Plan } from "../model/plan.ts";
import type { ReadPort, WritePort } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import type { DecidedPlan } from "../plan/decided-plan.ts";
import { systemClock } from "./clock.ts";
import { findStillDiffering, look } from "./read-back.ts";

/**
 * Runs exactly the operations of the plan, one after the other, and reads back what came of it.
 *
 * @param clock the machine's own, but in tests, which do not wait
 */
export async function apply(
  planned: DecidedPlan,
  connect: (target: Target) => WritePort,
  progress: Progress,
  clock: Clock = systemClock,
): Promise<Report> {
  const { plan } = planned;
  refuseUnlessApplicable(plan);
  const port = connect(targetOf(planned));
  try {
    const outcomes = await runOperations(plan.operations, serverOf(planned, port), progress, clock);
    return { plan, outcomes, ...(await readBack(outcomes, planned, port)) };
  } finally {
    await port.close();
  }
}

/** One operation after the other, in the plan's order; the first that is not done, or not in effect, ends the run. */
async function runOperations(
  operations: readonly Operation[],
  server: Server,
  progress: Progress,
  clock: Clock,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let going = true;
  for (const operation of operations) {
    going &&= !progress.stopped();
    if (!going) {
      outcomes.push({ operation, kind: "not-attempted" });
      continue;
    }
    progress.starting?.(operation, outcomes.length, operations.length);
    const outcome = await perform(operation, server, progress, clock);
    await progress.settled(outcome, outcomes.length, operations.length);
    outcomes.push(outcome);
    going = outcome.kind === "done" && outcome.cause === undefined;
  }
  return outcomes;
}

/**
 * Asks `GET /` before a backup is kept: where a target has several URLs, another one may answer now than when the plan
 * was made.
 *
 * @throws RunError `usage` where that URL is of another cluster
 */
export async function confirmCluster(planned: DecidedPlan, connect: (target: Target) => ReadPort): Promise<void> {
  if (planned.target.otherUrls === undefined || planned.plan.operations.length === 0) return;
  const port = connect(targetOf(planned));
  try {
    await port.get("/");
  } finally {
    await port.close();
  }
}

function targetOf({ plan, target }: DecidedPlan): Target {
  const { product, release, clusterName, clusterUuid } = plan.target.server;
  const cluster = {
    ...(clusterName !== undefined && { clusterName }),
    ...(clusterUuid !== undefined && { clusterUuid }),
  };
  return { ...target, product, release, cluster };
}

/** Milliseconds in which an ordinary write has long been answered. */
const defaultPatience = 600_000;

/** Factor on estimates: they are measured on one machine and may be wrong on another. */
const allowance = 3;

function serverOf(planned: DecidedPlan, port: WritePort): Server {
  const { plan, desired, target, detected } = planned;
  const patience = ({ estimate = 0 }: Operation) => (target.timeouts?.write ?? defaultPatience) + allowance * estimate;
  return {
    send: (operation) => port.send(operation, { timeout: patience(operation) }),
    look: (operation) => look(operation, planned, port),
    reported: (answer, operation) => explainOutcome(answer, operation, detected.dialect),
    placed: (answer, operation) => placeRefusals(answer, operation, desired),
    degradation: (operation) =>
      findDegraded(operation, { operations: plan.operations, dialect: detected.dialect }, port),
    patience,
    losesWrites: detected.dialect.losesWrites,
  };
}

async function readBack(
  outcomes: readonly Outcome[],
  planned: DecidedPlan,
  reader: ReadPort,
): Promise<Pick<Report, "verified" | "differing">> {
  const done = outcomes
    .filter(({ kind, cause }) => kind === "done" && cause === undefined)
    .map(({ operation }) => operation);
  if (done.length === 0 || done.length < outcomes.length) return { differing: [] };
  try {
    const differing = await findStillDiffering(done, planned, reader);
    return { verified: differing.length === 0, differing };
  } catch {
    return { differing: [] };
  }
}

export function refuseSnapshot(): RunError {
  return new RunError("usage", {
    what: "A plan against a snapshot cannot be applied.",
    why: "A snapshot says what the server held once, not what it holds now.",
    fix: "Plan against the server: leave --live out.",
  });
}

function refuseUnlessApplicable({ target, violations }: Plan): void {
  if (target.snapshot) throw refuseSnapshot();
  if (violations.length > 0) {
    throw new RunError("refused", { what: "A guard refuses this plan.", why: "Nothing was sent." });
  }
}

/**
 * True when the plan that was shown still holds: the same requests to the same cluster, for the same reason. A live
 * value that changed meanwhile may lead to the same request, but overwriting it was not agreed to.
 */
export function isSamePlan(a: Plan, b: Plan): boolean {
  return isSameCluster(a.target, b.target) && encodeCanonical(essence(a)) === encodeCanonical(essence(b));
}

/** In what two plans differ, by address and field; names of fields only, as their values may be secrets. */
export function listMoved(shown: Pick<Plan, "changes">, now: Pick<Plan, "changes">): readonly string[] {
  const [then, today] = [shown, now].map(({ changes }) => listByAddress(changes));
  const addresses = [...new Set([...(then?.keys() ?? []), ...(today?.keys() ?? [])])];
  const moved = addresses.flatMap((address) => {
    const [before, after] = [then?.get(address), today?.get(address)];
    if (!before) return [`${address} would be changed, too`];
    if (!after) return [`${address} is not to be changed any more`];
    const edits = after.edits.filter((one) => !before.edits.some((other) => isEqualEdit(one, other)));
    const paths = [...findEdits(before.before ?? {}, after.before ?? {}), ...edits].map(({ path }) => path.join("."));
    return paths.length === 0 ? [] : [`${address} (${[...new Set(paths)].join(", ")})`];
  });
  return moved.length > 0
    ? moved
    : ["the requests that this server needs, who gains or loses access by them, or what refuses them"];
}

function listByAddress(changes: readonly Change[]): ReadonlyMap<Address, Change> {
  return new Map(changes.filter(isPending).map((change) => [createAddress(change.family, change.name), change]));
}

function isEqualEdit(one: Edit, other: Edit): boolean {
  return one.path.join("/") === other.path.join("/") && isEqual(one.after, other.after);
}

function essence({ operations, changes, violations }: Plan): Value {
  return [
    violations.map(({ rule, addresses }) => ({ rule, addresses })),
    operations.map(withoutTests).map(({ method, path, body }) => ({ method, path, body: body ?? null })),
    changes.filter(isPending).map(({ family, name, before }) => ({ family, name, before: before ?? null })),
  ];
}

/** The families whose PATCH the server answered with 405, having changed nothing: they go by PUT and DELETE. */
export function listRefusedPatches({ outcomes }: Report): readonly ResourceFamily[] {
  return outcomes
    .filter(({ operation, kind, status }) => kind === "failed" && status === 405 && operation.method === "PATCH")
    .map(({ operation }) => operation.family)
    .filter(isResourceFamily);
}
