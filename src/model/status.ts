import type { Message } from "../diagnostics/failure.ts";
import type { RunBeginning } from "./journal.ts";
import type { Address } from "./names.ts";
import type { ChangeOutcomeKind } from "./outcome.ts";
import type { TargetSummary } from "./plan.ts";

/**
 * What the server now holds in a place that a run was about to change: `as-wanted` what the run wanted, `as-before` what the
 * run was made from, `in-part` what one of its requests left for later ones, `otherwise` none of these, `unknown` where only a secret or a license could differ, `not-read` where the
 * server was not or could not be asked.
 */
export type LiveMatch = "as-wanted" | "as-before" | "in-part" | "otherwise" | "unknown" | "not-read";

export interface UnfinishedEntry {
  readonly address: Address;
  /** As the journal has it; never `done`. */
  readonly outcome: ChangeOutcomeKind;
  readonly detail?: string;
  readonly found: LiveMatch;
  /** The run was to write the password of a user that was there: only another run with `--rotate` does that. */
  readonly rotates?: true;
}

/** The first line of a journal. */
export interface BegunRun {
  /** Of the journal. */
  readonly journal: string;
  readonly command: RunBeginning["command"];
  readonly run: string;
  readonly identity?: string;
  /** ISO 8601, UTC. */
  readonly began: string;
}

/** What is known of the last run on a target. */
export interface LastRun extends BegunRun {
  readonly fingerprint: string;
  readonly backup?: string;
  /** The plan was a reviewed one, from a file. */
  readonly reviewed: boolean;
  /** When the last that is known of it was written: ISO 8601, UTC. */
  readonly last: string;
  readonly ending: "ended" | "interrupted" | "killed";
  readonly counts: readonly (readonly [ChangeOutcomeKind, number])[];
}

export interface Status {
  readonly target: Pick<TargetSummary, "name" | "url">;
  /** A path relative to the current folder. */
  readonly stateDir: string;
  /** Absent where no journal of the target is there, or the newest one cannot be read. */
  readonly run?: LastRun;
  /** The last run, where no more can be read of it than that it began and went on. */
  readonly unreadable?: BegunRun;
  /** In the order of the run's requests. */
  readonly unfinished: readonly UnfinishedEntry[];
  /** Why the server could not be asked. */
  readonly unread?: Message;
  readonly notes: readonly string[];
}

/** Whether something is left to be done or found out. */
export function isUnfinished({ unfinished, unreadable }: Pick<Status, "unfinished" | "unreadable">): boolean {
  return unreadable !== undefined || unfinished.some(({ found }) => found !== "as-wanted");
}
