import { type Family, singleEntryFamilies } from "./names.ts";

/** `observe`: report only. `adopt`: create and update, never delete. `manage`: delete what is not declared. */
export type Mode = "observe" | "adopt" | "manage";

/** What a target says of one family. */
export interface FamilyPolicy {
  /** Absent: `manage`, but `observe` for a config found in a native file. */
  readonly mode?: Mode;
  /** Name patterns (`*`, `?`) that gate-sync owns; absent: all. */
  readonly include?: readonly string[];
  /** Name patterns that it does not own, whatever `include` says. */
  readonly exclude?: readonly string[];
  /** `write`: entries that their file marks reserved, and that no product ships, are made and changed. Absent: `keep`. */
  readonly reserved?: "keep" | "write";
  readonly deletions?: DeletionLimits;
  readonly changes?: ChangeLimits;
}

/** A plan that changes more than `count` of what is there, or more than `percent` of it, is refused. */
export interface ChangeLimits {
  readonly count?: number;
  readonly percent?: number;
}

/** A plan that deletes more than `count`, or more than `percent` of what it could delete and at least `least`, is refused. */
export interface DeletionLimits {
  readonly count?: number;
  readonly percent?: number;
}

export type Policies = Partial<Readonly<Record<Family, FamilyPolicy>>>;

/**
 * Folders of the product's own files have these, and were never managed by them. Without a mode what is declared of them
 * is compared, and nothing else.
 */
export const optInFamilies = ["internal_users", "nodes_dn", ...singleEntryFamilies] as const;
type OptInFamily = (typeof optInFamilies)[number];

export function isOptIn(family: Family): family is OptInFamily {
  return (optInFamilies as readonly Family[]).includes(family);
}

export function isStated(family: Family, policies: Policies): boolean {
  return !isOptIn(family) || policies[family]?.mode !== undefined;
}

export function getMode(family: Family, policies: Policies = {}): Mode {
  return policies[family]?.mode ?? (isOptIn(family) ? "observe" : "manage");
}
