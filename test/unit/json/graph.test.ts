import { expect, test } from "vitest";
import { collectReached, findCycles } from "../../../src/json/graph.ts";
import { randomFrom } from "../../fixtures/index.ts";

type Graph = Readonly<Record<string, readonly string[]>>;
const nextIn = (graph: Graph) => (name: string) => graph[name] ?? [];

test("what is reached holds the starts, and ends in a cycle", () => {
  const graph = { a: ["b"], b: ["c", "a"], c: [], d: ["a"] };
  expect([...collectReached(["a"], nextIn(graph))]).toEqual(["a", "b", "c"]);
});

test.each<[about: string, graph: Graph, cycles: readonly (readonly string[])[]]>([
  ["none", { a: ["b", "c"], b: ["c"], c: [] }, []],
  ["one that holds itself", { a: ["a"] }, [["a"]]],
  ["one behind a chain", { a: ["b"], b: ["c"], c: ["d"], d: ["b"] }, [["b", "c", "d"]]],
  [
    "two without a common name",
    { a: ["b", "c"], b: ["a"], c: ["d"], d: ["c"] },
    [
      ["c", "d"],
      ["a", "b"],
    ].reverse(),
  ],
  ["two with a common name are one", { a: ["b"], b: ["c", "a"], c: ["a"] }, [["a", "b", "c"]]],
])("cycles: %s", (_, graph, cycles) => {
  expect(findCycles(Object.keys(graph), nextIn(graph)).map(({ cycle }) => cycle)).toEqual(cycles);
});

test("what leads to a cycle is not part of it", () => {
  const graph = { a: ["b"], b: ["c"], c: ["d"], d: ["c"] };
  const found = findCycles(["a"], nextIn(graph));
  expect(found.map(({ listLead, cycle }) => [listLead(), cycle])).toEqual([
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ]);
});

test("a chain of 100 000 names is followed to its end", () => {
  const next = (name: string) => [String((Number(name) + 1) % 100_000)];
  expect(findCycles(["0"], next).map(({ cycle }) => cycle.length)).toEqual([100_000]);
});

test("50 000 cycles on one path are found in time", () => {
  const pairs = (name: string) => (Number(name) % 2 ? [String(Number(name) - 1)] : []).concat(String(Number(name) + 1));
  expect(findCycles(["0"], (name) => (Number(name) < 1e5 ? pairs(name) : [])).length).toBe(50_000);
});

test("at random: cycles are cycles without a common name, and every name that reaches itself reaches one", () => {
  const random = randomFrom("cycles");
  let found = 0;
  for (let round = 0; round < 500; round++) {
    const names = Array.from({ length: 1 + random.below(8) }, (_, at) => `n${at}`);
    const graph: Graph = Object.fromEntries(
      names.map((name) => [name, Array.from({ length: random.below(3) }, () => random.pick(names))]),
    );
    const next = nextIn(graph);
    const cycles = findCycles(names, next).map(({ cycle }) => cycle);
    found += cycles.length;
    for (const cycle of cycles) {
      for (const [at, name] of cycle.entries()) expect(next(name)).toContain(cycle[(at + 1) % cycle.length]);
    }
    expect(new Set(cycles.flat()).size).toBe(cycles.flat().length);
    for (const name of names) {
      const after = collectReached(next(name), next);
      if (after.has(name)) expect(cycles.some((cycle) => cycle.every((one) => after.has(one)))).toBe(true);
    }
  }
  expect(found).toBeGreaterThan(100);
});
