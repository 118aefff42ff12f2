// Every real folder, converted to every other product: it fails over nothing that it does not fail over before, and every entry
// is accounted for. The files are other people's and not part of this repository; GATE_SYNC_CORPUS says where a copy lies.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { convertFiles } from "../../src/engine/convert.ts";
import { validate } from "../../src/engine/validate.ts";
import { RunError } from "../../src/index.ts";
import { createAddress } from "../../src/model/names.ts";
import { corpus, corpusProducts, hasCorpus, listEntriesIn, listTeamFolders } from "../support/corpus.ts";

const others = ["opensearch-2.19", "search-guard-7", "search-guard-7.x-38", "search-guard-flx", "gate-7.x"];

interface Run {
  readonly path: string;
  readonly to: string;
  readonly problems: readonly string[];
  readonly entries: readonly string[];
}

describe.skipIf(!hasCorpus)("folders of the corpus, converted (skipped where GATE_SYNC_CORPUS names no copy)", () => {
  const runs: Run[] = [];

  beforeAll(async () => {
    for (const { path, product: line } of listTeamFolders()) {
      const [product, release] = corpusProducts[line];
      const request = { cwd: tmpdir(), env: {}, flags: { product, release, statePaths: [join(corpus, path)] } };
      const { diagnostics } = await validate(request);
      if (diagnostics.some(({ severity }) => severity === "error")) continue;
      for (const to of others) runs.push(await convert({ ...request, to, folder: "converted", isExact: false }, path));
    }
  }, 600_000);

  it("fail over nothing", () => {
    const failing = runs.filter(({ problems }) => problems.length > 0);
    console.log(`corpus: ${runs.length - failing.length} of ${runs.length} conversions`);
    expect(runs.length).toBeGreaterThan(100);
    expect(failing.map(({ path, to, problems }) => `${path} to ${to}: ${problems.join(" | ")}`)).toEqual([]);
  });
  it("account for every entry", () => {
    const lost = runs
      .filter(({ problems }) => problems.length === 0)
      .flatMap(({ path, to, entries }) =>
        listEntriesIn(path).flatMap((entry) => (entries.includes(entry) ? [] : [`${path} to ${to}: ${entry}`])),
      );
    expect(lost).toEqual([]);
  });
});

async function convert(request: Parameters<typeof convertFiles>[0], path: string): Promise<Run> {
  const { to } = request;
  try {
    const { conversion } = await convertFiles(request);
    return {
      path,
      to,
      problems: [],
      entries: conversion.entries.map(({ family, name }) => createAddress(family, name)),
    };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    const problems = error.diagnostics
      .filter(({ severity }) => severity === "error")
      .map(({ code, what }) => `${code} ${what}`);
    return { path, to, problems: problems.length > 0 ? problems : [error.message], entries: [] };
  }
}
