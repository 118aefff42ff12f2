// Over every small fixture of two mappings: a plan is refused exactly where, after some request of it, the applying identity no
// longer holds what it takes to administer, or after all of it another login, which planned, what lets it read. Evaluated for
// sets of names alone, without patterns.
import { describe, expect, it } from "vitest";
import { createDialect } from "../../src/dialects/index.ts";
import { findEdits } from "../../src/json/patch.ts";
import type { Fields } from "../../src/json/value.ts";
import type { Change } from "../../src/model/change.ts";
import type { Identity, PlanningLogin } from "../../src/model/identity.ts";
import type { LiveResource } from "../../src/model/live.ts";
import type { ResourceFamily } from "../../src/model/names.ts";
import { planChanges } from "../../src/plan/plan.ts";

const identity = { user: "ci", backendRoles: ["ops", "emea"] };
const names = ["a", "b"] as const;
type State = Readonly<Record<(typeof names)[number], Fields | undefined>>;

const mappings: readonly (Fields | undefined)[] = [
  undefined,
  { users: ["ci"] },
  { users: ["bob"], backend_roles: ["emea"] },
  { and_backend_roles: ["ops", "emea"] },
  { and_backend_roles: ["ops", "hr"] },
];
const states: readonly State[] = mappings.flatMap((a) => mappings.map((b) => ({ a, b })));

// What the internal user itself has, no mapping takes away.
describe.each([[[]], [["a"]], [["b"]]] as const)("own roles %j", (ownRoles) => {
  it.each([
    [["a", "b"], "in one request", []],
    [["a", "b"], "each by itself", ["role_mappings"]],
    [["a"], "in one request", []],
    [["a"], "each by itself", ["role_mappings"]],
    [[], "in one request", []],
    [[], "each by itself", ["role_mappings"]],
  ] as const)("roles that administer: %j; %s", (adminRoles, _, apart) => {
    const wrong: string[] = [];
    let refused = 0;
    for (const before of states) {
      for (const after of states) {
        const isRefused = refuses(before, after, adminRoles, new Set(apart), ownRoles);
        const isMeant = locksOut(before, after, adminRoles, apart.length > 0, ownRoles);
        if (isRefused) refused += 1;
        if (isRefused !== isMeant) wrong.push(`${JSON.stringify([before, after])}: ${isRefused}`);
      }
    }
    expect(wrong).toEqual([]);
    if (ownRoles.length === 0) expect(refused).toBeGreaterThan(50);
  });
});

