// The part of YAML that we read ourselves: wherever we do, the whole parser finds the very same, and nothing wrong.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parseCommon } from "../../src/load/common-yaml/index.ts";
import { parseWholly } from "../../src/load/yaml.ts";
import { generateFixture, layOut, type Random, randomFrom } from "../fixtures/index.ts";
import { corpus, hasCorpus } from "../support/corpus.ts";
import { isWhole } from "../support/extent.ts";
import { seed } from "./seed.ts";

const ownFolder = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const written = [ownFolder("examples"), ownFolder("test/cases")].flatMap(textsIn);
const found = hasCorpus ? textsIn(corpus) : [];
const made = fixtureOf(0);

describe("files as people write them", () => {
  test("ours", () => {
    expect(readAlike(written).common).toBeGreaterThan(0.8 * written.length);
  });

  test("the tests' own", () => {
    expect(readAlike(made).common).toBe(made.length);
    readAlike(fixtureOf(0.2));
  });

  test.skipIf(!hasCorpus)("those of the corpus (skipped where GATE_SYNC_CORPUS names no copy)", () => {
    expect(readAlike(found).common).toBeGreaterThan(0.8 * found.length);
  });
});

test(`pieces of them with mistakes in it, seed ${seed}`, () => {
  const random = randomFrom(`common-yaml ${seed}`);
  const texts = [...written, ...found].filter((text) => text.length < 20_000);
  const batches = Array.from({ length: isWhole ? 500_000 : 20_000 }, () =>
    spoiled(batchOf(random.pick(texts), random), random),
  );
  const { common } = readAlike(batches);
  // Both are common: what still is read here, and what is left to the whole parser.
  expect(common).toBeGreaterThan(0.2 * batches.length);
  expect(common).toBeLessThan(0.8 * batches.length);
}, 600_000);

function fixtureOf(nastyNames: number): readonly string[] {
  return [...layOut(generateFixture({ seed, size: 200, nastyNames, config: "drift" })).values()];
}

/** How many of them were read here. */
function readAlike(texts: readonly string[]): { readonly common: number } {
  let common = 0;
  for (const text of texts) {
    const file = { path: "a.yml", text };
    const documents = parseCommon(file);
    if (documents === undefined) continue;
    common += 1;
    const [here, there] = [{ documents, diagnostics: [] }, parseWholly(file)].map((parsed) =>
      JSON.stringify(parsed, withoutFile),
    );
    if (here !== there) expect.soft(JSON.parse(here ?? ""), text).toEqual(JSON.parse(there ?? ""));
  }
  return { common };
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
  ..." :-#'\"[]{},|>&*!%@`\\?~0\n",
  ..."- /: / #/|-\n/\\n/&a/*a/---\n/.../? /1.5/null/true/é/a: b/\n\n/<<: /0x1/-1/.5/1e3/.inf/\n  /\n    /==/\u00a0/\u3000/\n- ".split(
    "/",
  ),
];
