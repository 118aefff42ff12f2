import { describe, expect, it } from "vitest";
import { createDialect } from "../../../src/dialects/index.ts";
import { findEdits } from "../../../src/json/patch.ts";
import type { Fields } from "../../../src/json/value.ts";
import type { Change } from "../../../src/model/change.ts";
import type { ResourceFamily } from "../../../src/model/names.ts";
import type { Product } from "../../../src/model/plan.ts";
import { createOperations } from "../../../src/plan/operations.ts";
import { createWireContext } from "../../../src/plan/wire.ts";

interface Setting {
  readonly product?: Product;
  readonly release?: string;
  readonly engine?: string;
  readonly refused?: readonly ResourceFamily[];
  readonly path?: string;
}

function check(changes: readonly Change[], expected: readonly unknown[], setting: Setting = {}) {
  const { product = "gate", release = "7.x-43.0.0", engine = "7.5.1", refused = [], path } = setting;
  const family = (changes[0] as Change).family as ResourceFamily;
  const dialect = createDialect(product, release, engine);
  const server = { product, release, engine, how: "stated" } as const;
  const paths = new Map(path === undefined ? [] : [[family, path] as const]);
  const operations = createOperations(changes, createWireContext(dialect, server, paths, new Set(refused)));
  expect(operations.map(({ method, path, body }) => [method, path, ...(body === undefined ? [] : [body])])).toEqual(
    expected,
  );
}

function change(family: ResourceFamily, name: string, before: Fields | undefined, after: Fields | undefined): Change {
  const action = before === undefined ? "create" : after === undefined ? "delete" : "update";
  return {
    family,
    name,
    action,
    reason: "declared",
    edits: findEdits(before ?? {}, after ?? {}),
    ...(before && { before }),
    ...(after && { after }),
  };
}

const mapping = (name: string, before?: Fields, after?: Fields) => change("role_mappings", name, before, after);
const empty = { backend_roles: [], hosts: [], users: [] };

it("an entry that the server holds as null is written whole: nothing below it can be patched", () => {
  const live = { family: "tenants", name: "t", value: {}, ownership: "open", isNull: true } as const;
  const one = { ...change("tenants", "t", {}, { description: "x" }), live };
  const other = change("tenants", "u", { description: "x" }, undefined);
  check([one], [["PUT", "/_gate/api/tenants/t", { description: "x" }]]);
  const whole = { op: "add", path: "/t", value: { description: "x" } };
  check([one, other], [["PATCH", "/_gate/api/tenants", [whole, { op: "remove", path: "/u" }]]]);
});

describe("one change in a family", () => {
  it("create: PUT of the whole resource, documented lists even when empty", () =>
    check(
      [mapping("hr", undefined, { users: ["ana"] })],
      [["PUT", "/_gate/api/rolesmapping/hr", { ...empty, users: ["ana"] }]],
    ));
  it("update: PATCH of the fields that differ", () =>
    check(
      [mapping("hr", { users: ["ana"], hosts: ["h"] }, { users: ["ana", "bo"], hosts: ["h"] })],
      [["PATCH", "/_gate/api/rolesmapping/hr", [{ op: "add", path: "/users", value: ["ana", "bo"] }]]],
    ));
  it("a list that becomes empty is added as empty: a server may have no such field to replace", () =>
    check(
      [mapping("hr", { users: ["ana"], hosts: ["h"] }, { users: ["ana"] })],
      [["PATCH", "/_gate/api/rolesmapping/hr", [{ op: "add", path: "/hosts", value: [] }]]],
    ));
  it("an unknown field is removed", () =>
    check(
      [mapping("hr", { users: ["ana"], x: 1 }, { users: ["ana"] })],
      [["PATCH", "/_gate/api/rolesmapping/hr", [{ op: "remove", path: "/x" }]]],
    ));
  it("delete: DELETE", () =>
    check([mapping("hr", { users: ["ana"] }, undefined)], [["DELETE", "/_gate/api/rolesmapping/hr"]]));
  it("the name is encoded", () =>
    check([mapping("ä b+c#", { users: ["a"] }, undefined)], [["DELETE", "/_gate/api/rolesmapping/%C3%A4%20b%2Bc%23"]]));
  for (const name of ["a/b", "50%", ".", ".."]) {
    it(`the name ${name} travels in the body`, () =>
      check(
        [mapping(name, { users: ["a"] }, undefined)],
        [["PATCH", "/_gate/api/rolesmapping", [{ op: "remove", path: `/${name.replace("/", "~1")}` }]]],
      ));
  }
});

