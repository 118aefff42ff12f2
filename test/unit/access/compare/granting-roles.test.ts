// By which roles and groups a difference is granted: what is reported has to be true of all indices and actions of it.
import { describe, expect, test } from "vitest";
import { compareAccess } from "../../../../src/access/compare/compare.ts";
import { renderAccessJson } from "../../../../src/access/compare/to-json.ts";
import { matchesPattern } from "../../../../src/access/patterns/matches.ts";
import type { Fixture } from "../../../support/evaluated.ts";
import { modelOfFixture } from "../../../support/modelled.ts";
import { accessText } from "../../../support/rendered.ts";
import { at, create, plain, planOf } from "../../render/plans.ts";

type Roles = Fixture["roles"];
type Held = readonly string[];

const search = "indices:data/read/search";
const get = "indices:data/read/get";

const on = (patterns: readonly string[], actions: readonly string[] = [search], more = {}) => ({
  index_permissions: [{ index_patterns: patterns, allowed_actions: actions, ...more }],
});

function compare(
  [was, is]: readonly [Roles, Roles],
  [had, has]: readonly [Held, Held],
  groups: Fixture["groups"] = {},
) {
  const modelWith = (roles: Roles, held: Held) => {
    const mappings = Object.fromEntries(held.map((role) => [role, { backend_roles: ["ga"] }]));
    return modelOfFixture({ product: "opensearch", groups, roles, mappings });
  };
  return compareAccess(modelWith(was, had), modelWith(is, has));
}

const linesOf = (access: ReturnType<typeof compare>, planned: readonly string[] = []): readonly string[] => {
  const changes = planned.map((name) => create("action_groups", name, {}, at("a/groups.yml", 2)));
  return accessText(planOf({ access, changes }), { ...plain, width: 200 })
    .slice(1)
    .map((line) => line.trim());
};

type Compared = ReturnType<typeof compare>;

/** The cases of differences that none of the roles named for them grants. */
function listUntrue(access: Compared, [was, is]: readonly [Roles, Roles]): readonly string[] {
  return access.statements.flatMap(({ differences }) =>
    differences.flatMap(({ kind, level, actions, indices, via, viaParts }) => {
      const named = viaParts?.roles ?? (via ? [via.role] : []);
      const roles = kind === "lost" ? was : is;
      return actions.examples.flatMap((action) =>
        (indices?.examples ?? [""]).flatMap((index) => {
          const grants = (role: string): boolean => {
            const { cluster_permissions: ofCluster = [], index_permissions: ofIndices = [] } = roles[role] ?? {};
            if (level === "cluster") return matchesOne(ofCluster, action);
            return ofIndices.some(
              ({ index_patterns: patterns = [], allowed_actions: allowed = [] }) =>
                matchesOne(patterns, index) && matchesOne(allowed, action),
            );
          };
          return named.some(grants) ? [] : [`${action} ${index}: not by ${named.join()}`];
        }),
      );
    }),
  );
}

function matchesOne(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matchesPattern(pattern, name) === "yes");
}

describe("what is named is true of all that the line lists", () => {
  const some = Array.from({ length: 9 }, (_, k) => `r${k}`);
  const ofEach = (names: Held): Roles => Object.fromEntries(names.map((name) => [name, on([`${name}-*`])]));
  const spread = { ...ofEach(["x"]), y: on(["x-1*", "y-*"], ["*"]), z: on(["y-*", "z-*"], ["indices:data/read/*"]) };
  const legacy = {
    legal_view: { ...on(["legal-*"]), cluster_permissions: ["cluster:monitor/main"] },
    backdoor: { ...on(["*"], ["*"]), cluster_permissions: ["*"] },
  };
  const a = { a: on(["a-*"]), b: on(["b-*"]) };

  test.for<[about: string, roles: readonly [Roles, Roles], held: readonly [Held, Held], lines: readonly string[]]>([
    [
      "a pattern of one role, the mapping of another",
      [a, { ...a, a: on(["a-*", "l*"]) }],
      [["a"], ["a", "b"]],
      ["+ backend role ga: search b-*, l* (roles a and b)"],
    ],
    [
      "the role that grants all of it is enough",
      [legacy, legacy],
      [["legal_view", "backdoor"], []],
      ["backend role ga", "- all actions on every index (role backdoor)", "- all cluster actions (role backdoor)"],
    ],
    [
      "no more names than one reads",
      [ofEach(some), ofEach(some)],
      [[], some],
      [
        "+ backend role ga: search r0-*, r1-*, r2-*, r3-*, r4-*, r5-*, r6-*, r7-*, r8-* (roles r0, r1, r2, r3 and 5 more)",
      ],
    ],
    ["partly the same", [spread, spread], [[], ["x", "y", "z"]], []],
  ])("%s", ([, roles, held, lines]) => {
    const access = compare(roles, held);
    expect(listUntrue(access, roles)).toEqual([]);
    if (lines.length > 0) expect(linesOf(access)).toEqual(lines);
  });
});

