// Over every small fixture of two mappings: a plan is refused exactly where, after some request of it, the applying identity no
// longer holds what it takes to administer. Evaluated for sets of names alone, without patterns.
import { describe, expect, it } from "vitest";
import { createDialect } from "../../src/dialects/index.ts";
import { findEdits } from "../../src/json/patch.ts";
import type { Fields } from "../../src/json/value.ts";
import type { Change } from "../../src/model/change.ts";
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

function refuses(
  before: State,
  after: State,
  adminRoles: readonly string[],
  apart: ReadonlySet<ResourceFamily>,
  ownRoles: readonly string[],
) {
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
    applyingIdentity: { kind: "known", identities: [{ ...identity, ownRoles }], adminRoles },
    waiving: { allowed: [], waivers: [], today: "2026-01-01" },
    wire: {
      dialect: createDialect("search-guard", "7"),
      withoutPatch: new Map([...apart].map((family) => [family, "it says so"])),
      paths: new Map(),
    },
  });
  return violations.some(({ rule }) => rule === "lock-out");
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

function rolesIn(state: State): readonly string[] {
  return names.filter((name) => {
    const { users, backend_roles: any, and_backend_roles: all } = (state[name] ?? {}) as Record<string, string[]>;
    return (
      users?.includes(identity.user) ||
      any?.some((role) => identity.backendRoles.includes(role)) ||
      all?.every((role) => identity.backendRoles.includes(role))
    );
  });
}
