import type { ListedGuard } from "../../model/guard.ts";
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
