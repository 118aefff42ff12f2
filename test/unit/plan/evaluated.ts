import { createDialect } from "../../../src/dialects/index.ts";
import { type Change, isPending } from "../../../src/model/change.ts";
import { usualBodyLimit } from "../../../src/plan/body-limit.ts";
import type { GuardInput } from "../../../src/plan/guards/guard.ts";
import { evaluateLoadability } from "../../../src/plan/guards/unloadable.ts";

/** What a guard gets of these changes, on a server that holds nothing unless said otherwise. */
export function evaluated(changes: readonly Change[], more: Partial<GuardInput> = {}): GuardInput {
  const dialect = more.dialect ?? createDialect("search-guard", "7");
  const live = more.live ?? { resources: new Map(), paths: new Map() };
  const pending = changes.filter(isPending);
  const loadability = evaluateLoadability(pending, live, dialect);
  return {
    changes,
    pending,
    live,
    policies: {},
    protect: [],
    dialect,
    operations: [],
    order: { faults: [] },
    loadability,
    bodyLimit: usualBodyLimit,
    ...more,
  };
}
