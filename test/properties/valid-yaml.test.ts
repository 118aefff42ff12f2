// Files are read by js-yaml where there is nothing to report: wherever it reads one, yaml finds the very same nodes, and nothing wrong.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { parseValid } from "../../src/load/valid-yaml.ts";
import { parseWholly } from "../../src/load/yaml.ts";
import { generateFixture, layOut, type Random, randomFrom } from "../fixtures/index.ts";
import { corpus, hasCorpus } from "../support/corpus.ts";
import { countOf } from "../support/extent.ts";
import { seed } from "./seed.ts";

const ownFolder = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const written = [ownFolder("examples"), ownFolder("test/cases")].flatMap(textsIn);
const found = hasCorpus ? textsIn(corpus) : [];
const made = fixtureOf(0);
const toJson = (text: string, space?: string) => JSON.stringify(load(text), null, space);
const formats: readonly (readonly [string, (text: string) => string])[] = [
  ["carriage returns", (text) => text.replaceAll("\n", "\r\n")],
  ["tabs in comments", (text) => `# a\tb\n${text.replace("\n", " \t# c\td\n")}`],
  ["a comment behind the mark of a document", (text) => `--- # c\n${text}`],
  ["several documents", (text) => `${text}---\n{}\n---\n# c\n---\n${text}`],
  ["an anchor and a merge key", (text) => `x: &x {a: [b]}\ny:\n  <<: *x\n  c: *x\n---\n${text}`],
  ["folded text", (text) => `x: >-\n  a\n  b\n\n  c\ny: >\n  d\n\n   e\n---\n${text}`],
  ["JSON on one line", (text) => toJson(text)],
  ["JSON over many lines", (text) => toJson(text, "  ")],
  ["JSON indented by tabs", (text) => toJson(text, "\t")],
];
/** What hardly any of the files has. */
const seldom = [
  "a: &x {b: 1, c: [d]}\ne: *x\nf:\n  <<: *x\n  b: 2\ng: {<<: [*x, *x]}\n",
  "a: >\n  one\n  two\n\n  three\n   more\nb: >-\n  x\nc: |+\n  y\n\nd: |2\n   z\n",
  "---\na: 1\n---\n# c\nb: 2\n...\n---\n- c\n--- d\n--- |\n e\n",
  "a: [b, c,\n  d: e, # x\n  'f' ]\ng: {\n  h: i,\n  \"j\": [k] }\n",
  "? a\n: b\n? c\n",
  "a: one\n  two\n\n  three\nb: 'x\n  y'\nc: \"x\\\n  y\n\n  z\"\n",
  "- - a\n  - b\n-\n  - c\n- d:\n  - e\n  -\n  - &x\n  f: &y\n",
  "!!str a: !x b\n",
  "a:\t1\t# x\nb:\t[ c,\td ]\n",
  "a: |  # comment\n  x\nb: >-2\n    y\n",
  "&k a: &v\n  b: *k\n",
];

describe("files as people write them", () => {
  test("ours", () => {
    expect(readAlike(written).valid).toBeGreaterThan(0.95 * written.length);
  });

  test("the tests' own", () => {
    expect(readAlike(made).valid).toBe(made.length);
    readAlike(fixtureOf(0.2));
  });

  test.each(formats)("the tests' own, with %s", (_, format) => {
    expect(readAlike(made.map(format)).valid).toBe(made.length);
  });

  test.skipIf(!hasCorpus)("those of the corpus (skipped where GATE_SYNC_CORPUS names no copy)", () => {
    expect(readAlike(found).valid).toBeGreaterThan(0.95 * found.length);
  });
});

test(`pieces of them with mistakes in it, seed ${seed}`, () => {
  const random = randomFrom(`valid-yaml ${seed}`);
  const texts = [...written, ...found].filter((text) => text.length < 20_000);
  const batches = Array.from({ length: countOf(500_000, 20_000) }, () => {
    const batch = random.chance(0.3) ? random.pick(seldom) : batchOf(random.pick(texts), random);
    const corrupt = spoiled(batch, random);
    return random.chance(0.1) ? corrupt.replaceAll("\n", "\r\n") : corrupt;
  });
  const { valid } = readAlike(batches);
  // Both are frequent: what still is read by js-yaml, and what is left to yaml.
  expect(valid).toBeGreaterThan(0.2 * batches.length);
  expect(valid).toBeLessThan(0.8 * batches.length);
}, 600_000);

function fixtureOf(nastyNames: number): readonly string[] {
  return [...layOut(generateFixture({ seed, size: 200, nastyNames, config: "drift" })).values()];
}

/** How many of them js-yaml read. */
function readAlike(texts: readonly string[]): { readonly valid: number } {
  let valid = 0;
  for (const text of texts) {
    const file = { path: "a.yml", text };
    const documents = parseValid(file);
    if (documents === undefined) continue;
    valid += 1;
    const [here, there] = [{ documents, diagnostics: [] }, parseWholly(file)].map((parsed) =>
      JSON.stringify(parsed, withoutFile),
    );
    if (here === there) continue;
    const [own, theirs] = [JSON.parse(here ?? ""), JSON.parse(there ?? "")];
    // Many differ in the order of keys alone: an expectation for each of those takes a tenth of the whole run.
    if (!isDeepStrictEqual(own, theirs)) expect.soft(own, text).toEqual(theirs);
  }
  return { valid };
}

function withoutFile(key: string, value: unknown): unknown {
  return key === "file" ? undefined : value;
}

function textsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(ya?ml|json)$/.test(path))
    .map((path) => readFileSync(join(folder, path), "utf8").replace(/^\ufeff/, ""));
}

/** Some lines in a row, moved to the left together. */
function batchOf(text: string, random: Random): string {
  const lines = text.split("\n");
  const first = random.below(lines.length);
  const indent = /^ */.exec(lines[first] ?? "")?.[0].length ?? 0;
  const chosen = lines.slice(first, first + 1 + random.below(25));
  const moved = chosen.map((line) => (line.slice(0, indent).trim() === "" ? line.slice(indent) : line));
  return `${moved.join("\n")}${random.chance(0.7) ? "\n" : ""}`;
}

/** With up to three accidents: something left out, something twice, a mark of YAML where none should be. */
function spoiled(text: string, random: Random): string {
  let result = text;
  for (let left = random.below(4); left > 0; left--) {
    const at = random.below(result.length + 1);
    const [before, after] = [result.slice(0, at), result.slice(at)];
    const from = random.below(result.length + 1);
    result = random.pick([
      () => before + after.slice(1 + random.below(3)),
      () => before + result.slice(from, from + random.below(20)) + after,
      () => before + random.pick(marks) + after,
    ])();
  }
  return result;
}

const marks = [
  ..." :-#'\"[]{},|>&*!%@`\\?~0\n\r\t\ufeff",
  ..."- /: / #/|-\n/\\n/&a/*a/---\n/.../? /1.5/null/true/é/a: b/\n\n/<<: /0x1/-1/.5/1e3/.inf/\n  /\n    /==/\u00a0/\u3000/\n- /|\n/>-\n/|+\n/|2\n/&a /*a /: *a/\n\t/ \t/\t#/\n...\n/[]/{}/,\n/- - /? a\n: ".split(
    "/",
  ),
];
