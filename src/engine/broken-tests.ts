import type { AccessModel } from "../access/model.ts";
import type { ChainStep, Places } from "../access/questions/steps.ts";
import type { Contradiction, TestedAccess } from "../access/questions/tested.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { compareByCodeUnit } from "../json/canonical.ts";
import type { AccessTest } from "../model/access-test.ts";
import type { Change } from "../model/change.ts";
import { type Address, createAddress } from "../model/names.ts";
import type { Persona } from "../model/persona.ts";
import type { ReadPort } from "../model/ports.ts";
import type { AccessStates, EvaluatedTests, Finding } from "../plan/guards/guard.ts";
import { formatContradiction, formatContradictionReason, formatTestPlace } from "../render/access-test-words.ts";
import { getReadableConfig } from "./access/open.ts";
import { evaluateTests } from "./access/tests.ts";
import { type AccessDecision, buildAccessStates, formatUnread, grantsAccess, touchesAccess } from "./access-changes.ts";

/** What a repository expects of whoever it is about. */
export interface Expectations {
  readonly tests: readonly AccessTest[];
  readonly personas: ReadonlyMap<string, Persona>;
}

/** Both sides of a plan, where it changes who may do what or tests ask about that. */
export async function findTestedStates(
  deciding: AccessDecision,
  expected: Expectations | undefined,
  reader: ReadPort,
  withoutAccess = false,
): Promise<AccessStates | undefined> {
  const areTested = (expected?.tests.length ?? 0) > 0;
  const isAsked = areTested || touchedBy(deciding.changes, withoutAccess);
  if (!isAsked) return undefined;
  // How requests are judged depends on it; a reviewed plan reads it as well, whatever it changes.
  const config = deciding.live.config ?? (await getReadableConfig(reader, deciding.dialect));
  return buildAccessStates(
    { ...deciding, live: { ...deciding.live, ...(config && { config }) } },
    reader,
    areTested || !withoutAccess,
  );
}

/** Who comes to administer is to be known, whatever else is not. */
function touchedBy(changes: readonly Change[], withoutAccess: boolean): boolean {
  return withoutAccess ? grantsAccess(changes) : touchesAccess(changes);
}

/** The access tests, judged on what the server holds once a plan is done; undefined where there are none. */
export function findBrokenTests(
  { tests, personas }: Expectations,
  statePair: AccessStates,
  dialect: Dialect,
  places: Places,
): EvaluatedTests | undefined {
  if (tests.length === 0) return undefined;
  if ("unread" in statePair) {
    const what = `The access tests are unknown: ${formatUnread(statePair.unread)} may not be read.`;
    return { count: tests.length, findings: [{ rule: "access-tests", what, addresses: [] }] };
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

function findingOf(result: TestedAccess, places: Places, isOld: boolean): Finding {
  const { title, findings } = result;
  const [first] = findings;
  const explained = first ? `: ${formatContradiction(first)}${more(findings.length - 1)}` : "";
  const reason = first && formatContradictionReason(first, places);
  const why = [
    ...(reason === undefined ? [] : [`${reason}.`]),
    ...(isOld ? ["It fails on what the server holds now, too."] : []),
  ];
  return {
    rule: "access-tests",
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
