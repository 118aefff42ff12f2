import { describe, expect, it } from "vitest";
import { createDialect } from "../../../src/dialects/index.ts";
import type { Fields, Value } from "../../../src/json/value.ts";
import type { ResourceFamily } from "../../../src/model/names.ts";
import { canonicaliseEntry, listServerFlags } from "../../../src/normalise/resource.ts";

const dialect = createDialect("gate", "7.x-43.0.0");
const withTypes = { ...dialect, documentTypes: true };

function check(family: ResourceFamily, written: Value, canonical: Fields, own = dialect) {
  expect(canonicaliseEntry(own, family, written)).toEqual(canonical);
}

describe("defaults", () => {
  it("absent, null and empty are one thing", () => {
    check("role_mappings", { users: null, hosts: [], description: "" }, {});
    check("roles", { index_permissions: [], tenant_permissions: null }, {});
    check(
      "roles",
      { index_permissions: [{ index_patterns: ["a"], dls: "", fls: null, masked_fields: [] }] },
      {
        index_permissions: [{ index_patterns: ["a"] }],
      },
    );
  });
  it("a null entry is an empty one", () => check("tenants", null, {}));
});

describe("sets", () => {
  it("are sorted and unique", () => check("role_mappings", { users: ["b", "a", "b"] }, { users: ["a", "b"] }));
  it("hold text", () => check("role_mappings", { users: [1, true] }, { users: ["1", "true"] }));
});

describe("index permissions", () => {
  it("are never merged by pattern: the same pattern with another query is an OR", () =>
    check(
      "roles",
      {
        index_permissions: [
          { index_patterns: ["a"], dls: "2" },
          { index_patterns: ["a"], dls: "1" },
          { index_patterns: ["a"], dls: "1" },
        ],
      },
      {
        index_permissions: [
          { index_patterns: ["a"], dls: "1" },
          { index_patterns: ["a"], dls: "1" },
          { index_patterns: ["a"], dls: "2" },
        ],
      },
    ));
  it("keep the bytes of a query", () =>
    check("roles", { index_permissions: [{ dls: ' {"a" : 1}\n' }] }, { index_permissions: [{ dls: ' {"a" : 1}\n' }] }));
});

describe("roles of 6.x", () => {
  const written = {
    cluster: ["CLUSTER_MONITOR"],
    indices: {
      "logs-*": { "*": ["READ"], doc: ["WRITE"], _dls_: "{}", _fls_: ["~a"], _masked_fields_: ["b"] },
      "x?y": { "*": "READ" },
    },
    tenants: { t: "RW", u: "RO" },
  };
  const tenants = [
    { tenant_patterns: ["t"], allowed_actions: ["SGS_KIBANA_ALL_WRITE"] },
    { tenant_patterns: ["u"], allowed_actions: ["SGS_KIBANA_ALL_READ"] },
  ];
  it("unite their document types where the product has none", () =>
    check("roles", written, {
      cluster_permissions: ["CLUSTER_MONITOR"],
      index_permissions: [
        {
          index_patterns: ["logs-*"],
          dls: "{}",
          fls: ["~a"],
          masked_fields: ["b"],
          allowed_actions: ["READ", "WRITE"],
        },
        { index_patterns: ["x?y"], allowed_actions: ["READ"] },
      ],
      tenant_permissions: tenants,
    }));
  it("so do roles in words of 7.x", () =>
    check(
      "roles",
      { index_permissions: [{ index_patterns: ["a"], document_types: ["t"], allowed_actions: ["READ"] }] },
      { index_permissions: [{ index_patterns: ["a"], allowed_actions: ["READ"] }] },
    ));
  it("grant nothing in a tenant without a word on it", () =>
    check("roles", { tenant_permissions: [{ tenant_patterns: ["t"], allowed_actions: [] }] }, {}, withTypes));
  it("keep them where it has", () =>
    check(
      "roles",
      { indices: { a: { "*": ["READ"], doc: ["WRITE"] } } },
      {
        index_permissions: [
          { index_patterns: ["a"], allowed_actions: ["READ"] },
          { index_patterns: ["a"], document_types: ["doc"], allowed_actions: ["WRITE"] },
        ],
      },
      withTypes,
    ));
});

describe("other spellings", () => {
  const actions = { allowed_actions: ["a", "b"] };
  it("of action groups", () => {
    check("action_groups", ["b", "a"], actions);
    check("action_groups", "a", { allowed_actions: ["a"] });
    check("action_groups", { permissions: ["b", "a"] }, actions);
    check("action_groups", { allowed_actions: ["b"], permissions: ["a"] }, actions);
  });
  it("of mappings", () =>
    check(
      "role_mappings",
      { backendroles: ["x"], and_backendroles: ["y"] },
      { backend_roles: ["x"], and_backend_roles: ["y"] },
    ));
  it("of a block's value", () => check("blocks", { value: "a" }, { value: ["a"] }));
  it("flags and what no server reads go no further", () =>
    check(
      "role_mappings",
      { users: ["a"], reserved: false, hidden: false, static: false, readonly: false, expires: "15" },
      {
        users: ["a"],
      },
    ));
});

describe("an entry of the server's own", () => {
  const cases: readonly (readonly [Value, boolean])[] = [
    [{ reserved: true }, true],
    [{ hidden: true }, true],
    [{ static: true }, true],
    [{ readonly: "true" }, true],
    [{ reserved: false }, false],
    [{}, false],
    [["a"], false],
    [null, false],
  ];
  for (const [written, expected] of cases) {
    it(`${JSON.stringify(written)}: ${expected}`, () => expect(listServerFlags(written).length > 0).toBe(expected));
  }
});
