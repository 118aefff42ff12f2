import type { AccessDifferences } from "../../model/access.ts";
import type { Expectations } from "../../model/access-test.ts";
import type { Change } from "../../model/change.ts";
import { createAddress } from "../../model/names.ts";
import type { Marks } from "../../model/since.ts";
import type { AccessStates } from "../../plan/guards/guard.ts";
import { type Doing, findMarks } from "../history/marks.ts";
import { type AgainstBase, type EvaluatedBase, evaluateBase, listComparable } from "../protection/against-base.ts";
import { findAccessChanges, findConfigAccess } from "./access-diff.ts";
import { touchesAccess } from "./access-states.ts";
import type { PlanContext } from "./context.ts";

interface AccessDiffed {
  readonly changes: readonly Change[];
  readonly access: AccessStates | undefined;
  readonly personas: Expectations["personas"] | undefined;
}

export function findAccessDiff(
  context: PlanContext,
  { changes, access, personas }: AccessDiffed,
): AccessDifferences | undefined {
  if (!access || context.request.withoutAccess || !touchesAccess(changes)) return undefined;
  return findAccessChanges(access, personas, undefined, findConfigAccess(context, changes, access));
}

/** Tests that the commit to compare with has are asked, too. */
export function withLostTests(
  expected: Expectations | undefined,
  against: readonly AgainstBase[],
): Expectations | undefined {
  const lost = against.flatMap((one) => one.lost.map(({ test }) => test));
  if (lost.length === 0) return expected;
  const { tests = [], personas = new Map() } = expected ?? {};
  return { tests: [...tests, ...lost], personas };
}

export function findAgainstBase(
  against: AgainstBase,
  { files, target, live }: PlanContext,
  changes: readonly Change[],
  access: AccessStates | undefined,
): EvaluatedBase | undefined {
  if (!files) return undefined;
  return evaluateBase(against, { files, target, changes, live, access });
}

/** Absent where nothing of the base says whose a change is. */
export function findChangeMarks(context: PlanContext, now: Doing, against: readonly AgainstBase[]): Marks | undefined {
  const { request, only } = context;
  const own = listComparable(against);
  if (own.length === 0) return undefined;
  const then = own.map(({ base: { target }, plan: { files, changes, access } }) => ({
    changes: changes.filter(
      ({ family, name }) =>
        (request.families?.includes(family) ?? true) && (only?.has(createAddress(family, name)) ?? true),
    ),
    access: findAccessDiff({ ...context, target }, { changes, access, personas: files.personas }),
  }));
  return findMarks(now, then);
}
