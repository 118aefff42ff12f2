import { describe, expect, it } from "vitest";
import { decodeFamily } from "../../../src/dialects/codec.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import type { Json } from "../../../src/json/value.ts";

describe("the answer to GET of a collection", () => {
  const check = (body: Json, expected: readonly string[] | undefined) => {
    const found = decodeFamily(createDialect("search-guard", "7"), "roles", body);
    expect(found && [...found].map(([name, { ownership }]) => `${name} ${ownership}`)).toEqual(expected);
  };
  it("is a map of names", () => check({ a: {}, "557": {} }, ["557 open", "a open"]));
  it("may hold the header of the document, which is no entry", () =>
    check({ _meta: { type: "roles", config_version: 2 } }, []));
  it("is not understood where it is something else", () => {
    for (const body of [null, 1, "x", [], { a: 1 }, { a: null }, { error: "no", status: 401 }]) check(body, undefined);
  });
  it("may hold a tenant that is null, and nothing else that is", () => {
    const [tenant] = decodeFamily(createDialect("search-guard", "7"), "tenants", { t: null })?.values() ?? [];
    expect(tenant).toEqual({ family: "tenants", name: "t", value: {}, ownership: "open", isNull: true, wire: null });
  });
  it("is an error whatever its status, where it looks like one", () =>
    check({ error: { root_cause: [], type: "x", reason: "y" } }, undefined));
  it("distinguishes the server's own from ours, and errs on the safe side", () =>
    check(
      {
        a: { static: true },
        b: { reserved: "true" },
        c: { hidden: true },
        d: { readonly: "TRUE" },
        e: { reserved: 1 },
        f: { reserved: "false" },
      },
      ["a static", "b reserved", "c reserved", "d reserved", "e reserved", "f open"],
    ));
});
