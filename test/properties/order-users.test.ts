// The order of writes where internal users change too: each user is followed through every request, by what its own roles,
// its backend roles and the mappings give it then.
import { expect, test } from "vitest";
import { createAccessModel } from "../../src/access/model/access-model.ts";
import { createDialect } from "../../src/dialects/index.ts";
import { type Fields, isEqual, listTexts } from "../../src/json/value.ts";
import type { Change } from "../../src/model/change.ts";
import type { ResourceFamily } from "../../src/model/names.ts";
import type { Operation } from "../../src/model/operation.ts";
import { findConstraints } from "../../src/plan/order/constraints.ts";
import { createIntermediateStates, createStatePair } from "../../src/plan/order/intermediate-states.ts";
import { orderSafely } from "../../src/plan/order/order.ts";
import { type Random, randomFrom } from "../fixtures/index.ts";
import { countOf } from "../support/extent.ts";
import { stateOf } from "../support/modelled.ts";
import { seed } from "./seed.ts";

const families = ["roles", "role_mappings", "internal_users"] as const;
type UserFixture = Readonly<Record<(typeof families)[number], Readonly<Record<string, Fields>>>>;

const dialect = createDialect("opensearch", "2.19");
const permissions = ["cluster:monitor/health", "cluster:monitor/state", "cluster:admin/x"];

function fixtureFrom(random: Random): UserFixture {
  const backendRoles = ["aa", "bb", "cc"];
  const mapping = (): Fields => ({
    backend_roles: random.some(backendRoles, 0, 2).toSorted(),
    users: random.some(["h", "k"], 0, 1),
  });
  const some = (names: readonly string[], create: () => Fields): Readonly<Record<string, Fields>> =>
    Object.fromEntries(names.map((name) => [name, create()]));
  const roles = random.some(["r", "s", "t"], 1, 3).toSorted();
  return {
    roles: some(roles, () => ({ cluster_permissions: random.some(permissions, 1, 2).toSorted() })),
    role_mappings: some(random.some(roles, 0, roles.length).toSorted(), mapping),
    internal_users: some(["h", "k"], () => ({
      backend_roles: random.some(backendRoles, 0, 2).toSorted(),
      roles: random.some(roles, 0, 2).toSorted(),
    })),
  };
}

/** With a few entries of another one. */
function fixtureNear(random: Random, fixture: UserFixture): UserFixture {
  const other = fixtureFrom(random);
  return Object.fromEntries(
    families.map((family) => {
      const names = [...new Set([...Object.keys(fixture[family]), ...Object.keys(other[family])])].toSorted();
      const kept = names.flatMap((name) => {
        const value = (random.chance(0.6) ? other : fixture)[family][name];
        return value ? [[name, value]] : [];
      });
      return [family, Object.fromEntries(kept)];
    }),
  ) as unknown as UserFixture;
}

function changesBetween(before: UserFixture, after: UserFixture): readonly Change[] {
  return families.flatMap((family) =>
    [...new Set([...Object.keys(before[family]), ...Object.keys(after[family])])].toSorted().flatMap((name) => {
      const [was, is] = [before[family][name], after[family][name]];
      if (was && is && isEqual(was, is)) return [];
      const action = !was ? "create" : is ? "update" : "delete";
      return [
        { family, name, action, reason: "declared", edits: [], ...(was && { before: was }), ...(is && { after: is }) },
      ];
    }),
  ) as readonly Change[];
}

function modelOf({ roles, role_mappings: mappings, internal_users: users }: UserFixture, changed: ReadonlySet<string>) {
  const state = stateOf({ product: "opensearch", groups: {}, roles, mappings });
  const held = new Map(Object.entries(users).filter(([name]) => changed.has(name)));
  const byName = new Map(
    Object.entries(users).flatMap(([name, user]) =>
      changed.has(name)
        ? []
        : [
            [
              name,
              { roles: listTexts(user.roles), backendRoles: listTexts(user.backend_roles), attributes: {} },
            ] as const,
          ],
    ),
  );
  return createAccessModel({
    ...state,
    users: { kind: "known", byName },
    ...(changed.size > 0 && { changedUsers: { names: changed, held } }),
  });
}

