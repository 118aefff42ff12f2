// Files of other people. They are not part of the repository: without them this is skipped.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Code } from "../../../src/diagnostics/catalogue.ts";
import { isError } from "../../../src/diagnostics/diagnostic.ts";
import { loadRepository } from "../../../src/load/repository.ts";
import { corpus, hasCorpus } from "../../support/corpus.ts";

const families: Readonly<Record<string, string>> = {
  roles: "roles",
  rolesmapping: "role_mappings",
  actiongroups: "action_groups",
  tenants: "tenants",
  config: "config",
};

/** Errors that a plain state file may have, and the quirk of real files that each of them is. */
const quirks: Partial<Readonly<Record<Code, string>>> = {
  syntax: "10-12: a colon or a dash is missing",
  "duplicate-key": "1, 4, 5: a key is written twice",
  "rendered-template": "28-30: Jinja, Helm, ERB",
  "vendor-variable": `31: \${env.NAME} of the vendor's upload tool`,
  "foreign-product": "25: roles of Elasticsearch itself",
  "unknown-family": "the body of one request, kept under the name of a state file",
};

const loaded = new Map<string, ReturnType<typeof loadNow>>();

/** Each file is read once for all tests. */
function load(path: string) {
  const known = loaded.get(path) ?? loadNow(path);
  loaded.set(path, known);
  return known;
}

async function loadNow(path: string) {
  const begun = performance.now();
  const { repository, diagnostics } = await loadRepository({
    state: [path],
    cwd: corpus,
    vars: new Map(),
    env: {},
    secrets: "leave",
  });
  return {
    families: repository.documents.flatMap(({ sections }) => sections.map(({ family }) => family)),
    errors: diagnostics.filter(isError),
    diagnostics,
    milliseconds: performance.now() - begun,
  };
}

function everyFile(): readonly string[] {
  return readdirSync(corpus, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(corpus, path)).isFile())
    .sort();
}

/** State files as products keep them, by INDEX.tsv: no payloads of requests, nothing embedded, no other formats. */
function stateFiles() {
  const [, ...rows] = readFileSync(join(corpus, "INDEX.tsv"), "utf8").trim().split("\n");
  return rows
    .map((row) => row.split("\t"))
    .map(([path = "", word = "", , entries = ""]) => ({ path, family: families[word], entries: Number(entries) }))
    .filter(({ family }) => family !== undefined);
}

describe.skipIf(!hasCorpus)("the corpus of real files (skipped where GATE_SYNC_CORPUS names no copy)", () => {
  it("is read without a crash, each file in a moment", async () => {
    const slow: string[] = [];
    for (const path of everyFile()) {
      const { milliseconds, diagnostics } = await load(path);
      if (milliseconds > 5000) slow.push(path);
      expect(
        diagnostics.every(({ what, why, fix }) => what && why && fix),
        path,
      ).toBe(true);
    }
    expect(slow).toEqual([]);
  }, 120_000);

  it("is recognised as what its index says, or refused for a known quirk", async () => {
    const wrong: string[] = [];
    for (const { path, family, entries } of stateFiles()) {
      const found = await load(path);
      const strange = found.errors.filter(({ code }) => quirks[code] === undefined);
      const expected = entries > 0 ? [family] : [];
      const asExpected =
        entries > 0 ? found.families.join() === expected.join() : found.families.every((f) => f === family);
      if (strange.length > 0 || (found.errors.length === 0 && !asExpected)) {
        wrong.push(`${path}: ${found.families.join() || "nothing"}, ${strange.map(({ code }) => code).join()}`);
      }
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it("loads without an error for at least nine in ten plain state files", async () => {
    const plain = stateFiles().filter(({ path }) => /\.(ya?ml|json)$/.test(path));
    const broken: string[] = [];
    for (const { path } of plain) if ((await load(path)).errors.length > 0) broken.push(path);
    expect(plain.length).toBeGreaterThan(300);
    expect(broken.length / plain.length, broken.join("\n")).toBeLessThan(0.1);
  }, 120_000);
});
