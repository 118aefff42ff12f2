// Two libraries by different people must agree: fast-json-patch finds edits exactly where deep-diff sees a difference.
import { expect, test } from "vitest";
import { withSortedKeys } from "../../src/json/canonical.ts";
import { applyEdits, findEdits } from "../../src/json/patch.ts";
import { Secret } from "../../src/json/secret.ts";
import { type Fields, isObject, reveal, type Value } from "../../src/json/value.ts";
import { differs } from "../../src/json/witness.ts";
import { type Random, randomFrom } from "../fixtures/index.ts";
import { seeds } from "./seed.ts";

const keys = ["a", "b", "users", "", "0", "10", "a/b", "~1", "constructor", "toString", "length", "é"];
const scalars: readonly Value[] = [
  "",
  "a",
  "b",
  "0",
  "null",
  0,
  1,
  -1,
  0.5,
  true,
  false,
  null,
  "é",
  "🔑",
  "\u0000secret 0",
];

function valueFrom(random: Random, depth: number): Value {
  const kind = depth === 0 ? 0 : random.below(6);
  if (kind === 1) return new Secret("${env:S}", random.pick(["s3cret", "a", ""]));
  if (kind === 2) return Array.from({ length: random.below(4) }, () => valueFrom(random, depth - 1));
  if (kind >= 3) return fieldsFrom(random, depth - 1);
  return random.pick(scalars);
}

function fieldsFrom(random: Random, depth: number): Fields {
  return Object.fromEntries(random.some(keys, 0, 4).map((key) => [key, valueFrom(random, depth)]));
}

/** The same value with its keys in another order, secrets as plain texts here and there, and now and then a difference. */
function changed(random: Random, value: Value, rate: number): Value {
  if (random.chance(rate)) return valueFrom(random, 2);
  if (value instanceof Secret) return random.chance(0.5) ? value.reveal() : value;
  if (Array.isArray(value)) return value.map((item: Value) => changed(random, item, rate));
  if (typeof value !== "object" || value === null) return value;
  const members = random.shuffled(Object.entries(value)).filter(() => !random.chance(rate));
  return Object.fromEntries(members.map(([key, item]) => [key, changed(random, item, rate)]));
}

/** The third opinion: no library at all. */
function textOf(value: Value): string {
  return JSON.stringify(withSortedKeys(reveal(value)));
}

/** All three say the same; true where they find a difference. */
function apart(before: Fields, after: Fields): boolean {
  const texts = [textOf(before), textOf(after)];
  const isApart = texts[0] !== texts[1];
  const seen = { edits: findEdits(before, after).length > 0, witness: differs(before, after) };
  expect(seen, texts.join("\n")).toEqual({ edits: isApart, witness: isApart });
  expect([textOf(before), textOf(after)], "nothing that was handed in is changed").toEqual(texts);
  return isApart;
}

test.each(seeds(8))("five hundred pairs of random values, seed %i", (seed) => {
  const random = randomFrom(`witness ${seed}`);
  let count = 0;
  for (let pair = 0; pair < 500; pair++) {
    const before = fieldsFrom(random, 3);
    const after = changed(random, before, random.pick([0, 0.02, 0.1, 0.3]));
    if (!isObject(after)) continue;
    if (apart(before, after)) count++;
    expect(textOf(applyEdits(before, findEdits(before, after)))).toBe(textOf(after));
  }
  // Both kinds are met.
  expect(count).toBeGreaterThan(100);
  expect(count).toBeLessThan(400);
});

test.each([
  ["an empty list and none", { a: [] }, {}],
  ["a text and a number", { a: "1" }, { a: 1 }],
  ["null and absent", { a: null }, {}],
  ["null and an object", { a: null }, { a: {} }],
  ["a list and an object with its positions", { a: ["x"] }, { a: { 0: "x" } }],
  ["an empty list and an empty object", { a: [] }, { a: {} }],
  ["the same member once more", { a: ["x"] }, { a: ["x", "x"] }],
  ["an order", { a: ["x", "y"] }, { a: ["y", "x"] }],
  ["upper and lower case", { a: "x" }, { a: "X" }],
  ["characters that look alike", { a: "na\u00efve" }, { a: "nai\u0308ve" }],
  ["a name that objects have by birth", { a: JSON.parse('{"__proto__": 1}') }, { a: {} }],
  ["two values of such a name", JSON.parse('{"__proto__": {"a": 1}}'), JSON.parse('{"__proto__": {"a": 2}}')],
  ["a secret and its reference", { a: new Secret("${env:S}", "s3cret") }, { a: "${env:S}" }],
  ["a secret and another one", { a: new Secret("${env:S}", "s3cret") }, { a: new Secret("${env:S}", "else") }],
] as const)("they distinguish: %s", (_what, before, after) => {
  expect([apart(before, after), apart(after, before)]).toEqual([true, true]);
});
