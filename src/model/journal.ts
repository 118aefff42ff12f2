import type { RecordedTarget } from "./artifact.ts";
import type { Action } from "./change.ts";
import type { Address, Family } from "./names.ts";
import type { OutcomeKind } from "./outcome.ts";
import type { SavedDesired } from "./plan-file.ts";
import type { FamilyPolicy } from "./policy.ts";

/** The body of the first line of a journal: which run it is of. */
export interface RunBeginning {
  /** ISO 8601, UTC; in every record. */
  readonly time: string;
  /** The same as in the User-Agent of its requests. */
  readonly run: string;
  readonly command: "apply" | "rollback";
}

/**
 * A line of a journal after the first: for each plan of the run `plan`, for each request `intention` before it, `answer`
 * after it, and `outcome` once it is known what became of it; at last `end`. A run without an `end` was killed. No record
 * holds a secret: in values `{"$secret": REFERENCE}` replaces each.
 */
export type JournalRecord = PlanRecord | IntentionRecord | AnswerRecord | OutcomeRecord | EndRecord;

/** What the run was about to do. A later plan record of the run replaces it, except for what was done. */
export interface PlanRecord {
  readonly record: "plan";
  readonly time: string;
  readonly fingerprint: string;
  /** When the plan file was made that is applied, by the clock there. */
  readonly planned?: string;
  /** The name of the backup. */
  readonly backup?: string;
  readonly operations: readonly JournaledOperation[];
  readonly changes: readonly JournaledChange[];
  /** What spoke against it, and was waived by `--allow` or a waiver. */
  readonly waived: readonly { readonly rule: string; readonly addresses: readonly Address[] }[];
  /** The families that were declared, those without any entry too. */
  readonly declared: readonly Family[];
  /** Those that earlier runs declared and this one does not, but for those that gate-sync.yaml says to observe. */
  readonly unmanaged?: readonly UnmanagedFamily[];
  /** Users whose password an earlier run was to write, and may not have written. This one does not write it. */
  readonly passwords?: readonly Address[];
  /** Entries of these families that differ and that this run left; where it covers all, or some families, those that nothing declared, too. */
  readonly left?: readonly Address[];
  /** Of families of which it says nothing of all names: those that it was about. */
  readonly names?: Partial<Readonly<Record<Family, Pick<FamilyPolicy, "include" | "exclude">>>>;
  /** What was declared of these families, in canonical form. */
  readonly desired: readonly SavedDesired[];
  readonly scope: JournalScope;
}

/** A family that nothing manages any more. */
export interface UnmanagedFamily {
  readonly family: Family;
  /** When the last run began that declared it: ISO 8601, UTC. */
  readonly since: string;
}

/**
 * What the desired values of a run cover: `all` that the target had; some `families` (`--family`); or the `changes` of a
 * reviewed plan or of a rollback, made when the server had the entries `seen` in the families that it changes. Where it was made of
 * some addresses `only`, it says nothing of others.
 */
export type JournalScope =
  | { readonly of: "all" }
  | { readonly of: "families"; readonly families: readonly Family[] }
  | { readonly of: "changes"; readonly seen: readonly Address[]; readonly only?: readonly Address[] };

export interface JournaledOperation {
  readonly method: "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly addresses: readonly Address[];
}

export interface JournaledChange {
  readonly family: Family;
  readonly name: string;
  readonly action: Action;
  /** Digest of the live value that it was made from, its secrets blanked; absent for what did not exist. */
  readonly before?: string;
  /** Digests of what requests leave of it for later ones, as of `before`; absent where one request makes it. */
  readonly intermediate?: readonly string[];
  /** It writes the password of a user that is there already: no later plan finds that by itself. */
  readonly rotates?: true;
}

export interface IntentionRecord extends JournaledOperation {
  readonly record: "intention";
  readonly time: string;
  readonly run: string;
  /** Of the plan before it, from 1 on. */
  readonly operation: number;
  /** How often it has been sent with this time, from 1 on. */
  readonly attempt: number;
}

/** Of the two, `lost` where no answer came. */
export interface AnswerRecord {
  readonly record: "answer";
  readonly time: string;
  readonly operation: number;
  readonly status?: number;
  readonly lost?: string;
}

export interface OutcomeRecord {
  readonly record: "outcome";
  readonly time: string;
  readonly operation: number;
  readonly outcome: OutcomeKind;
  readonly detail?: string;
}

export interface EndRecord {
  readonly record: "end";
  readonly time: string;
  /** The user interrupted it. */
  readonly interrupted: boolean;
  /** Whether reading back found all as desired; absent where nothing was read back. */
  readonly verified?: boolean;
  /** What was called done and was not there when it was read back. */
  readonly differing: readonly Address[];
}

/** A journal, read as far as it can be. */
export interface Journal {
  /** Of its file, without `.jsonl`. */
  readonly name: string;
  readonly target: RecordedTarget;
  readonly begin: RunBeginning;
  /** After the first line, in the order in which they were written. */
  readonly records: readonly JournalRecord[];
  /** A line before the last cannot be read: what came after it is unknown. */
  readonly damaged: boolean;
}
