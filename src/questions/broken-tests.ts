import type { ChainStep, Places } from "../access/explain/grant-path.ts";
import type { AccessModel } from "../access/model/access-model.ts";
import type { Contradiction, TestedAccess } from "../access/questions/tested.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { getNoun } from "../families/index.ts";
import { compareByCodeUnit } from "../json/canonical.ts";
import type { AccessTest, Expectations } from "../model/access-test.ts";
import { type Address, createAddress, type ResourceFamily } from "../model/names.ts";
import type { AccessStates, EvaluatedTests, GuardFinding } from "../plan/guards/guard.ts";
import { formatContradiction, formatContradictionReason, formatTestPlace } from "../render/views/access-tests.ts";
import { evaluateTests } from "./tests.ts";

/** The access tests, evaluated on what the server holds after a plan; undefined where there are none. */
export function findBrokenTests(
  { tests, personas }: Expectations,
  statePair: AccessStates,
  dialect: Dialect,
  places: Places,
): EvaluatedTests | undefined {
  if (tests.length === 0) return undefined;
  if ("unread" in statePair) {
    const what = `The access tests are unknown: ${formatUnread(statePair.unread)} may not be read.`;
    return { count: tests.length, findings: [{ what, addresses: [] }] };
  }
  const evaluated = (some: readonly AccessTest[], model: AccessModel): readonly TestedAccess[] =>
    evaluateTests(some, { model, release: dialect.release, personas, places });
  const failed = evaluated(tests, statePair.after).filter(({ passes }) => !passes);
  const old = evaluated(
    failed.map(({ test }) => test),
    statePair.before,
  );
  return {
    count: tests.length,
    findings: failed.map((result, at) => findingOf(result, places, old[at]?.passes === false)),
  };
}

function findingOf(result: TestedAccess, places: Places, isOld: boolean): GuardFinding {
  const { title, findings } = result;
  const [first] = findings;
  const explained = first ? `: ${formatContradiction(first)}${more(findings.length - 1)}` : "";
  const reason = first && formatContradictionReason(first, places);
  const why = [
    ...(reason === undefined ? [] : [`${reason}.`]),
    ...(isOld ? ["It fails on what the server holds now, too."] : []),
  ];
  return {
    what: `The access test "${title}" ${formatTestPlace(result)} fails${explained}.`,
    ...(why.length > 0 && { why: why.join(" ") }),
    addresses: addressesOf(findings),
  };
}

function more(count: number): string {
  return count === 0 ? "" : `; and ${count} more`;
}

/** What leads to what should not be. */
function addressesOf(findings: readonly Contradiction[]): readonly Address[] {
  const steps = findings.flatMap(({ shares, less }) =>
    less
      ? less.flatMap(({ chain }) => chain)
      : shares.flatMap(({ permissions }) => permissions.flatMap(({ chain = [] }) => chain)),
  );
  return [...new Set(steps.flatMap(addressOfStep))].toSorted(compareByCodeUnit);
}

function addressOfStep({ kind, name }: ChainStep): readonly Address[] {
  switch (kind) {
    case "mapping":
      return [createAddress("role_mappings", name)];
    case "role":
      return [createAddress("roles", name)];
    case "group":
      return [createAddress("action_groups", name)];
    default:
      return [];
  }
}

export function formatUnread(unread: readonly ResourceFamily[]): string {
  return unread.map((family) => getNoun(family, 2)).join(" and ");
}
