// Shapes that a real Search Guard 6.5.4-24 answered with.
import { describe, expect, it } from "vitest";
import { decodeResource, encodeResource } from "../../../src/dialects/codec.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import type { Fields } from "../../../src/json/value.ts";

const dialect = createDialect("search-guard", "6");

function check(wire: Fields, canonical: Fields) {
  expect(decodeResource(dialect, "roles", wire)).toEqual(canonical);
}

function checkIndices(indices: Fields, ...permissions: readonly Fields[]) {
  check({ indices }, { index_permissions: permissions });
}

const allowed = (pattern: string, ...actions: readonly string[]) => ({
  index_patterns: [pattern],
  allowed_actions: actions,
});

describe("what Search Guard 6 shows of a role", () => {
  it("patterns that it took apart at their dots are one again", () =>
    checkIndices(
      {
        a: { b: { "*": { _masked_fields_: ["m"], "*": ["READ"], _dls_: "{}", _fls_: ["~x", "y"] } } },
        "logs-*": { x: { "*": ["R"] }, y: { t: ["R"] }, "*": ["S"] },
      },
      { ...allowed("a.b.*", "READ"), dls: "{}", fls: ["y", "~x"], masked_fields: ["m"] },
      allowed("logs-*", "S"),
      allowed("logs-*.x", "R"),
      { ...allowed("logs-*.y", "R"), document_types: ["t"] },
    ));
  it("so are those that it took apart half-way, because one pattern begins another", () => {
    checkIndices(
      { a: { "u.*": ["W"], t: ["R"] } },
      { ...allowed("a", "R"), document_types: ["t"] },
      allowed("a.u", "W"),
    );
    checkIndices({ a: { "*._dls_": "{}", "*.*": ["y"], "*": ["x"] } }, allowed("a", "x"), {
      ...allowed("a.*", "y"),
      dls: "{}",
    });
  });
  it("dots at the ends of a pattern", () => {
    checkIndices({ "": { x: { "*": ["R"] } } }, allowed(".x", "R"));
    checkIndices({ x: { "": { "*": ["R"] } } }, allowed("x.", "R"));
    checkIndices({ x: { "": { y: { "*": ["R"] } } } }, allowed("x..y", "R"));
  });
  it("defaults and nothing are one thing", () =>
    checkIndices(
      { a: { "*": ["R"], _dls_: "", _fls_: [] }, b: { "*": ["S"], _dls_: null } },
      allowed("a", "R"),
      allowed("b", "S"),
    ));
  it("a pattern that only restricts, with or without an empty list", () => {
    const restricted = { index_patterns: ["a"], dls: "{}" };
    checkIndices({ a: { _dls_: "{}" } }, restricted);
    checkIndices({ a: { "*": [], _dls_: "{}" } }, restricted);
  });
  it("one action without its list", () => checkIndices({ a: { "*": "READ" } }, allowed("a", "READ")));
  it("tenants, taken apart or not; what is not RW is RO", () =>
    check(
      { tenants: { t: { a: "RW" }, u: "RO", v: "XX", w: "rw", "w.x": "RO" } },
      {
        tenant_permissions: [
          { tenant_patterns: ["t.a"], allowed_actions: ["SGS_KIBANA_ALL_WRITE"] },
          { tenant_patterns: ["u"], allowed_actions: ["SGS_KIBANA_ALL_READ"] },
          { tenant_patterns: ["v"], allowed_actions: ["SGS_KIBANA_ALL_READ"] },
          { tenant_patterns: ["w"], allowed_actions: ["SGS_KIBANA_ALL_WRITE"] },
          { tenant_patterns: ["w.x"], allowed_actions: ["SGS_KIBANA_ALL_READ"] },
        ],
      },
    ));
  it("what is unknown is kept", () =>
    check({ cluster: ["b", "a"], x: "1" }, { cluster_permissions: ["a", "b"], x: "1" }));
});

describe("what is sent to Search Guard 6", () => {
  const sent = (value: Fields) => encodeResource(dialect, "roles", value);
  it("is a map of patterns and types", () =>
    expect(
      sent({
        cluster_permissions: ["A"],
        index_permissions: [
          { ...allowed("a.b", "READ"), dls: "{}", fls: ["x"], masked_fields: ["m"] },
          { ...allowed("a.b", "WRITE"), document_types: ["doc"], dls: "{}", fls: ["x"], masked_fields: ["m"] },
          { index_patterns: ["c"], dls: "{}" },
        ],
        tenant_permissions: [
          { tenant_patterns: ["t"], allowed_actions: ["SGS_KIBANA_ALL_WRITE"] },
          { tenant_patterns: ["u"], allowed_actions: ["SGS_KIBANA_ALL_READ"] },
        ],
      }),
    ).toEqual({
      cluster: ["A"],
      indices: {
        "a.b": { "*": ["READ"], doc: ["WRITE"], _dls_: "{}", _fls_: ["x"], _masked_fields_: ["m"] },
        c: { "*": [], _dls_: "{}" },
      },
      tenants: { t: "RW", u: "RO" },
    }));
  it("has `cluster`, because a role without both of two is refused, and no empty map, which counts for nothing", () =>
    expect(sent({})).toEqual({ cluster: [] }));
});