describe("more than one change in a family", () => {
  it("is one bulk PATCH", () =>
    check(
      [
        mapping("a", undefined, { users: ["x"] }),
        mapping("b", { users: ["x"] }, { users: ["y"], description: "d" }),
        mapping("c", { users: ["x"] }, undefined),
      ],
      [
        [
          "PATCH",
          "/_gate/api/rolesmapping",
          [
            { op: "add", path: "/a", value: { ...empty, users: ["x"] } },
            { op: "add", path: "/b/description", value: "d" },
            { op: "add", path: "/b/users", value: ["y"] },
            { op: "remove", path: "/c" },
          ],
        ],
      ],
    ));
  for (const name of ["a~1b", "a~0b", 'quo"te', "back\\slash", "tab\t", "a[0]"]) {
    it(`the name ${JSON.stringify(name)}, which no pointer reaches safely, goes alone`, () =>
      check(
        [mapping("x", { users: ["a"] }, undefined), mapping(name, undefined, { users: ["a"] })],
        [
          ["DELETE", "/_gate/api/rolesmapping/x"],
          ["PUT", `/_gate/api/rolesmapping/${encodeURIComponent(name)}`, { ...empty, users: ["a"] }],
        ],
      ));
  }
  it("goes to the path that the collection answered to", () =>
    check(
      [mapping("a", { users: ["x"] }, undefined), mapping("b", { users: ["x"] }, undefined)],
      [
        [
          "PATCH",
          "/_gate/api/rolesmapping/",
          [
            { op: "remove", path: "/a" },
            { op: "remove", path: "/b" },
          ],
        ],
      ],
      { path: "/_gate/api/rolesmapping/" },
    ));
});

describe("names that no URL carries", () => {
  for (const name of ["", "\ud800"]) {
    it(`${JSON.stringify(name)} travels in the body`, () =>
      check(
        [mapping(name, { users: ["a"] }, undefined)],
        [["PATCH", "/_gate/api/rolesmapping", [{ op: "remove", path: `/${name}` }]]],
      ));
  }
});

describe("without PATCH", () => {
  const changes = [
    mapping("a", undefined, { users: ["x"] }),
    mapping("b", { users: ["x"], y: 1 }, { users: ["y"], y: 1 }),
    mapping("c", { users: ["x"] }, undefined),
  ];
  const expected = [
    ["PUT", "/_gate/api/rolesmapping/a", { ...empty, users: ["x"] }],
    ["PUT", "/_gate/api/rolesmapping/b", { ...empty, users: ["y"], y: 1 }],
    ["DELETE", "/_gate/api/rolesmapping/c"],
  ];
  it("of an old engine, each change is a PUT or a DELETE, unknown fields kept", () =>
    check(changes, expected, { engine: "6.3.2" }));
  it("that the server refused, too", () => check(changes, expected, { refused: ["role_mappings"] }));
  it("roles are patched all the same on an old engine", () =>
    check(
      [change("roles", "r", { cluster_permissions: ["a"] }, { cluster_permissions: ["b"] })],
      [["PATCH", "/_gate/api/roles/r", [{ op: "add", path: "/cluster_permissions", value: ["b"] }]]],
      { engine: "6.3.2" },
    ));
});

describe("action groups of 6.x-25", () => {
  const group = (name: string, before?: Fields, after?: Fields) => change("action_groups", name, before, after);
  const [read, write] = [{ allowed_actions: ["read"] }, { allowed_actions: ["write"] }];
  it("are put with `permissions`", () =>
    check([group("g", undefined, read)], [["PUT", "/_gate/api/actiongroups/g", { permissions: ["read"] }]], {
      release: "6.x-25",
    }));
  it("are patched at `/permissions`", () =>
    check(
      [group("g", read, write)],
      [["PATCH", "/_gate/api/actiongroups/g", [{ op: "replace", path: "/permissions", value: ["write"] }]]],
      { release: "6.x-25" },
    ));
  it("are bare lists in bulk", () =>
    check(
      [group("g", undefined, read), group("h", read, write)],
      [
        [
          "PATCH",
          "/_gate/api/actiongroups",
          [
            { op: "add", path: "/g", value: ["read"] },
            { op: "add", path: "/h", value: ["write"] },
          ],
        ],
      ],
      { release: "6.x-25" },
    ));
});

