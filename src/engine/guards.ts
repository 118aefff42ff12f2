import type { ListedGuard } from "../model/guard.ts";
import { guards } from "../plan/guards/index.ts";
import { isLiftable } from "../plan/guards/rules.ts";

/** Every guard, in the order in which they are told. */
export function listGuards(): readonly ListedGuard[] {
  return guards.map(({ rule, refuses, byDefault, setBy }) => ({
    rule,
    refuses,
    default: byDefault,
    set_by: setBy,
    liftable: isLiftable(rule),
  }));
}
