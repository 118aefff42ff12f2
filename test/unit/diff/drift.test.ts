// Who moved: one live state, compared with what is declared now and with what was declared then.
import { describe, expect, it } from "vitest";
import { diff } from "../../../src/diff/diff.ts";
import { findDrift } from "../../../src/diff/drift.ts";
import { Secret } from "../../../src/json/secret.ts";
import type { Fields } from "../../../src/json/value.ts";
import type { DesiredState } from "../../../src/model/desired.ts";
import { isDrift } from "../../../src/model/drift.ts";
import type { LiveState, Ownership } from "../../../src/model/live.ts";
import type { Mode, Policies } from "../../../src/model/policy.ts";

const range = { file: { path: "roles.yml", text: "" }, start: 0, end: 0 };
const node = { ...range, kind: "map", entries: [] } as const;
const [a, b, c] = ["a", "b", "c"].map((action): Fields => ({ cluster_permissions: [action] }));

type Roles = Readonly<Record<string, Fields | undefined>>;

function desired(roles: Roles | undefined): DesiredState {
  if (roles === undefined) return { resources: new Map() };
  const entries = Object.entries(roles).flatMap(([name, value]) =>
    value ? [[name, { family: "roles", name, value, origin: range, node, serverOwned: false }] as const] : [],
  );
  return { resources: new Map([["roles", new Map(entries)]]) };
}

function live(roles: Roles, ownership: Ownership = "open"): LiveState {
  const entries = Object.entries(roles).flatMap(([name, value]) =>
    value ? [[name, { family: "roles", name, value, ownership }] as const] : [],
  );
  return { resources: new Map([["roles", new Map(entries)]]), paths: new Map() };
}

/** @param was absent: no baseline; null: the family was not declared */
function check(
  { was, now, found }: { was?: Roles | null; now: Roles; found: LiveState },
  expected: readonly string[],
  policies: Policies = {},
) {
  const changes = diff(desired(now), found, policies);
  const before = was === undefined ? undefined : diff(desired(was ?? undefined), found, policies);
  const differences = findDrift(changes, before);
  const lines = differences.map((one) => `${one.change.name} ${one.moved}${isDrift(one) ? " drift" : ""}`);
  expect(lines).toEqual(expected);
}

const mode = (of: Mode): Policies => ({ roles: { mode: of } });

/** What stood under one name then, now and on the server; undefined for nothing. */
const table: readonly (readonly [
  then: Fields | undefined,
  now: Fields | undefined,
  live: Fields | undefined,
  moved: string,
])[] = [
  [a, a, a, ""],
  [a, b, b, ""],
  [a, b, a, "r git"],
  [undefined, a, undefined, "r git"],
  [a, undefined, a, "r git"],
  [a, a, b, "r live drift"],
  [a, a, undefined, "r live drift"],
  [undefined, undefined, a, "r live drift"],
  [a, b, c, "r both drift"],
  [a, b, undefined, "r both drift"],
  [a, undefined, b, "r both drift"],
  [undefined, a, b, "r both drift"],
  [{}, undefined, a, "r both drift"],
  [undefined, {}, a, "r both drift"],
  [{}, {}, undefined, "r live drift"],
  [undefined, {}, undefined, "r git"],
  [undefined, undefined, {}, "r live drift"],
  [a, a, {}, "r live drift"],
];

describe("who moved", () => {
  it.each(table)("then %j, now %j, live %j: %s", (then, now, found, moved) =>
    check({ was: { r: then }, now: { r: now }, found: live({ r: found }) }, moved === "" ? [] : [moved]),
  );
  it("is unknown without a baseline", () =>
    check({ now: { x: a, y: b }, found: live({ x: b, z: a }) }, [
      "x unknown drift",
      "y unknown drift",
      "z unknown drift",
    ]));
  it("is git where the family is newly declared, as nothing was promised before", () =>
    check({ was: null, now: { x: a }, found: live({ x: b, z: a }) }, ["x git", "z git"]));
  it("is reported of what is only observed, and is no drift", () =>
    check({ was: { x: a }, now: { x: a }, found: live({ x: b, z: a }) }, ["x live", "z live"], mode("observe")));
  it("says nothing of what others may add", () =>
    check({ was: { x: a }, now: { x: a }, found: live({ x: b, z: a }) }, ["x live drift"], mode("adopt")));
  it("is reported of what the server keeps to itself, and is no drift", () =>
    check({ was: { x: a }, now: { x: a }, found: live({ x: b }, "reserved") }, ["x live"]));
  it("compares secrets by their values", () => {
    const bind = (value: string, name = "A"): Fields => ({ note: new Secret(name, value) });
    check({ was: { x: bind("1") }, now: { x: bind("1", "B") }, found: live({ x: { note: "2" } }) }, ["x live drift"]);
    check({ was: { x: bind("1") }, now: { x: bind("2") }, found: live({ x: { note: "1" } }) }, ["x git"]);
  });
});

describe("a license", () => {
  const license = (text: string): DesiredState => ({
    resources: new Map(),
    license: { text: new Secret("license", text), writeAlways: false, origin: range },
  });
  const shown = (installed: boolean): LiveState => ({
    resources: new Map(),
    paths: new Map(),
    license: { installed, shown: {} },
  });
  const movedOf = (then: string, now: string, found: LiveState) =>
    findDrift(diff(license(now), found, {}), diff(license(then), found, {})).map(
      (one) => `${one.moved} ${isDrift(one)}`,
    );
  it("that is gone was moved on the server", () => expect(movedOf("x", "x", shown(false))).toEqual(["live true"]));
  it("that cannot be compared is no drift", () => expect(movedOf("x", "y", shown(true))).toEqual(["unknown false"]));
});

it("a field on the server that gate-sync does not know is drift, and since when it is there is unknown", () => {
  const found = live({ r: { ...a, x: 1 } });
  check({ now: { r: a }, found }, ["r unknown drift"]);
  check({ was: { r: a }, now: { r: a }, found }, ["r unknown drift"]);
  check({ was: { r: a }, now: { r: a }, found }, [], mode("observe"));
  check({ was: { r: a }, now: { r: b }, found }, ["r unknown drift"]);
});
