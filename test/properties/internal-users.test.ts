// Of internal users, the access diff names what becomes otherwise for them, and questions are answered as the naive evaluator
// answers them: with the roles, backend roles and attributes that they have without any mapping.
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { compareAccess } from "../../src/access/compare/compare.ts";
import { findLimits } from "../../src/access/evaluate/limits.ts";
import { createPermission, evaluatePermission as evaluateModel } from "../../src/access/evaluate/permission.ts";
import { type AccessModel, createAccessModel } from "../../src/access/model/access-model.ts";
import { withInternalUser } from "../../src/access/model/users.ts";
import type { AccessDifferences, Member } from "../../src/model/access.ts";
import { type Random, randomFrom } from "../fixtures/index.ts";
import type { Fixture, Person } from "../support/evaluated.ts";
import { matches } from "../support/evaluator-patterns.ts";
import { modelOfFixture } from "../support/modelled.ts";
import { products, walk } from "./access/fixtures.ts";
import { holds } from "./access/holds.ts";
import { fixtureFor, isOut } from "./access/people.ts";
import { clusterActions, indexActions, indices, kindOf, levelIn, type Seen, seenBy } from "./access/seen.ts";
import { seed, seeds } from "./seed.ts";

/** One that no block names. */
const host = "203.0.113.7";

const sample = seeds(40, 2);

function usersFrom(random: Random): NonNullable<Fixture["users"]> {
  const names = random.some(["u1", "u2", "zz", "eve"], 1, 3);
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        roles: random.some(["r", "s", "gone"], 0, 2),
        backendRoles: random.some(["b1", "b2", "b9"], 0, 2),
        attributes: {},
      },
    ]),
  );
}

const actions = [
  ...clusterActions.map((action) => [action] as const),
  ...indexActions.flatMap((action) => indices.map((index) => [action, index] as const)),
];

/** What is wrong, in lines. */
function broken(before: Fixture, after: Fixture, name: string): readonly string[] {
  // By its name alone: the rest is what the fixture says of it.
  const person: Person = { user: name, backendRoles: [], host: "203.0.113.9" };
  const diff = compareAccess(modelOfFixture(before), modelOfFixture(after));
  const isByBlock = isOut(fixtureFor(before, person), person) !== isOut(fixtureFor(after, person), person);
  const [was, is] = [seenBy(before, person), seenBy(after, person)];
  return actions.flatMap(([action, index]) => {
    const at = index === undefined ? action : `${action} ${index}`;
    const kind = kindOf(was.get(at) as Seen, is.get(at) as Seen);
    const reported = reportedOf(
      diff,
      (member) => member.field === "users" && member.entries[0] === name,
      (one) => holds(one, action, index),
    );
    if (reported.some((one) => one.startsWith("may-"))) return [];
    if (reported.length > 0)
      return reported.every((one) => one === kind) ? [] : [`${name} ${at}: ${kind}, said ${reported}`];
    if (kind === undefined || isByBlock) return [];
    const others = reportedOf(
      diff,
      (member) => includes(member, after, name),
      (one) => holds(one, action, index),
    );
    return others.some((one) => direction(one) === direction(kind)) ? [] : [`${name} ${at}: ${kind}, not said`];
  });
}

type Difference = AccessDifferences["statements"][number]["differences"][number];

function reportedOf(diff: AccessDifferences, isMeant: (member: Member) => boolean, isIn: (one: Difference) => boolean) {
  return diff.statements
    .filter(({ who }) => who.some((one) => one.kind === "principal" && isMeant(one.member)))
    .flatMap(({ differences }) => differences.filter(isIn).map(({ kind }) => kind));
}

/** Whether a user is one of those that a member of a mapping means. */
function includes({ field, entries }: Member, { users = {} }: Fixture, name: string): boolean {
  const own = users[name]?.backendRoles ?? [];
  if (field === "users") return entries.some((entry) => matches(entry, name));
  if (field === "hosts") return false;
  return entries.every((entry) => own.some((role) => matches(entry, role)) || entry === "*");
}

function direction(kind: string | undefined): string | undefined {
  if (kind === "gained" || kind === "widened") return "more";
  return kind === "lost" || kind === "narrowed" ? "less" : kind?.startsWith("may-") ? "changed" : kind;
}

function wronglyAnswered(fixture: Fixture, model: AccessModel, name: string): readonly string[] {
  const person: Person = { user: name, backendRoles: [], host };
  const subject = withInternalUser({ user: { name }, backendRoles: [], host: { name: host } }, model.state);
  // That restrictions refuse updates is no matter of a permission.
  const permitted = actions.filter(([action]) => action !== "indices:data/write/update");
  return permitted.flatMap(([action, index]) => {
    const truth = levelIn(fixture, person, action, index) === "denied" ? "no" : "yes";
    const { verdict } = evaluateModel(
      model,
      subject,
      createPermission(action, index === undefined ? undefined : { name: index }),
    );
    return verdict === truth || verdict === "unknown" ? [] : [`${name} ${action} ${index}: ${truth}, said ${verdict}`];
  });
}

/** What is certain without the internal users holds whatever they have: verdicts, and what is left to be seen. */
function wrongWithoutUsers(fixture: Fixture, name: string): readonly string[] {
  const known = modelOfFixture(fixture);
  const unread = createAccessModel({ ...known.state, users: { kind: "unread", why: "the server answers 403" } });
  const stated = { user: { name }, backendRoles: [], host: { name: host } };
  const [truly, perhaps] = [withInternalUser(stated, known.state), withInternalUser(stated, unread.state)];
  const verdicts = actions.flatMap(([action, index]) => {
    const permission = createPermission(action, index === undefined ? undefined : { name: index });
    const [truth, reported] = [
      evaluateModel(known, truly, permission).verdict,
      evaluateModel(unread, perhaps, permission).verdict,
    ];
    return reported === truth || reported === "unknown"
      ? []
      : [`${name} ${action} ${index}: ${truth}, said ${reported}`];
  });
  const limits = indices.flatMap((index) => {
    const [truth, reported] = [findLimits(known, truly, { name: index }), findLimits(unread, perhaps, { name: index })];
    if (reported.unsure.length > 0 || isDeepStrictEqual(truth, reported)) return [];
    return [`${name} sees of ${index}: ${JSON.stringify(truth)}, said ${JSON.stringify(reported)}`];
  });
  return [...verdicts, ...limits];
}

test.each(products)(
  `internal users in random fixtures, seed ${seed}: %s`,
  (product) => {
    for (const each of sample) {
      const random = randomFrom(`internal users ${product} ${each}`);
      const users = usersFrom(random);
      const fixtures = [...walk(random, product, 12)].map((fixture): Fixture => ({ ...fixture, users }));
      for (const [at, before] of fixtures.slice(0, -1).entries()) {
        const after = fixtures[at + 1] ?? before;
        const found = Object.keys(users).flatMap((name) => [
          ...broken(before, after, name),
          ...wronglyAnswered(after, modelOfFixture(after), name),
          ...wrongWithoutUsers(after, name),
        ]);
        if (found.length > 0) expect({ before, after, found }).toEqual({ before, after, found: [] });
      }
    }
  },
  600_000,
);
