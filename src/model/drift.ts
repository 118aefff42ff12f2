import type { Change } from "./change.ts";
import type { Plan } from "./plan.ts";

/**
 * Who moved since the baseline: `git` (the server still holds what was declared then), `live` (what is declared is what
 * was declared then), `both`; `unknown` where there is no baseline, or where comparing is not possible.
 */
export type DriftSide = "git" | "live" | "both" | "unknown";

/** One resource or single document that is not as it is declared. */
export interface DriftDifference {
  /** From live to desired, as the plan has it. */
  readonly change: Change;
  readonly moved: DriftSide;
  /** False for what gate-sync only observes or must not write: it is reported, and the exit code ignores it. */
  readonly counts: boolean;
  /**
   * Of the lines that declare what differs, else of the entry; absent without git, where one of these lines is not
   * committed, and for what nothing declares.
   */
  readonly author?: Author;
}

/** Who changed lines last. */
export interface Author {
  readonly name: string;
  /** The whole hash. */
  readonly commit: string;
}

/** The state that is taken for applied: that of a commit, of a reviewed plan, or of the runs that are on record. */
export type Baseline =
  | {
      readonly kind: "commit";
      /** As it was named. */
      readonly ref: string;
      /** The whole hash. */
      readonly commit: string;
    }
  | { readonly kind: "plan-file"; readonly path: string; readonly fingerprint: string }
  | {
      readonly kind: "journal";
      /** The name of the newest. */
      readonly journal: string;
      readonly run: string;
      /** When that run began: ISO 8601, UTC. */
      readonly time: string;
      /** How many runs before it say what was declared of something that differs; absent: none. */
      readonly older?: number;
    };

export interface DriftReport {
  readonly target: Plan["target"];
  readonly baseline?: Baseline;
  /** In the order of the plan: by family, then name. */
  readonly differences: readonly DriftDifference[];
  /** Of the whole plan, what is as declared and what is left alone too. */
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
  /** Of a run that asks for them: every key of the server. */
  readonly apiKeys?: readonly ListedApiKey[];
  /** How many families ceased to be managed; `notes` name them. */
  readonly ceased?: number;
}

/** An API key as drift lists it. */
export interface ListedApiKey {
  readonly name: string;
  /** `works`: requests with it are answered. `asleep`: they will be once keys are on. `unknown`: whether they are on is. */
  readonly state: "works" | "asleep" | "unknown" | "revoked" | "expired";
  /** By `api_keys` of the target. */
  readonly isNamed: boolean;
  readonly createdBy?: string;
}

/** Whether it may log in, now or once keys are on, and nobody has named it. */
export function isUnnamed({ state, isNamed }: ListedApiKey): boolean {
  return !isNamed && state !== "revoked" && state !== "expired";
}

/** Whether a run ends as failed: git alone is no drift, as the next apply is for that. */
export function isDrift({ moved, counts }: Pick<DriftDifference, "moved" | "counts">): boolean {
  return counts && moved !== "git";
}
