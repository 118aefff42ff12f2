import { describe, expect, it } from "vitest";
import { decodeFamily } from "../../../src/dialects/codec.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import { Secret } from "../../../src/json/secret.ts";
import { type JsonObject, reveal, type Value } from "../../../src/json/value.ts";
import type { Action } from "../../../src/model/change.ts";
import type { ResourceFamily } from "../../../src/model/names.ts";
import type { Product } from "../../../src/model/plan.ts";
import { createTests, removeSecretTests } from "../../../src/plan/tests.ts";

interface Setting {
  readonly product?: Product;
  readonly release?: string;
  readonly family?: ResourceFamily;
  readonly action?: Action;
  /** Inside a PATCH of the collection; else of the one entry. */
  readonly bulk?: boolean;
}

/** @param expected path and value of each `test` */
function check(wire: unknown, expected: readonly unknown[], setting: Setting = {}) {
  const { product = "search-guard", release = "7.x-38", family = "roles", action = "update", bulk = true } = setting;
  const dialect = createDialect(product, release, "7.5.1");
  const live = decodeFamily(dialect, family, { e: wire })?.get("e");
  if (!live) throw new Error("no such entry");
  const change = { family, name: "e", action, reason: "declared", edits: [], live } as const;
  const tests = createTests(change, dialect, bulk ? ["e"] : []);
  expect(tests.map(({ op, path, value }) => [op, path, value])).toEqual(
    expected.map((test) => ["test", ...(test as [])]),
  );
}

const whole = (value: Value) => [["/e", value]];
const permission = { index_patterns: ["i"], dls: "", fls: [], masked_fields: [], allowed_actions: ["READ"] };
const shown = { reserved: false, hidden: false, static: false, cluster_permissions: ["a"], tenant_permissions: [] };

describe("Search Guard 7: the object less its defaults", () => {
  it("flags that are down and empty lists, inside permissions too", () =>
    check(
      { ...shown, index_permissions: [permission] },
      whole({ cluster_permissions: ["a"], index_permissions: [{ index_patterns: ["i"], allowed_actions: ["READ"] }] }),
    ));
  it("an empty permission stays as one", () =>
    check({ index_permissions: [{ index_patterns: [] }] }, whole({ index_permissions: [{}] })));
  it("an entry of defaults alone is an empty object", () => check({ ...shown, cluster_permissions: [] }, whole({})));
  it("an empty text goes, a text and nulls in lists stay", () => {
    check({ description: "", users: ["u", null, ""] }, whole({ users: ["u", null, ""] }), { family: "role_mappings" });
    check({ description: "d" }, whole({ description: "d" }), { family: "tenants" });
  });
  it("null is null", () => check(null, whole(null), { family: "tenants" }));
  it("in a PATCH of the entry alone it is the document", () =>
    check({ description: "d" }, [["", { description: "d" }]], { family: "tenants", bulk: false }));
  it("a field that we do not know is tested like the others", () =>
    check({ ips: ["10.0.0.1"], other: [], on: true }, whole({ ips: ["10.0.0.1"], on: true }), {
      family: "role_mappings",
    }));
  it("an object of which parts may be left out: none", () => {
    check({ ...shown, x: { a: false } }, []);
    check({ ...shown, index_permissions: [{ ...permission, x: { a: "b" } }] }, []);
    check({ ...shown, index_permissions: [{ ...permission, x: [{ a: "b" }] }] }, []);
  });
  it("the keys are in order, however the server shows them", () =>
    check({ users: ["u"], description: "d", hosts: ["h"] }, whole({ description: "d", hosts: ["h"], users: ["u"] }), {
      family: "role_mappings",
    }));
});

describe("Search Guard 6: the stored object", () => {
  const six = { release: "6" } as const;
  it("empty lists and texts are part of it, taken apart at their dots", () => {
    const role = { cluster: [], indices: { i: { "x*": { "*": ["READ"], _dls_: "" } } }, tenants: { t: { a: "RW" } } };
    check(role, whole(role), six);
  });
  it("a group may be a bare list", () => check(["READ"], whole(["READ"]), { ...six, family: "action_groups" }));
  it("a character that no body may hold: none", () => check({ cluster: ["\u{1d11e}"] }, [], six));
});

describe("gate: each field that is not at its default", () => {
  const gate = { product: "gate", release: "7.x-43.0.0" } as const;
  it("as it is shown", () =>
    check(
      { ...shown, index_permissions: [permission] },
      [
        ["/e/cluster_permissions", ["a"]],
        ["/e/index_permissions", [permission]],
      ],
      gate,
    ));
  it("in a PATCH of the entry alone below the document", () =>
    check({ ...shown }, [["/cluster_permissions", ["a"]]], { ...gate, bulk: false }));
  it("a number may have been another one: not this field", () =>
    check(
      { ...shown, x: { a: 1 }, y: "z" },
      [
        ["/e/cluster_permissions", ["a"]],
        ["/e/y", "z"],
      ],
      gate,
    ));
  it("a group of 6.x-25 is its list", () => {
    const six = { product: "gate", release: "6.x-25", family: "action_groups" } as const;
    check(["READ"], [["/e", ["READ"]]], six);
    check(["READ"], [["/permissions", ["READ"]]], { ...six, bulk: false });
    check([], [], six);
  });
});

describe("none", () => {
  it("of what is created", () => check({ users: ["u"] }, [], { family: "role_mappings", action: "create" }));
  it("where the server takes no test", () => check({ ...shown }, [], { product: "opensearch", release: "2.19" }));
  it("where reading may have changed it", () => {
    const wires: readonly JsonObject[] = [{ users: ["\ud800"] }, { users: ["\ufffd"] }, { users: ["u"], x: 1.5 }];
    for (const wire of wires) check(wire, [], { family: "role_mappings" });
  });
});

it("in a PATCH that carries a secret no text of a test is in the open", () => {
  const test = { op: "test", path: "/e", value: { description: "old", on: true } };
  const step = { op: "add", path: "/e/description", value: new Secret("env:NOTE", "new") };
  const [hidden, ...rest] = removeSecretTests([test, step]);
  expect(JSON.stringify(hidden)).not.toContain("old");
  expect(reveal(hidden ?? null)).toEqual(test);
  expect(rest).toEqual([step]);
  expect(removeSecretTests([test])).toEqual([test]);
});

it("OpenSearch before 2.10 is tested as Search Guard 7", () =>
  check({ ...shown }, whole({ cluster_permissions: ["a"] }), { product: "opensearch", release: "2.9" }));