// What the login that plans loses refuses, too: once, after the last request, and whichever identity applies.
describe.each([
  ["another identity applies", true],
  ["who applies is not known", false],
] as const)("planned by another login; %s", (_, knowsApplying) => {
  it.each([
    [["a", "b"], []],
    [["a"], ["role_mappings"]],
    [[], []],
    [[], ["role_mappings"]],
  ] as const)("roles that administer: %j; one by one: %j", (adminRoles, apart) => {
    const wrong: string[] = [];
    const seen = { refused: 0, sure: 0 };
    const shown = [...mappings, { users: ["*"] }, { users: ["reader", "ci"] }];
    const all = shown.flatMap((a) => shown.map((b) => ({ a, b })));
    for (const before of all) {
      for (const after of all) {
        const planningLogin = { kind: "known", identity: reader, adminRoles } as const;
        const found = findLockOuts({ before, after, adminRoles, apart: new Set(apart), planningLogin, knowsApplying });
        const mine = found.filter((what) => what.includes("reader, which made this plan"));
        const meant = losesSight(before, after, adminRoles);
        const isOthers = knowsApplying && locksOut(before, after, adminRoles, apart.length > 0, []);
        if (mine.length > 0) seen.refused += 1;
        if (meant === "would") seen.sure += 1;
        const isRight =
          mine.length === (meant === "no" ? 0 : 1) &&
          mine.every((what) => what.includes(` ${meant} no longer hold`)) &&
          found.length > mine.length === isOthers;
        if (!isRight) wrong.push(`${JSON.stringify([before, after])}: ${found.join()}, meant ${meant}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(seen.refused).toBeGreaterThan(50);
    expect(seen.sure).toBeGreaterThan(50);
  });
});

const reader = { user: "reader", backendRoles: ["emea"] };

/** Of the roles that are not everybody's, one that administers is enough; where it holds none, each may be the one. */
function losesSight(before: State, after: State, adminRoles: readonly string[]): "no" | "may" | "would" {
  const had = rolesIn(before, reader);
  const has = rolesIn(after, reader);
  const isAdmin = (role: string) => adminRoles.includes(role);
  if (had.some(isAdmin)) return has.some(isAdmin) ? "no" : "would";
  const own = had.filter((role) => !(before[role]?.users as string[] | undefined)?.includes("*"));
  if (own.every((role) => has.includes(role))) return "no";
  const isLeft = own.some((role) => has.includes(role)) || has.some((role) => !had.includes(role));
  return isLeft ? "may" : "would";
}

function refuses(
  before: State,
  after: State,
  adminRoles: readonly string[],
  apart: ReadonlySet<ResourceFamily>,
  ownRoles: readonly string[],
) {
  return findLockOuts({ before, after, adminRoles, apart, ownRoles }).length > 0;
}

interface Planned {
  readonly before: State;
  readonly after: State;
  readonly adminRoles: readonly string[];
  readonly apart: ReadonlySet<ResourceFamily>;
  readonly ownRoles?: readonly string[];
  readonly planningLogin?: PlanningLogin;
  readonly knowsApplying?: boolean;
}

/** What lock-out refuses, in its words. */
function findLockOuts({
  before,
  after,
  adminRoles,
  apart,
  ownRoles = [],
  planningLogin,
  knowsApplying = true,
}: Planned): readonly string[] {
  const changes = names.flatMap((name): Change[] => {
    const [was, is] = [before[name], after[name]];
    const edits = findEdits(was ?? {}, is ?? {});
    const action = !was ? "create" : !is ? "delete" : edits.length > 0 ? "update" : "leave";
    if (!was && !is) return [];
    return [
      {
        family: "role_mappings",
        name,
        action,
        reason: "declared",
        edits,
        ...(was && { before: was }),
        ...(is && { after: is }),
      },
    ];
  });
  const held = names.flatMap((name): [string, LiveResource][] => {
    const value = before[name];
    return value ? [[name, { family: "role_mappings", name, value, ownership: "open" }]] : [];
  });
  const { violations } = planChanges({
    changes,
    live: { resources: new Map([["role_mappings", new Map(held)]]), paths: new Map() },
    policies: {},
    protect: [],
    applyingIdentity: knowsApplying
      ? { kind: "known", identities: [{ ...identity, ownRoles }], adminRoles }
      : { kind: "checked-at-apply" },
    planningLogin,
    waiving: { allowed: [], waivers: [], today: "2026-01-01" },
    wire: {
      dialect: createDialect("search-guard", "7"),
      withoutPatch: new Map([...apart].map((family) => [family, "it says so"])),
      paths: new Map(),
    },
  });
  return violations.filter(({ rule }) => rule === "lock-out").map(({ what }) => what);
}

function locksOut(
  before: State,
  after: State,
  adminRoles: readonly string[],
  isApart: boolean,
  own: readonly string[],
): boolean {
  const had = [...rolesIn(before), ...own];
  const between: State = { a: after.a, b: before.b };
  return [...(isApart ? [between] : []), after].some((state) => {
    const has = [...rolesIn(state), ...own];
    return had.some((role) => adminRoles.includes(role))
      ? !has.some((role) => adminRoles.includes(role))
      : !had.every((role) => has.includes(role));
  });
}

function rolesIn(state: State, who: Identity = identity): readonly (typeof names)[number][] {
  return names.filter((name) => {
    const { users, backend_roles: any, and_backend_roles: all } = (state[name] ?? {}) as Record<string, string[]>;
    return (
      users?.some((user) => user === who.user || user === "*") ||
      any?.some((role) => who.backendRoles.includes(role)) ||
      all?.every((role) => who.backendRoles.includes(role))
    );
  });
}
