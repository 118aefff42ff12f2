import { listChangedNames } from "../access/compare/touched.ts";
import type { ChainStep, Places } from "../access/explain/grant-path.ts";
import { type AccessModel, createAccessModel } from "../access/model/access-model.ts";
import { type AccessState, getHeldEntries, type HeldEntries } from "../access/model/state.ts";
import { withChangedUsers } from "../access/model/users.ts";
import type { Contradiction, TestedAccess } from "../access/questions/tested.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { getNoun } from "../families/index.ts";
import { compareByCodeUnit } from "../json/canonical.ts";
import type { AccessTest, Expectations } from "../model/access-test.ts";
import { type Address, createAddress, type ResourceFamily } from "../model/names.ts";
import type { AccessStates, BrokenTest, EvaluatedTests, KnownAccess } from "../plan/guards/guard.ts";
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
    return { count: tests.length, findings: [{ what, addresses: [], contradictions: [] }] };
  }
  const evaluated = (some: readonly AccessTest[], model: AccessModel): readonly TestedAccess[] =>
    evaluateTests(some, { model, release: dialect.release, personas, places });
  const failed = evaluated(tests, askedOf(statePair.after)).filter(({ passes }) => !passes);
  const failedTests = failed.map(({ test }) => test);
  const failing = (model: AccessModel): ReadonlySet<AccessTest> =>
    new Set(evaluated(failedTests, model).flatMap(({ test, passes }) => (passes ? [] : [test])));
  const old = failing(askedOf(statePair.before));
  const undone = old.size < failed.length ? listUndone(statePair) : [];
  const failingWithout = undone.map(({ entry, model }) => ({ entry, still: failing(model) }));
  return {
    count: tests.length,
    findings: failed.map((result) => {
      const { test } = result;
      const causes = old.has(test) ? [] : failingWithout.filter(({ still }) => !still.has(test));
      return findingOf(
        result,
        places,
        old.has(test),
        causes.map(({ entry }) => entry),
      );
    }),
  };
}

/** Of more changes than these it is not tried what each of them does to the tests. */
const mostUndone = 50;

interface ChangedEntry {
  readonly family: ResourceFamily;
  readonly name: string;
}

/** What the plan leads to without one of its changes, for each of them; none where there are too many. */
function listUndone({
  before,
  after,
}: KnownAccess): readonly { readonly entry: ChangedEntry; readonly model: AccessModel }[] {
  const changes = listed.flatMap((family) => {
    const [was, is] = [before, after].map(({ state }) => getHeldEntries(state, family)) as [HeldEntries, HeldEntries];
    return listChangedNames(was, is).map((name) => ({ family, name, was, is }));
  });
  if (changes.length > mostUndone) return [];
  return changes.map(({ family, name, was, is }) => {
    const held = new Map(is);
    const old = was.get(name);
    if (old) held.set(name, old);
    else held.delete(name);
    return { entry: { family, name }, model: askedOf(createAccessModel(withEntries(after.state, family, held))) };
  });
}

const listed = ["blocks", "roles", "role_mappings", "action_groups", "tenants", "internal_users"] as const;

function withEntries(state: AccessState, family: (typeof listed)[number], held: HeldEntries): AccessState {
  if (family === "internal_users") return { ...state, changedUsers: { names: new Set(), ...state.changedUsers, held } };
  const parts = { role_mappings: "mappings", action_groups: "groups" } as const;
  return { ...state, [family in parts ? parts[family as keyof typeof parts] : family]: held };
}

function askedOf(model: AccessModel): AccessModel {
  return model.state.changedUsers ? createAccessModel(withChangedUsers(model.state)) : model;
}

/** @param causes changes without each of which the test passes */
function findingOf(result: TestedAccess, places: Places, isOld: boolean, causes: readonly ChangedEntry[]): BrokenTest {
  const { title, findings, test } = result;
  const [first] = findings;
  const explained = first ? `: ${formatContradiction(first)}${more(findings.length - 1)}` : "";
  const reason = first && formatContradictionReason(first, places);
  const why = [
    ...(reason === undefined ? [] : [`${reason}.`]),
    ...(isOld ? ["It fails on what the server holds now, too."] : []),
    ...(causes.length > 0
      ? [
          `It passes without the change of ${causes.map(({ family, name }) => `${getNoun(family)} ${name}`).join(" or of ")}.`,
        ]
      : []),
  ];
  return {
    what: `The access test "${title}" ${formatTestPlace(result)} fails${explained}.`,
    ...(why.length > 0 && { why: why.join(" ") }),
    addresses:
      causes.length > 0 ? causes.map(({ family, name }) => createAddress(family, name)) : addressesOf(findings),
    tested: { who: [...new Set(findings.map(({ who }) => who))], indices: test.indices },
    origin: test.origin,
    contradictions: findings.map(formatContradiction),
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
