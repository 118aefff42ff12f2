// Every real configuration file: loaded, planned against an empty server, applied, planned again to nothing.
// The files are other people's and not part of this repository; GATE_SYNC_CORPUS says where a copy lies.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catalogue } from "../../src/diagnostics/catalogue.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import { apply, connectToRead, connectToWrite, type Emulator, plan, RunError, startEmulator } from "../../src/index.ts";
import { isPending } from "../../src/model/change.ts";
import { waivableRules } from "../../src/plan/guards/rules.ts";
import { corpus, hasCorpus } from "../support/corpus.ts";

interface Row {
  readonly file: string;
  readonly family: string;
  readonly format: string;
  readonly quirks: string;
  /** As counted when the files were collected, with other tools than ours. */
  readonly entries: number;
}

interface Run {
  readonly row: Row;
  readonly codes: readonly string[];
  readonly problem?: string;
  /** Names declared, where the file was read without an error. */
  readonly declared?: number;
}

/** What is meant for a server as it is: no payload of a request, template, chart, custom resource or other product. */
function isPlain({ family, format, quirks, file }: Row): boolean {
  const foreign = /rest|embedded|crd|native-es|helm|k8s|story|flx/.test(`${family} ${format}`);
  return !foreign && !quirks.includes("template") && !/\.(tpl|j2|erb)$/.test(file);
}

describe.skipIf(!hasCorpus)("the corpus (skipped where GATE_SYNC_CORPUS names no copy)", () => {
  const folder = mkdtempSync(join(tmpdir(), "gate-sync-corpus-"));
  const runs: Run[] = [];
  let emulator: Emulator;

  beforeAll(async () => {
    emulator = await startEmulator({ product: "gate", allowConfigModification: true });
    // A config found in a native file is only observed until its mode is stated.
    writeFileSync(
      join(folder, "gate-sync.yaml"),
      `targets: {t: {url: "${emulator.url}", product: gate}}\ndefaults: { families: {config: {mode: manage}} }\n`,
    );
    const rows = readFileSync(join(corpus, "INDEX.tsv"), "utf8").trim().split("\n").slice(1);
    for (const line of rows) {
      const [file = "", family = "", format = "", entries = "", , quirks = ""] = line.split("\t");
      const row = { file, family, format, quirks, entries: Number(entries) };
      runs.push(await run(row, emulator, folder));
    }
  }, 240_000);
  afterAll(async () => {
    await emulator.close();
    rmSync(folder, { recursive: true });
  });

  it("runs every file without a crash, and what is applied is in sync", () => {
    expect(runs.length).toBeGreaterThan(400);
    expect(runs.filter(({ problem }) => problem).map(({ row, problem }) => `${row.file}: ${problem}`)).toEqual([]);
  });
  it("loads at least 93 % of the plain files, broken test data of the vendors included, without an error", () => {
    const plain = runs.filter(({ row }) => isPlain(row));
    const clean = plain.filter(({ codes }) => codes.length === 0);
    console.log(
      `corpus: ${clean.length} of ${plain.length} plain files load without an error, ${runs.length} files in all`,
    );
    expect(clean.length / plain.length).toBeGreaterThanOrEqual(0.93);
  });
  it("reads every entry of a file that it reads", () => {
    const named = runs.filter(({ row, declared }) => isPlain(row) && row.family !== "config" && declared !== undefined);
    const halfRead = named.filter(({ row, declared }) => declared !== row.entries);
    expect(named.length).toBeGreaterThan(200);
    expect(halfRead.map(({ row, declared }) => `${row.file}: ${declared} of ${row.entries}`)).toEqual([]);
  });
  it("gives each error a code of the catalogue", () => {
    const codes = new Set(runs.flatMap((run) => run.codes));
    expect([...codes].filter((code) => !(code in catalogue))).toEqual([]);
  });
});

async function run(row: Row, emulator: Emulator, folder: string): Promise<Run> {
  emulator.replaceState({});
  const request = {
    cwd: folder,
    env: {},
    flags: { statePaths: [join(corpus, row.file)] },
    // Files of vendors map `*`, and hold passwords.
    allowed: waivableRules,
  };
  try {
    const planned = await plan(request, { connect: connectToRead });
    const report = await apply(planned, connectToWrite, { settled: () => {}, stopped: () => false });
    const failed = report.outcomes.find(({ kind }) => kind !== "done");
    if (failed)
      return { row, codes: [], problem: `${failed.operation.method} ${failed.operation.path}: ${failed.detail}` };
    const again = await plan(request, { connect: connectToRead });
    const left = again.plan.changes.filter(isPending).map(({ name }) => name);
    const declared = [...planned.desired.resources.values()].reduce((sum, entries) => sum + entries.size, 0);
    return { row, codes: [], declared, ...(left.length > 0 && { problem: `not in sync: ${left.join(", ")}` }) };
  } catch (error) {
    if (error instanceof RunError && error.diagnostics.length > 0) return { row, codes: errorCodes(error.diagnostics) };
    return { row, codes: [], problem: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function errorCodes(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
}
