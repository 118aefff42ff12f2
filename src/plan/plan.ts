import { nounOf } from "../families/index.ts";
import { type Change, isPending } from "../model/change.ts";
import type { LiveState } from "../model/live.ts";
import type { Operation } from "../model/operation.ts";
import type { Violation } from "../model/plan.ts";
import type { Policies } from "../model/policy.ts";
import { danglingNotes } from "./dangling.ts";
import { configFaithful, configWrites } from "./guards/config-writes.ts";
import { deletions, isAllowed } from "./guards/deletions.ts";
import { operationsFor, type WireContext } from "./operations.ts";
import { stages } from "./order.ts";
import { undocumentedFields } from "./undocumented.ts";

export interface PlanInput {
  readonly changes: readonly Change[];
  readonly live: LiveState;
  readonly policies: Policies;
  /** Rules lifted for this run: `deletions`, `deletions=roles`. */
  readonly allowed: readonly string[];
  readonly wire: WireContext;
  /** Whether the server lets its config be changed; undefined where only trying would tell. */
  readonly configWritable?: boolean | undefined;
}

export interface Planned {
  readonly operations: readonly Operation[];
  readonly violations: readonly Violation[];
  readonly notes: readonly string[];
}

/** Changes to the fewest operations, in an order that is safe, and what speaks against sending them. */
export function planChanges({ changes, live, policies, allowed, wire, configWritable }: PlanInput): Planned {
  const pending = changes.filter(isPending);
  const operations = stages(pending).flatMap(({ family, reason }) =>
    operationsFor(
      pending.filter((change) => change.family === family),
      wire,
    ).map((operation) => (reason === undefined ? operation : { ...operation, reason })),
  );
  const violations = [
    ...configWrites(pending, wire.dialect.config, configWritable),
    ...configFaithful(pending, live.config),
    ...deletions(changes, policies),
  ];
  return {
    operations,
    violations: violations.filter((violation) => !isAllowed(violation, allowed)),
    notes: [
      ...violations.filter((violation) => isAllowed(violation, allowed)).map(allowedNote),
      ...danglingNotes(changes, live),
      ...undocumentedFields(pending, wire.dialect),
    ],
  };
}

function allowedNote({ family, names }: Violation): string {
  const several = family ? nounOf(family, names.length) : "resources";
  return `Allowed for this run: the deletion of ${names.length} ${several} (--allow).`;
}
