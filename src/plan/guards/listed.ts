import { guards } from "./index.ts";

/** Every guard, in the order in which violations are shown. */
export function listGuards(): readonly ListedGuard[] {
  return guards.map(({ rule, refuses, why, fix, byDefault, setBy, isWaivable }) => ({
    rule,
    refuses,
    why,
    fix,
    default: byDefault,
    set_by: setBy,
    waivable: isWaivable,
  }));
}

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
}
