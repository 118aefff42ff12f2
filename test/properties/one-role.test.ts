// Where one role has to permit all that a request takes: the access diff and the order of writes by whole requests, which
// single permissions do not show. By the naive evaluator, which real servers agree with.
import { expect, test } from "vitest";
import { compareAccess } from "../../src/access/compare/compare.ts";
import { type Random, randomFrom } from "../fixtures/index.ts";
import type { Fixture, Person } from "../support/evaluated.ts";
import { evaluate } from "../support/evaluator.ts";
import { countOf } from "../support/extent.ts";
import { modelOfFixture } from "../support/modelled.ts";
import { inOrder } from "../support/ordered.ts";
import { seed } from "./seed.ts";

const count = countOf(6_000, 150);

test(`random fixtures, seed ${seed}`, () => {
  const random = randomFrom(`one role ${seed}`);
  const counts = { alike: 0, unknown: 0, certain: 0, ordered: 0, reported: 0 };
  for (let at = 0; at < count; at++) {
    const [before, after] = pairFrom(random);
    const shown = JSON.stringify([before, after]);
    const { statements, unknowns } = compareAccess(modelOfFixture(before), modelOfFixture(after));
    const texts = [JSON.stringify(statements), ...unknowns].join("\n");
    const changed = people.filter((person) => answersOf(before, person) !== answersOf(after, person));
    for (const { user } of changed) expect(texts, `${user} ${shown}`).toContain(user);
    const otherwise = unknowns.filter((one) => one.includes("multi_rolespan_enabled")).join();
    for (const person of people.filter(({ user }) => otherwise.includes(`user ${user}`))) {
      expect(answersOf(before, person), `${person.user} ${otherwise} ${shown}`).not.toBe(answersOf(after, person));
    }
    if (changed.length === 0) counts.alike += 1;
    counts[unknowns.length > 0 ? "unknown" : "certain"] += 1;

    const { between, faults } = inOrder(before, after);
    counts[faults.length > 0 ? "reported" : "ordered"] += 1;
    if (faults.length > 0) continue;
    for (const now of between) {
      const broken = people.flatMap((person) => breachesOf(person, [before, now, after]));
      expect(broken, shown).toEqual([]);
    }
  }
  console.info(`One role: ${JSON.stringify(counts)}`);
  for (const [kind, found] of Object.entries(counts)) expect(found, kind).toBeGreaterThan(0);
}, 1_800_000);

const people: readonly Person[] = ["u1", "u2", "u3"].map((user) => ({ user, backendRoles: [] }));
const indices = ["a", "b", "c"];
const [search, write, shard] = ["indices:data/read/search", "indices:data/write/index", "indices:data/write/bulk[s]"];

/** A document that is written, and a search over two indices. */
const requests = [
  ...indices.map((name) => ({ actions: [shard, write], on: [name] })),
  ...[indices, ...indices.map((_, at) => indices.toSpliced(at, 1))].map((on) => ({ actions: [search], on })),
];

type Request = (typeof requests)[number];

function isAnswered(fixture: Fixture, person: Person, { actions, on }: Request): boolean {
  const names = on.map((name) => ({ name }));
  return evaluate(fixture, person, actions, names) !== false;
}

function answersOf(fixture: Fixture, person: Person): string {
  return requests.map((request) => (isAnswered(fixture, person, request) ? "1" : "0")).join("");
}

/** Each permission by itself is granted before and after: else the table of single permissions decides. */
function isGrantedApart(fixture: Fixture, person: Person, { actions, on }: Request): boolean {
  return actions.every((action) => on.every((name) => evaluate(fixture, person, [action], [{ name }]) !== false));
}

function breachesOf(person: Person, states: readonly [Fixture, Fixture, Fixture]): readonly string[] {
  return requests.flatMap((request) => {
    if (!states.every((fixture) => isGrantedApart(fixture, person, request))) return [];
    const [was, now, is] = states.map((fixture) => isAnswered(fixture, person, request));
    return was === is && now !== was ? [`${person.user} ${now ? "leak" : "outage"} ${JSON.stringify(request)}`] : [];
  });
}

const names = ["r", "s", "t"];

function pairFrom(random: Random): readonly [Fixture, Fixture] {
  const [before, other] = [fixtureFrom(random), fixtureFrom(random)];
  const changed = new Set(random.some(names, 1, 2));
  const pick = <T>(was: Readonly<Record<string, T>>, is: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(names.map((name) => [name, (changed.has(name) ? is : was)[name] as T]));
  return [
    before,
    {
      ...before,
      roles: random.chance(0.8) ? pick(before.roles, other.roles) : before.roles,
      mappings: random.chance(0.5) ? pick(before.mappings, other.mappings) : before.mappings,
    },
  ];
}

function fixtureFrom(random: Random): Fixture {
  const element = () => ({
    index_patterns: random.some(indices, 1, 2).sort(),
    allowed_actions: random.some([search, write, shard], 1, 3).sort(),
  });
  return {
    product: random.chance(0.5) ? "search-guard-6" : "search-guard-7",
    settings: { multi_rolespan_enabled: false },
    groups: {},
    roles: Object.fromEntries(names.map((name) => [name, { index_permissions: [element()] }])),
    mappings: Object.fromEntries(names.map((name) => [name, { users: random.some(["u1", "u2", "u3"], 1, 3).sort() }])),
    tenants: [],
    blocks: [],
  };
}
