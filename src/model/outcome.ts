import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Operation } from "./operation.ts";
import type { Plan } from "./plan.ts";

export type OutcomeKind = "done" | "failed" | "unknown" | "not-attempted";

/** Of a change; `in-part`: of several requests that make it some are done, and the others were not attempted. */
export type ChangeOutcomeKind = OutcomeKind | "in-part";

/** What became of one operation. */
export interface Outcome {
  readonly operation: Operation;
  readonly kind: OutcomeKind;
  /** HTTP status of the last answer, where there was one. */
  readonly status?: number;
  readonly milliseconds?: number;
  /** For people: the server's message, and what reading back showed. */
  readonly detail?: string;
  /** `stale`: the server had changed since the plan was made. `not-in-effect`: stored, but the server's nodes cannot load it. */
  readonly cause?: "stale" | "not-in-effect";
  /** What the server objected to, where the files ask for it. */
  readonly diagnostics?: readonly Diagnostic[];
}

export interface Report {
  readonly plan: Plan;
  readonly outcomes: readonly Outcome[];
  /** Whether reading back found every changed family as desired; absent where nothing was read back. */
  readonly verified?: boolean;
  /** Where what was there before is kept; absent where nothing was to be written, or no backup was requested. */
  readonly backup?: KeptBackup;
  /** What finishes a run that stopped part-way; absent: `gate-sync apply`. */
  readonly again?: Again;
  /** Addresses that still differ after reading back. */
  readonly differing: readonly string[];
}

export interface Again {
  readonly command: string;
  /** It carries out one plan and no other, so that once part of that is done another plan is needed. */
  readonly reviewed: boolean;
}

export interface KeptBackup {
  readonly name: string;
  /** A path relative to the folder where the run was started. */
  readonly folder: string;
  /** The command line that undoes the run. */
  readonly undo: string;
}

/** Why what is stored is not in effect. */
export interface Degradation {
  readonly why: string;
  /** A later operation of the plan removes the cause. */
  readonly repairedLater: boolean;
}
