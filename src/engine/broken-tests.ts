import type { AccessModel } from "../access/model.ts";
import type { Places, Step } from "../access/questions/steps.ts";
import type { Contradiction, TestedAccess } from "../access/questions/tested.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { byCodeUnit } from "../json/canonical.ts";
import type { AccessTest } from "../model/access-test.ts";
import type { Change } from "../model/change.ts";
import { type Address, addressOf } from "../model/names.ts";
import type { Persona } from "../model/persona.ts";
import type { ReadPort } from "../model/ports.ts";
import type { Repository } from "../model/repository.ts";
import { accessTestsOf } from "../normalise/access-tests.ts";
import { personasOf } from "../normalise/personas.ts";
import type { AccessAround, Finding, JudgedTests } from "../plan/guards/guard.ts";
import { contradictionWords, reasonWords, testPlace } from "../render/access-test-words.ts";
import { readableConfig } from "./access/open.ts";
import { judgeTests } from "./access/tests.ts";
import { accessAround, type Deciding, grants, touchesAccess, unreadWords } from "./access-changes.ts";

/** What a repository expects of whoever it is about. */
export interface Expectations {
  readonly tests: readonly AccessTest[];
  readonly personas: ReadonlyMap<string, Persona>;
}

export function expectationsOf(repository: Repository): Expectations {
  return { tests: accessTestsOf(repository).tests, personas: personasOf(repository).personas };
}

/** Both sides of a plan, where it changes who may do what or tests ask about that. */
export async function aroundOf(
  deciding: Deciding,
  expected: Expectations | undefined,
  reader: ReadPort,
  withoutAccess = false,
): Promise<AccessAround | undefined> {
  const areTested = (expected?.tests.length ?? 0) > 0;
  const isAsked = areTested || touchedBy(deciding.changes, withoutAccess);
  if (!isAsked) return undefined;
  // How requests are judged depends on it; a reviewed plan reads it as well, whatever it changes.
  const config = deciding.live.config ?? (await readableConfig(reader, deciding.dialect));
  return accessAround(
    { ...deciding, live: { ...deciding.live, ...(config && { config }) } },
    reader,
    areTested || !withoutAccess,
  );
}

/** Who comes to administer is to be known, whatever else is not. */
function touchedBy(changes: readonly Change[], withoutAccess: boolean): boolean {
  return withoutAccess ? grants(changes) : touchesAccess(changes);
}

/** The access tests, judged on what the server holds once a plan is done; undefined where there are none. */
export function brokenTests(
  { tests, personas }: Expectations,
  around: AccessAround,
  dialect: Dialect,
  places: Places,
): JudgedTests | undefined {
  if (tests.length === 0) return undefined;
  if ("unread" in around) {
    const what = `The access tests cannot be judged: ${unreadWords(around.unread)} may not be read.`;
    return { count: tests.length, findings: [{ rule: "access-tests", what, addresses: [] }] };
  }
  const judged = (some: readonly AccessTest[], model: AccessModel): readonly TestedAccess[] =>
    judgeTests(some, { model, release: dialect.release, personas, places });
  const failed = judged(tests, around.after).filter(({ passes }) => !passes);
  const old = judged(
    failed.map(({ test }) => test),
    around.before,
  );
  return {
    count: tests.length,
    findings: failed.map((result, at) => findingOf(result, places, old[at]?.passes === false)),
  };
}

function findingOf(result: TestedAccess, places: Places, isOld: boolean): Finding {
  const { title, findings } = result;
  const [first] = findings;
  const told = first ? `: ${contradictionWords(first)}${more(findings.length - 1)}` : "";
  const reason = first && reasonWords(first, places);
  const why = [
    ...(reason === undefined ? [] : [`${reason}.`]),
    ...(isOld ? ["It fails on what the server holds now, too."] : []),
  ];
  return {
    rule: "access-tests",
    what: `The access test "${title}" ${testPlace(result)} fails${told}.`,
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
  return [...new Set(steps.flatMap(addressOfStep))].toSorted(byCodeUnit);
}

function addressOfStep({ kind, name }: Step): readonly Address[] {
  switch (kind) {
    case "mapping":
      return [addressOf("role_mappings", name)];
    case "role":
      return [addressOf("roles", name)];
    case "group":
      return [addressOf("action_groups", name)];
    default:
      return [];
  }
}
