import type { Operation } from "./operation.ts";
import type { Plan } from "./plan.ts";

export type OutcomeKind = "done" | "failed" | "unknown" | "not-attempted";

/** What became of one operation. */
export interface Outcome {
  readonly operation: Operation;
  readonly kind: OutcomeKind;
  /** HTTP status of the last answer, where there was one. */
  readonly status?: number;
  readonly milliseconds?: number;
  /** For people: what the server said, what was found on reading back. */
  readonly detail?: string;
}

export interface Report {
  readonly plan: Plan;
  readonly outcomes: readonly Outcome[];
  /** Whether reading back found every changed family as desired; absent where nothing was read back. */
  readonly verified?: boolean;
  /** Addresses that still differ after reading back. */
  readonly differing: readonly string[];
}
