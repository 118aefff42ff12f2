import { guards } from "./index.ts";

/** Every guard, in the order in which violations are shown. */
export function listGuards(): readonly ListedGuard[] {
  return guards.map(({ rule, refuses, why, fix, byDefault, setBy, waivedFor }) => ({
    rule,
    refuses,
    why,
    fix,
    default: byDefault,
    set_by: setBy,
    waivable: waivedFor !== "nothing",
    ...(waivedFor !== "nothing" && { allow: `${rule}${scopes[waivedFor]}` }),
  }));
}

/** What `--allow` has behind the name of the guard. */
const scopes = { plan: "", family: "=TYPE", address: "=ADDRESS", config: "=config" } as const;

/** A guard as `gate-sync guards` lists it. */
export interface ListedGuard {
  readonly rule: string;
  /** One sentence. */
  readonly refuses: string;
  readonly why: string;
  readonly fix: string;
  readonly default: string;
  /** Where it is set, or why there is nothing to set. */
  readonly set_by: string;
  /** Whether a waiver or `--allow` waives it. */
  readonly waivable: boolean;
  /** The form of `--allow` that fits what it finds: `deletions=TYPE`. */
  readonly allow?: string;
}
