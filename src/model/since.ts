import type { AccessDifferences } from "./access.ts";
import type { Change } from "./change.ts";
import type { Address, Family } from "./names.ts";
import type { Mode } from "./policy.ts";

/** What is declared now, compared with an earlier commit. */
export interface Since {
  /** As it was named. */
  readonly ref: string;
  /** The whole hash. */
  readonly commit: string;
  /** Families that are managed now and were not then, in the order in which families are written. */
  readonly turned: readonly NewlyManaged[];
  /** Families that were managed or adopted then, and that are not declared now or only observed. */
  readonly ceased: readonly Family[];
  /** Of families that were declared then, too; absent where the files of then cannot be read. */
  readonly written?: WrittenSince;
  /** How the secrets of the config were declared, by pointers; absent where it was not, or only observed. */
  readonly references?: ReadonlyMap<string, string>;
  /** Internal users whose hash or password the files write otherwise than then. */
  readonly changedUsers?: readonly string[];
  /** What protected access then and does so less now; absent where the files of then cannot be read, or were not asked for. */
  readonly protection?: readonly WeakenedProtection[];
  /** What of the plan is its own; absent where the files of then cannot be read, or were not asked for. */
  readonly marks?: Marks;
}

/** In the order in which they are shown: what a plan does alone, what it does otherwise than the plan of then, what both do. */
export const marks = ["branch", "both", "pending"] as const;

export type Mark = (typeof marks)[number];

/** A plan laid beside that of the files of then, which is decided against the same live state. */
export interface Marks {
  /** Of what is written; `both`: by different edits, too. */
  readonly entries: ReadonlyMap<Address, Mark>;
  /** What the plan of then does alike: of each entry the edits that both have. */
  readonly pendingBefore: readonly Change[];
  /** What the plan of then does, and this one no more. */
  readonly takenBack: readonly Change[];
  /** Absent where the access diff is. */
  readonly access?: Readonly<Record<Mark, AccessDifferences>>;
}

/** One protection of the files: what it was, what it is, where. */
export interface WeakenedProtection {
  /** As the schemas call it: `access_tests`, `protect`, `families.roles.exclude`. */
  readonly kind: string;
  /** Which of several it is: the name of a test, a folder of `owners`, `GUARD=ADDRESS` of a waiver. */
  readonly name?: string;
  /** `gate-sync.yaml:4:3`, or `access/tests.yaml:2:5 at main` of what is not there any more. */
  readonly place: string;
  /** Null where it was not there. */
  readonly before: string | null;
  /** Null where it is not there any more. */
  readonly after: string | null;
  /** What else there is to know, in a sentence. */
  readonly note?: string;
}

/** Entries by what the files say of them, then and now. */
export interface WrittenSince {
  readonly added: readonly Address[];
  readonly changed: readonly Address[];
  readonly removed: readonly Address[];
}

/**
 * The dangerous change of a family: from now on, what no file declares is deleted. `undeclared`: at the commit no state
 * file of the target declared it, or the target was not there yet.
 */
export interface NewlyManaged {
  readonly family: Family;
  readonly was: Exclude<Mode, "manage"> | "undeclared";
}
