import type { Operation } from "../model/operation.ts";
import type { Outcome } from "../model/outcome.ts";
import { perform } from "./perform.ts";
import type { Clock, Progress, Server } from "./ports.ts";

/** One operation after the other, in the plan's order; the first that is not done, or not in effect, ends the run. */
export async function runOperations(
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
