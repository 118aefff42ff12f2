// Every real folder, planned at once against a fresh server of its product, and every entry counted by another program.
// The files are other people's and not part of this repository; GATE_SYNC_CORPUS says where a copy lies.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectToRead, type Emulator, plan, RunError, startEmulator } from "../../src/index.ts";
import { waivableRules } from "../../src/plan/guards/rules.ts";
import {
  corpus,
  corpusProducts,
  hasCorpus,
  listEntriesIn,
  listTeamFolders,
  type TeamFolder,
} from "../support/corpus.ts";

interface Run extends TeamFolder {
  readonly codes: readonly string[];
  /** `roles/hr_reader` in the plan, declared or refused. */
  readonly planned: ReadonlySet<string>;
}

describe.skipIf(!hasCorpus)("folders of the corpus (skipped where GATE_SYNC_CORPUS names no copy)", () => {
  const runs: Run[] = [];
  const emulators = new Map<string, Emulator>();

  beforeAll(async () => {
    for (const [key, [product, release]] of Object.entries(corpusProducts)) {
      emulators.set(key, await startEmulator({ product, release }));
    }
    for (const folder of listTeamFolders()) runs.push(await run(folder, emulators));
  }, 600_000);
  afterAll(async () => {
    for (const emulator of emulators.values()) await emulator.close();
  });

  it("plan at once", () => {
    const failing = runs.filter(({ codes }) => codes.length > 0);
    const names = failing.map(({ path, codes }) => `${path}: ${[...new Set(codes)].join(", ")}`);
    console.log(`corpus: ${runs.length - failing.length} of ${runs.length} folders plan at once\n${names.join("\n")}`);
    expect(runs.length).toBeGreaterThan(20);
    // Two mark a role of their own as the server's, and map it: it would never be made.
    const marked = failing.filter(({ codes }) => codes.every((code) => code === "server-owned"));
    expect(marked.length).toBeLessThanOrEqual(2);
    expect(1 - (failing.length - marked.length) / runs.length).toBeGreaterThanOrEqual(leastShare);
    expect(failing.flatMap(({ codes }) => codes).filter((code) => !mistakes.has(code))).toEqual([]);
  });
  it("lose no entry", () => {
    const lost = runs
      .filter(({ codes }) => codes.length === 0)
      .flatMap(({ path, planned }) =>
        listEntriesIn(path)
          .filter((entry) => !planned.has(entry))
          .map((entry) => `${path}: ${entry}`),
      );
    expect(lost).toEqual([]);
  });
});

/** The same few mistakes, in several copies of a repository: `host` for `hosts`, restrictions of a whole role as in 5.x. */
const mistakes: ReadonlySet<string> = new Set(["unknown-field", "retired-field", "server-owned"]);
const leastShare = 0.8;

async function run(folder: TeamFolder, emulators: ReadonlyMap<string, Emulator>): Promise<Run> {
  const [product] = corpusProducts[folder.product];
  const flags = { url: emulators.get(folder.product)?.url ?? "", product, statePaths: [join(corpus, folder.path)] };
  try {
    const found = await plan({ cwd: tmpdir(), env: {}, flags, allowed: waivableRules }, { connect: connectToRead });
    const planned = [...found.desired.resources].flatMap(([family, entries]) =>
      [...entries.keys()].map((name) => `${family}/${name}`),
    );
    return { ...folder, codes: [], planned: new Set(planned) };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    const codes = error.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
    return { ...folder, codes: codes.length > 0 ? codes : [error.kind], planned: new Set() };
  }
}