/** What a user may do, worked out by itself. */
function grantsOf(
  { roles, role_mappings: mappings, internal_users: users }: UserFixture,
  name: string,
): ReadonlySet<string> {
  const user = users[name];
  if (!user) return new Set();
  const own = listTexts(user.backend_roles);
  const given = Object.entries(mappings).flatMap(([role, mapping]) =>
    listTexts(mapping.users).includes(name) || listTexts(mapping.backend_roles).some((one) => own.includes(one))
      ? [role]
      : [],
  );
  return new Set([...listTexts(user.roles), ...given].flatMap((role) => listTexts(roles[role]?.cluster_permissions)));
}

interface Planned {
  readonly requests: readonly (readonly Change[])[];
  readonly isReported: boolean;
}

function planned(before: UserFixture, after: UserFixture, changes: readonly Change[]): Planned {
  const changed = new Set(changes.flatMap(({ family, name }) => (family === "internal_users" ? [name] : [])));
  const statePair = createStatePair(modelOf(before, changed), modelOf(after, changed));
  const requests: (readonly Change[])[] = [];
  const operationsFor = (some: readonly Change[]): readonly Operation[] => {
    const family = some[0]?.family ?? "roles";
    const path = `${requests.push(some) - 1}`;
    return [{ family, method: "PATCH", path, names: some.map(({ name }) => name), bulk: true }];
  };
  const usual = families.flatMap((family) => {
    const own = changes.filter((change) => change.family === family);
    return own.length === 0 ? [] : operationsFor(own).map((operation) => ({ operation, changes: own }));
  });
  const found = orderSafely(
    { requests: usual, fixed: { first: 0, last: 0 }, operationsFor },
    {
      ...findConstraints({ statePair, changes, dialect }),
      intermediateStatesOf: (batches) => createIntermediateStates(batches, statePair),
    },
  );
  return {
    requests: found.operations.map(({ path }) => requests[Number(path)] ?? []),
    isReported: found.faults.length > 0 || found.undecided !== undefined || found.isUnsureOfPairs === true,
  };
}

function withChanges(fixture: UserFixture, changes: readonly Change[]): UserFixture {
  const next: Record<string, Record<string, Fields>> = Object.fromEntries(
    families.map((family) => [family, { ...fixture[family] }]),
  );
  for (const { family, name, after } of changes) {
    const entries = next[family as ResourceFamily] ?? {};
    if (after) entries[name] = after;
    else delete entries[name];
  }
  return next as unknown as UserFixture;
}

/** Lines, each of a request after which a user has what it has neither before nor after, or misses what it has in both. */
function listBreaches(before: UserFixture, after: UserFixture, requests: Planned["requests"]): readonly string[] {
  let now = before;
  return requests.slice(0, -1).flatMap((changes, at) => {
    now = withChanges(now, changes);
    return ["h", "k"].flatMap((name) => {
      const [was, has, will] = [before, now, after].map((fixture) => grantsOf(fixture, name)) as [
        ReadonlySet<string>,
        ReadonlySet<string>,
        ReadonlySet<string>,
      ];
      const gained = [...has].filter((one) => !was.has(one) && !will.has(one));
      const lost = [...was].filter((one) => will.has(one) && !has.has(one));
      return [...gained.map((one) => `gains ${one}`), ...lost.map((one) => `loses ${one}`)].map(
        (what) => `after request ${at + 1} of ${requests.length}, ${name} ${what}`,
      );
    });
  });
}

test("no internal user gains or loses between two requests, or it is reported", () => {
  const counts = { plans: 0, moved: 0, reported: 0 };
  const wrong: string[] = [];
  for (let number = 0; number < countOf(3_000, 250); number++) {
    const random = randomFrom(`${seed} order of users ${number}`);
    const before = fixtureFrom(random);
    const after = fixtureNear(random, before);
    const changes = changesBetween(before, after);
    const { requests, isReported } = planned(before, after, changes);
    const end = requests.reduce(withChanges, before);
    if (!isEqual(end as unknown as Fields, after as unknown as Fields)) wrong.push(`${number}: it ends elsewhere`);
    counts.plans++;
    if (
      listBreaches(
        before,
        after,
        families.map((one) => changes.filter(({ family }) => family === one)),
      ).length > 0
    )
      counts.moved++;
    if (isReported) counts.reported++;
    else wrong.push(...listBreaches(before, after, requests).map((line) => `${number}: ${line}`));
  }
  console.info(`The order of writes with internal users, seed ${seed}: ${JSON.stringify(counts)}`);
  expect(wrong.slice(0, 10)).toEqual([]);
  // Else the property would say nothing of orders that had to be found.
  expect(counts.moved).toBeGreaterThan(counts.plans / 10);
  expect(counts.reported).toBeLessThan(counts.plans / 2);
}, 600_000);