test("of very many roles it is said that there are others", () => {
  const many = Array.from({ length: 90 }, (_, k) => `r${k}`);
  const roles = Object.fromEntries(many.map((name) => [name, on([`${name}-*`])]));
  const access = compare([roles, roles], [[], many]);
  expect(linesOf(access).join(" ")).toMatch(/ \(roles r0, r1, r10, r11 and others\)$/);
  expect(JSON.stringify(renderAccessJson(access))).toContain('"groups":[],"has_more":true}');
});

test("JSON has the path of the witness, and the roles where that is not the path of all", () => {
  const roles = { a: on(["a-*"]), b: on(["b-*"]) };
  const [{ differences } = { differences: [] }] = compare([roles, roles], [[], ["a", "b"]]).statements;
  expect(differences).toMatchObject([{ via: { role: "a" }, viaParts: { roles: ["a", "b"], groups: [] } }]);
  const json = JSON.stringify(renderAccessJson(compare([roles, roles], [[], ["a", "b"]])));
  expect(json).toContain('"via":{"role":"a","groups":[]},"via_parts":{"roles":["a","b"],"groups":[]}');
  expect(JSON.stringify(renderAccessJson(compare([roles, roles], [[], ["a"]])))).not.toContain("via_parts");
});

describe("groups are named as far as they lead to all of it", () => {
  const groups = { CRUD: ["FIND", "FETCH"], FIND: [search], FETCH: [get] };
  const by = (allowed: readonly string[]): Roles => ({ r: on(["r-*"], allowed) });
  test.for<[allowed: readonly string[], path: string]>([
    [["FIND"], "role r > FIND"],
    [["CRUD"], "role r > CRUD"],
    [["FIND", "FETCH"], "role r"],
    [["FIND", get], "role r"],
  ])("%s", ([allowed, path]) => {
    const access = compare([by(allowed), by(allowed)], [[], ["r"]], groups);
    expect(linesOf(access, Object.keys(groups)).join()).toContain(`(${path})`);
  });
});

describe("by roles that restrict", () => {
  const dls = (k: number) => `{"term":{"k":${k}}}`;
  const all = { all: on(["*"]) };
  const both = { a: on(["a-*"], [search], { dls: dls(1) }), b: on(["b-*"], [search], { dls: dls(1) }) };

  test("both are named where each restricts a part", () => {
    const roles = { ...all, ...both };
    expect(linesOf(compare([roles, roles], [["all", "a", "b"], ["all"]])).join()).toContain("(roles a and b)");
  });

  test("one is, where it restricts all of it", () => {
    const roles = { ...all, a: on(["a-*", "b-*"], [search], { dls: dls(1) }) };
    expect(linesOf(compare([roles, roles], [["all", "a"], ["all"]])).join()).toContain("(role a)");
  });
});

describe("where it is unknown", () => {
  const roles = { old: on(["${attr.ldap.x}"]), a: on(["a-${attr.ldap.x}"]), wide: on(["${attr.ldap.y}"], ["*"]) };

  test("what is unknown before and after alike is not named", () => {
    const access = compare([roles, roles], [["old"], ["old", "a"]]);
    expect(linesOf(access).join()).toContain("(role a)");
  });

  test("a role that may grant all of it is", () => {
    expect(linesOf(compare([roles, roles], [[], ["wide"]])).join()).toContain("(role wide)");
  });
});