describe("blocks of gate", () => {
  it("have one string as value", () =>
    check(
      [change("blocks", "b", undefined, { type: "ip", value: ["10.0.0.1"], verdict: "disallow" })],
      [["PUT", "/_gate/api/blocks/b", { type: "ip", value: "10.0.0.1", verdict: "disallow" }]],
    ));
});

describe("Search Guard 6", () => {
  const six: Setting = { product: "search-guard", release: "6", engine: "6.5.4" };
  const role = (before?: Fields, after?: Fields) => change("roles", "r", before, after);
  const cluster = { cluster_permissions: ["A"] };
  const indices = { index_permissions: [{ index_patterns: ["a.b"], allowed_actions: ["READ"] }] };
  const roles = "/_searchguard/api/roles";
  it("has its own words for the fields of a role, and gets each of them whole", () => {
    check(
      [role(undefined, { ...cluster, ...indices })],
      [["PUT", `${roles}/r`, { cluster: ["A"], indices: { "a.b": { "*": ["READ"] } } }]],
      six,
    );
    check(
      [role(cluster, { ...cluster, ...indices })],
      [["PATCH", `${roles}/r`, [{ op: "add", path: "/indices", value: { "a.b": { "*": ["READ"] } } }]]],
      six,
    );
  });
  it("keeps one of `cluster` and `indices`, and an empty map does not count", () =>
    check(
      [role(indices, {})],
      [
        [
          "PATCH",
          `${roles}/r`,
          [
            { op: "add", path: "/indices", value: {} },
            { op: "add", path: "/cluster", value: [] },
          ],
        ],
      ],
      six,
    ));
  it("has its own words for the lists of a mapping", () =>
    check(
      [mapping("m", { users: ["a"] }, { users: ["a"], backend_roles: ["b"] })],
      [["PATCH", "/_searchguard/api/rolesmapping/m", [{ op: "add", path: "/backendroles", value: ["b"] }]]],
      six,
    ));
  it("gets action groups whole, because a stored bare list cannot be patched", () => {
    const group = (name: string) =>
      change("action_groups", name, { allowed_actions: ["a"] }, { allowed_actions: ["b"] });
    const body = { permissions: ["b"] };
    check([group("g")], [["PUT", "/_searchguard/api/actiongroups/g", body]], six);
    check(
      [group("g"), group("h")],
      [
        [
          "PATCH",
          "/_searchguard/api/actiongroups",
          [
            { op: "add", path: "/g", value: body },
            { op: "add", path: "/h", value: body },
          ],
        ],
      ],
      six,
    );
  });
});

describe("a server that patches entries without their empty fields", () => {
  const described = [{ op: "add", path: "/description", value: "d" }];
  const lists = (path: string) => [...described, { op: "add", path, value: [] }];
  for (const [product, release, api] of [
    ["search-guard", "7", "/_searchguard/api"],
    ["opensearch", "2", "/_plugins/_security/api"],
  ] as const) {
    const server = { product, release };
    it(`${product} is given the list that it would miss`, () => {
      check(
        [mapping("m", {}, { description: "d" })],
        [["PATCH", `${api}/rolesmapping/m`, lists("/backend_roles")]],
        server,
      );
      check(
        [change("action_groups", "g", {}, { description: "d" })],
        [["PATCH", `${api}/actiongroups/g`, lists("/allowed_actions")]],
        server,
      );
    });
    it(`${product} is given nothing that it does not need`, () => {
      const users = { users: ["a"] };
      check(
        [mapping("m", users, { ...users, description: "d" })],
        [["PATCH", `${api}/rolesmapping/m`, described]],
        server,
      );
      check(
        [mapping("m", users, {})],
        [["PATCH", `${api}/rolesmapping/m`, [{ op: "add", path: "/users", value: [] }]]],
        server,
      );
      check([change("roles", "r", {}, { description: "d" })], [["PATCH", `${api}/roles/r`, described]], server);
    });
  }
});
