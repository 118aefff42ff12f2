import { describe, expect, it, test } from "vitest";
import { findMeantField, findNearest } from "../../../src/diagnostics/suggest.ts";
import { randomFrom } from "../../fixtures/index.ts";

describe("suggestions", () => {
  const fields = ["allowed_actions", "index_patterns", "fls", "dls", "hosts"];
  const check = (word: string, expected: string | undefined) => expect(findNearest(word, fields)).toBe(expected);
  it("mend a missing character", () => check("alowed_actions", "allowed_actions"));
  it("mend swapped characters", () => check("index_pattersn", "index_patterns"));
  it("mend a missing plural", () => check("host", "hosts"));
  it("mend the case", () => check("FLS", "fls"));
  it("stay silent where nothing is near", () => check("hash", undefined));
  it("stay silent of what is no name", () => expect(findNearest("x".repeat(3000), ["x".repeat(2999)])).toBe(undefined));
});

test.each([
  ["cacert", "ca"],
  ["ca_file", "ca"],
  ["client_key", "key"],
  ["crt", "cert"],
  ["user", undefined],
])("the field %s of a TLS section means %s", (field, meant) =>
  expect(findMeantField(field, ["ca", "cert", "key", "insecure"])).toBe(meant),
);

test.each([
  ["indices", "index_patterns"],
  ["Names", "index_patterns"],
  ["patterns", "index_patterns"],
  ["actions", "allowed_actions"],
  ["permissions", "allowed_actions"],
  ["privileges", "allowed_actions"],
  ["query", "dls"],
  ["groups", undefined],
])("the field %s of an index permission means %s", (field, meant) =>
  expect(findMeantField(field, ["index_patterns", "allowed_actions", "dls", "fls"])).toBe(meant),
);

test.each(["groups", "roles"])("the field %s of a role mapping means backend_roles", (field) =>
  expect(findMeantField(field, ["users", "backend_roles", "hosts"])).toBe("backend_roles"),
);

/** What is meant by near, in the plainest words: all distances, and the first of the least. */
function plainlyNearest(word: string, candidates: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3));
  const distances = candidates.map(
    (each) => [each, distance([...word.toLowerCase()], [...each.toLowerCase()])] as const,
  );
  const near = distances.filter(([each, far]) => far <= limit && Math.abs(each.length - word.length) <= limit);
  const least = Math.min(...near.map(([, far]) => far));
  return near.find(([, far]) => far === least)?.[0];
}

/** Edits by their definition; two neighbours that are swapped, and nothing else, are one. */
function distance(a: readonly string[], b: readonly string[]): number {
  const isSwap = a.some((_, at) => [...a.slice(0, at), a[at + 1], a[at], ...a.slice(at + 2)].join("") === b.join(""));
  return isSwap && a.join("") !== b.join("") ? 1 : edits(a, b);
}

function edits(a: readonly string[], b: readonly string[], known = new Map<string, number>()): number {
  if (a.length === 0 || b.length === 0) return a.length + b.length;
  const key = `${a.length} ${b.length}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const [restA, restB] = [a.slice(1), b.slice(1)];
  const least = Math.min(
    edits(restA, restB, known) + (a[0] === b[0] ? 0 : 1),
    edits(restA, b, known) + 1,
    edits(a, restB, known) + 1,
  );
  known.set(key, least);
  return least;
}

test("the nearest is what the plain definition says, whatever the words", () => {
  const random = randomFrom("suggestions");
  const word = () =>
    Array.from({ length: random.below(9) }, () => random.pick(["a", "b", "c", "B", "-", "ä", "\u017f"])).join("");
  const longer = () => `${word()}${word()}${word()}`;
  const edited = (text: string) => {
    const at = random.below(text.length + 1);
    return random.pick([
      text.slice(0, at) + text.slice(at + 1),
      `${text.slice(0, at)}c${text.slice(at)}`,
      [...text].reverse().join(""),
    ]);
  };
  let found = 0;
  for (let round = 0; round < 1500; round++) {
    const candidates = Array.from({ length: 1 + random.below(8) }, random.chance(0.5) ? word : longer);
    const meant = random.chance(0.7) ? edited(edited(random.pick(candidates))) : longer();
    const expected = plainlyNearest(meant, candidates);
    if (expected !== undefined) found++;
    expect(findNearest(meant, candidates), JSON.stringify([meant, candidates])).toBe(expected);
  }
  expect(found).toBeGreaterThan(500);
  expect(found).toBeLessThan(1450);
});
