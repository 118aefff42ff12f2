// The order of writes where settings of the config decide how requests are evaluated, and change with roles and mappings:
// requests over several indices, and for several actions at once. By the naive evaluator, which real servers agree with.
import { expect, test } from "vitest";
import { type Random, randomFrom } from "../fixtures/index.ts";
import type { Fixture, Person } from "../support/evaluated.ts";
import { evaluate } from "../support/evaluator.ts";
import { countOf } from "../support/extent.ts";
import { inOrder } from "../support/ordered.ts";
import { products } from "./access/fixtures.ts";
import { seed } from "./seed.ts";

const count = countOf(6_000, 150);

test.each(products)(
  `random fixtures, settings that change, seed ${seed}: %s`,
  (product) => {
    const random = randomFrom(`order of writes, settings ${product} ${seed}`);
    const counts = { first: 0, later: 0, reported: 0 };
    for (let at = 0; at < count; at++) {
      const [before, after] = pairFrom(random, product);
      const { between, families, faults } = inOrder(before, after);
      if (faults.length > 0) counts.reported += 1;
      else counts[families[0] === "config" ? "first" : "later"] += 1;
      if (faults.length > 0) continue;
      const broken = between.flatMap((now, place) => breachesOf(before, now, after).map((what) => `${place} ${what}`));
      expect(broken, `${families} ${JSON.stringify([before, after])}`).toEqual([]);
    }
    console.info(`The order of writes, settings, ${product}: ${JSON.stringify(counts)}`);
    // Else the property would say nothing of orders that had to be found. Requests that are reduced nearly always have one.
    const kinds = product === "opensearch" ? (["first", "later"] as const) : (["first", "later", "reported"] as const);
    for (const kind of kinds) expect(counts[kind], kind).toBeGreaterThan(0);
  },
  1_800_000,
);

const people: readonly Person[] = ["u1", "u2", "u3"].map((user) => ({ user, backendRoles: [] }));
const [search, write, shard] = ["indices:data/read/search", "indices:data/write/index", "indices:data/write/bulk[s]"];
const indices = ["a", "b", "c"];

interface Request {
  readonly actions: readonly string[];
  readonly on: readonly string[];
}

/** What needs several permissions: a document that is written, and a search over two indices. */
const requests: readonly Request[] = [
  ...indices.map((name) => ({ actions: [shard, write], on: [name] })),
  ...indices.map((_, at) => ({ actions: [search], on: indices.toSpliced(at, 1) })),
];

/**
 * What a person is answered in between alone, or is not answered there alone, by the settings of that state: what the
 * same rules do by the settings of the other side as well is not the settings' fault.
 */
function breachesOf(before: Fixture, now: Fixture, after: Fixture): readonly string[] {
  const other = [before, after].find(({ settings }) => JSON.stringify(settings) !== JSON.stringify(now.settings));
  const otherwise: Fixture = { ...now, ...(other?.settings && { settings: other.settings }) };
  const lines = people.flatMap((person) =>
    requests.flatMap(({ actions, on }) =>
      on.flatMap((name) => {
        const isAnswered = (fixture: Fixture) => answered(fixture, person, { actions, on }).includes(name);
        // A request about this index alone shows as much.
        const isShown = (fixture: Fixture) => answered(fixture, person, { actions, on: [name] }).length > 0;
        const [was, has, is, would] = [before, now, after, otherwise].map(isAnswered);
        if (has && !would && !isShown(before) && !isShown(after))
          return [`leak: ${person.user} ${actions} ${name} of ${on}`];
        return was && is && would && !has ? [`outage: ${person.user} ${actions} ${name} of ${on}`] : [];
      }),
    ),
  );
  return lines;
}

/** The indices that a server answers about. */
function answered(fixture: Fixture, person: Person, { actions, on }: Request): readonly string[] {
  const may = (names: readonly string[]): boolean =>
    evaluate(
      fixture,
      person,
      actions,
      names.map((name) => ({ name })),
    ) !== false;
  const isReduced = fixture.settings?.do_not_fail_on_forbidden === true && actions.every((action) => action === search);
  if (isReduced) return on.filter((name) => may([name]));
  return may(on) ? on : [];
}

/** Roles of one or two permissions, and their members; one or both of the settings are turned over. */
function pairFrom(random: Random, product: Fixture["product"]): readonly [Fixture, Fixture] {
  const [before, other] = [fixtureFrom(random, product), fixtureFrom(random, product)];
  const { multi_rolespan_enabled, do_not_fail_on_forbidden } = before.settings ?? {};
  const spans = { multi_rolespan_enabled: !multi_rolespan_enabled };
  const reduces = { do_not_fail_on_forbidden: !do_not_fail_on_forbidden };
  const settings = product === "opensearch" ? reduces : random.pick([spans, reduces, { ...spans, ...reduces }]);
  const changed = new Set(random.some(names, 0, 2));
  const pick = <T>(was: Readonly<Record<string, T>>, is: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(names.map((name) => [name, (changed.has(name) ? is : was)[name] as T]));
  const after: Fixture = {
    ...before,
    settings: { ...before.settings, ...settings },
    roles: pick(before.roles, other.roles),
    mappings: random.chance(0.5) ? pick(before.mappings, other.mappings) : before.mappings,
  };
  return [before, after];
}

const names = ["r", "s", "t"];

function fixtureFrom(random: Random, product: Fixture["product"]): Fixture {
  const element = () => ({
    index_patterns: random.some(indices, 1, 2).sort(),
    allowed_actions: random.some([search, write, shard], 1, 2).sort(),
  });
  return {
    product,
    settings: { multi_rolespan_enabled: random.chance(0.5), do_not_fail_on_forbidden: random.chance(0.5) },
    groups: {},
    roles: Object.fromEntries(names.map((name) => [name, { index_permissions: [element()] }])),
    mappings: Object.fromEntries(names.map((name) => [name, { users: random.some(["u1", "u2", "u3"], 1, 3).sort() }])),
    tenants: [],
    blocks: [],
  };
}
