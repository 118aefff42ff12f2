import type { Operation } from "../model/operation.ts";
import type { Outcome } from "../model/outcome.ts";
import { perform, type Server } from "./perform.ts";

export interface Progress {
  /** An operation has its outcome. */
  readonly settled: (outcome: Outcome, index: number, total: number) => void;
  /** True once the user asked to stop: the request in flight is finished, no other is begun. */
  readonly stopped: () => boolean;
}

/** One operation after the other, in the plan's order; the first that is not done ends the run. */
export async function runOperations(
  operations: readonly Operation[],
  server: Server,
  progress: Progress,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let going = true;
  for (const operation of operations) {
    going &&= !progress.stopped();
    if (!going) {
      outcomes.push({ operation, kind: "not-attempted" });
      continue;
    }
    const outcome = await perform(operation, server);
    progress.settled(outcome, outcomes.length, operations.length);
    outcomes.push(outcome);
    going = outcome.kind === "done";
  }
  return outcomes;
}
