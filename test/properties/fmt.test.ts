// `gate-sync fmt` changes space and nothing else: values, their order, comments and anchors stay; a second run changes nothing.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isError } from "../../src/diagnostics/diagnostic.ts";
import { createSourceFile } from "../../src/diagnostics/source.ts";
import { listComments } from "../../src/edit/comments.ts";
import { formatYaml } from "../../src/edit/format.ts";
import { parseDocuments } from "../../src/load/yaml.ts";
import { toValue } from "../../src/model/node.ts";
import { generateFixture, layOut, randomFrom } from "../fixtures/index.ts";
import { inventMap, writeWildYaml } from "../fixtures/wild-yaml.ts";
import { corpus, hasCorpus } from "../support/corpus.ts";
import { seeds } from "./seed.ts";

const meaningOf = (text: string) => {
  const { documents, diagnostics } = parseDocuments(createSourceFile("", text.replace(/^\ufeff/, "")));
  return { values: JSON.stringify(documents.map(toValue)), errors: diagnostics.filter(isError).length };
};
const withoutSpace = (text: string) => text.replace(/\s+/g, "");

function expectFormatted(text: string, about: string): string {
  const { text: formatted, problem } = formatYaml(text);
  if (formatted === undefined) throw new Error(`${about}: ${problem}\n${text}`);
  expect(meaningOf(formatted), `${about}\n${text}`).toEqual(meaningOf(text));
  expect(listComments(formatted.replace(/^\ufeff/, "")), about).toEqual(listComments(text.replace(/^\ufeff/, "")));
  expect(withoutSpace(formatted), about).toBe(withoutSpace(text));
  expect(formatYaml(formatted).text, `${about}: again\n${text}\n----\n${formatted}`).toBe(formatted);
  return formatted;
}

describe("fmt changes space alone", () => {
  test("of files laid out at random", () => {
    for (const each of seeds(3_000, 500)) {
      const random = randomFrom(`fmt ${each}`);
      const text = writeWildYaml(inventMap(random, 0, 1), random);
      expectFormatted(text, `seed ${each}`);
      const crlf = expectFormatted(`\ufeff${text.replaceAll("\n", "\r\n")}`, `seed ${each}, CRLF`);
      expect(crlf.startsWith("\ufeff")).toBe(true);
      if (text.includes("\n")) expect(crlf.replaceAll("\r\n", "")).not.toContain("\n");
    }
  });

  test("and comes to one layout, however one file was indented", () => {
    let count = 0;
    for (const each of seeds(500, 100)) {
      const value = inventMap(randomFrom(`fmt value ${each}`), 0, 1);
      // The same choices of brackets and quotes, other indentation.
      const text = writeWildYaml(value, randomFrom(`fmt layout ${each}`), { plain: true });
      const deeper = text.replace(/^ +/gm, (spaces) => spaces + spaces);
      // What begins in the line of a dash is not moved with the others.
      if (JSON.stringify(meaningOf(deeper)) !== JSON.stringify(meaningOf(text))) continue;
      count++;
      expect(formatYaml(deeper).text, `seed ${each}`).toBe(formatYaml(text).text);
    }
    expect(count).toBeGreaterThan(50);
  });

  test("of state files", () => {
    for (const each of seeds(20, 3))
      for (const [path, text] of layOut(generateFixture({ seed: each, size: 100, nastyNames: 0.2, config: "drift" })))
        if (/\.ya?ml$/.test(path)) expectFormatted(text, `seed ${each} ${path}`);
  });

  test.skipIf(!hasCorpus)("of those of the corpus (skipped where GATE_SYNC_CORPUS names no copy)", () => {
    const paths = readdirSync(corpus, { recursive: true, encoding: "utf8" }).filter((path) => /\.ya?ml$/.test(path));
    let count = 0;
    for (const path of paths.filter((path) => statSync(join(corpus, path)).isFile())) {
      const text = readFileSync(join(corpus, path), "utf8");
      if (meaningOf(text).errors > 0) continue;
      expectFormatted(text, path);
      count++;
    }
    expect(count).toBeGreaterThan(350);
  });
});
