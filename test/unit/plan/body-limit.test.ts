// Bodies that are too long for the server, or for a proxy before it.
import { describe, expect, it } from "vitest";
import { createDialect } from "../../../src/dialects/index.ts";
import { Secret } from "../../../src/json/secret.ts";
import type { Fields, Value } from "../../../src/json/value.ts";
import type { Action, Change } from "../../../src/model/change.ts";
import type { Operation } from "../../../src/model/operation.ts";
import { exceeds, formatLimit, splitIntoRuns } from "../../../src/plan/body-limit.ts";
import { bodyLimit } from "../../../src/plan/guards/body-limit.ts";
import { orderCut } from "../../../src/plan/order/stages.ts";
import { planChanges } from "../../../src/plan/plan.ts";
import { evaluated } from "./evaluated.ts";

describe("the length of a body", () => {
  it.each<[string, Value, number]>([
    ["plain characters", { a: "bc" }, 10],
    ["characters of several bytes", ["äß", "漢", "😀"], 21],
    ["what JSON escapes", '"\n\u0001', 12],
    ["half a character", "\ud800", 8],
    ["a secret by its text", [new Secret("env:X", "four")], 8],
    ["numbers and words", [1.5, true, null, -1e21], 22],
    ["nothing in it", [{}, [], ""], 10],
  ])("counts %s", (_, body, bytes) => {
    expect([exceeds(body, bytes - 1), exceeds(body, bytes)]).toEqual([true, false]);
  });
  it("is none where there is no body", () => expect(exceeds(undefined, 0)).toBe(false));
});

it.each([
  [100 * 1024 * 1024, "100 MB"],
  [2 * 1024 ** 3, "2 GB"],
  [512 * 1024, "512 KB"],
  [1500, "1500 bytes"],
])("%i bytes are shown as %s", (bytes, words) => expect(formatLimit(bytes)).toBe(words));

describe("runs of neighbours", () => {
  const step = (bytes: number): Fields => ({ "": "x".repeat(bytes - '{"":""}'.length) });
  const check = (sizes: readonly number[], limit: number, expected: readonly (readonly number[])[]) =>
    expect(splitIntoRuns(sizes, (bytes) => [step(bytes)], limit)).toEqual(expected);

  it("are filled to the last byte", () => check([9, 9, 9], 21, [[9, 9], [9]]));
  it("and not beyond", () => check([9, 9, 9], 20, [[9], [9], [9]]));
  it("leave alone what is too long", () => check([9, 99, 9, 9], 21, [[9], [99], [9, 9]]));
});

const change = (action: Action, name: string, actions: readonly string[] = []): Change => ({
  family: "action_groups",
  name,
  action,
  reason: "declared",
  edits: [{ path: ["allowed_actions"], after: [...actions] }],
  ...(action === "delete"
    ? { before: { allowed_actions: [...actions] } }
    : { after: { allowed_actions: [...actions] } }),
});

describe("the order in which a family is cut", () => {
  const check = (changes: readonly Change[], expected: string) =>
    expect(
      orderCut(changes)
        .map(({ name }) => name)
        .join(" "),
    ).toBe(expected);

  it("additions, updates, deletions", () =>
    check([change("delete", "a"), change("update", "b"), change("create", "c"), change("update", "d")], "c b d a"));
  it("what a new one is made of comes before it", () =>
    check([change("create", "a", ["c", "b"]), change("create", "b", ["c"]), change("create", "c", ["x:y"])], "c b a"));
  it("what one that goes was made of goes after it", () =>
    check([change("delete", "c"), change("delete", "b", ["c"]), change("delete", "a", ["c", "b"])], "a b c"));
  it("cycles come to an end", () =>
    check([change("create", "a", ["b"]), change("create", "b", ["c"]), change("create", "c", ["a"])], "c b a"));
  it("chains may be long", () => {
    const chain = Array.from({ length: 20_000 }, (_, at) => change("create", `g${at}`, [`g${at + 1}`]));
    expect(orderCut(chain)[0]?.name).toBe("g19999");
  });
});

describe("a plan for a target that takes little", () => {
  const wire = {
    dialect: createDialect("opensearch", "2"),
    withoutPatch: new Map(),
    paths: new Map(),
    bodyLimit: 2048,
  };
  const waiving = { allowed: ["deletions"], waivers: [], today: "2026-01-01" };
  const live = { resources: new Map(), paths: new Map() };
  const planned = (changes: readonly Change[]) =>
    planChanges({ changes, live, policies: {}, protect: [], waiving, wire });
  const groups = (count: number, length = 100) =>
    Array.from({ length: count }, (_, at) => change("create", `g${at}`, [`a:${"x".repeat(length)}`]));

  it("is cut where it has to be, and says why", () => {
    const { operations, violations } = planned(groups(20));
    expect(operations.map(({ method, names }) => [method, names.length])).toEqual([
      ["PATCH", 12],
      ["PATCH", 8],
    ]);
    expect(operations.map(({ reason }) => reason)).toEqual(Array(2).fill("split: the body limit is 2 KB"));
    expect(violations).toEqual([]);
  });
  it("is not cut where it fits", () => {
    const [operation, ...more] = planned(groups(12)).operations;
    expect([operation?.names.length, operation?.reason, more]).toEqual([12, undefined, []]);
  });
  it("is refused for what cannot be cut, however many others there are", () => {
    const { operations, violations } = planned([...groups(2), change("create", "h", [`a:${"x".repeat(2048)}`])]);
    expect(operations.map(({ names }) => names)).toEqual([["g0", "g1"], ["h"]]);
    expect(violations).toMatchObject([{ rule: "body-limit", addresses: ["action_groups/h"], remedies: [] }]);
    expect(violations[0]).not.toHaveProperty("countsEntries");
  });
  it("says of deletions that their guard counts", () => {
    const { waived } = planned([change("delete", "a"), change("delete", "b")]);
    expect(waived).toMatchObject([{ rule: "deletions", countsEntries: true }]);
  });
});

it.each([
  ["roles", "hr", 'The request for the role "hr" alone is longer than 1 KB, the most that this target takes.'],
  ["config", "config", "The request for the config alone is longer than 1 KB, the most that this target takes."],
] as const)("what is too long is named: %s", (family, name, what) => {
  const body = { description: "x".repeat(1020) };
  const operation: Operation = { family, method: "PUT", path: "/", names: [name], bulk: false, body };
  expect(bodyLimit.evaluate(evaluated([], { operations: [operation], bodyLimit: 1024 }))).toMatchObject([{ what }]);
  expect(bodyLimit.evaluate(evaluated([], { operations: [operation] }))).toEqual([]);
});
