import { dialectFor } from "../../../src/dialects/index.ts";
import { type Change, isPending } from "../../../src/model/change.ts";
import { usualBodyLimit } from "../../../src/plan/body-limit.ts";
import type { Judged } from "../../../src/plan/guards/guard.ts";
import { poisoned } from "../../../src/plan/guards/poisoned.ts";

/** What a guard is told of these changes, on a server that holds nothing unless said otherwise. */
export function judged(changes: readonly Change[], more: Partial<Judged> = {}): Judged {
  const dialect = more.dialect ?? dialectFor("search-guard", "7");
  const live = more.live ?? { resources: new Map(), paths: new Map() };
  const pending = changes.filter(isPending);
  const treatment = poisoned(pending, live, dialect);
  return {
    changes,
    pending,
    live,
    policies: {},
    protect: [],
    dialect,
    operations: [],
    order: { faults: [] },
    treatment,
    bodyLimit: usualBodyLimit,
    ...more,
  };
}
