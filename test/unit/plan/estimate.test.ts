// What writing role mappings costs an OpenSearch grows with all its roles: reported, waited for, and cut where it is too much.
import { describe, expect, it } from "vitest";
import { createDialect } from "../../../src/dialects/index.ts";
import type { Fields } from "../../../src/json/value.ts";
import type { Action, Change } from "../../../src/model/change.ts";
import type { LiveState } from "../../../src/model/live.ts";
import type { Product } from "../../../src/model/plan.ts";
import { planChanges } from "../../../src/plan/plan.ts";

const role: Fields = { description: "x".repeat(984) };
const charactersOfRole = JSON.stringify(role).length;

function planned(
  mappings: number,
  roles: number,
  { action = "create" as Action, product = "opensearch" as Product } = {},
) {
  const dialect = createDialect(product, product === "opensearch" ? "2" : "7");
  const names = Array.from({ length: roles }, (_, at) => `r${at}`);
  const held = names.map((name) => [name, { family: "roles", name, value: role, ownership: "open" }] as const);
  const live: LiveState = { resources: new Map([["roles", new Map(held)]]), paths: new Map() };
  const value = { users: ["u"] };
  const changes = Array.from({ length: mappings }, (_, at): Change => {
    const side = action === "delete" ? { before: value } : { after: value };
    return { family: "role_mappings", name: `r${at}`, action, reason: "declared", edits: [], ...side };
  });
  const wire = { dialect, withoutPatch: new Map(), paths: new Map() };
  return planChanges({ changes, live, policies: {}, protect: [], waiving, wire }).operations;
}

const waiving = { allowed: ["deletions"], waivers: [], today: "2026-01-01" };

/** Milliseconds for so many mappings beside so many roles of 1 000 characters. */
const cost = (mappings: number, roles: number) => Math.round(mappings * roles * 0.13 * (charactersOfRole / 1000));

describe("the estimate of a request", () => {
  it("grows with mappings and roles", () => {
    expect(planned(300, 1_000).map(({ estimate }) => estimate)).toEqual([cost(300, 1_000)]);
  });
  it("is not shown below ten seconds", () =>
    expect(planned(70, 1_000).map(({ estimate }) => estimate)).toEqual([undefined]));
  it("is a third for what goes", () => {
    const [operation] = planned(600, 1_000, { action: "delete" });
    expect(operation?.estimate).toBe(Math.round(cost(600, 1_000) / 3));
  });
  it("is no matter on other products", () =>
    expect(planned(900, 1_000, { product: "search-guard" }).map(({ estimate }) => estimate)).toEqual([undefined]));
});

describe("a request estimated above five minutes", () => {
  const operations = planned(3_000, 1_000);

  it("is cut into as few equal ones as keep below", () => {
    expect(operations.map(({ names }) => names.length)).toEqual([1_500, 1_500]);
    expect(operations.every(({ estimate = 0 }) => estimate > 0 && estimate <= 300_000)).toBe(true);
  });
  it("says why", () => expect(operations[0]?.reason).toBe("cut so that no request is estimated above 5 min"));
  it("loses nothing", () => expect(new Set(operations.flatMap(({ names }) => names)).size).toBe(3_000));
  it("carries each name's own patches", () => {
    const paths = operations.map(({ body }) => (body as readonly { path: string }[]).map(({ path }) => path));
    expect(paths.map((some) => some.length)).toEqual([1_500, 1_500]);
    expect(paths[1]?.[0]).toBe("/r1500");
  });
});
