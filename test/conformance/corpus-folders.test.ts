// Every real folder, planned at once against a fresh server of its product, and every entry counted by another program.
// The files are other people's and not part of this repository; GATE_SYNC_CORPUS says where a copy lies.
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectToRead, type Emulator, plan, RunError, startEmulator } from "../../src/index.ts";
import { isResourceFamily, type ResourceFamily } from "../../src/model/names.ts";
import { waivableRules } from "../../src/plan/guards/rules.ts";
import { corpus, hasCorpus } from "../support/corpus.ts";

interface Folder {
  readonly path: string;
  readonly product: keyof typeof products;
}

interface Run extends Folder {
  readonly codes: readonly string[];
  /** `roles/hr_reader` in the plan, declared or refused. */
  readonly planned: ReadonlySet<string>;
}

const products = {
  opensearch: ["opensearch", "2.19"],
  seven: ["search-guard", "7.x-38"],
  six: ["search-guard", "6.x-25"],
} as const;

describe.skipIf(!hasCorpus)("folders of the corpus (skipped where GATE_SYNC_CORPUS names no copy)", () => {
  const runs: Run[] = [];
  const emulators = new Map<string, Emulator>();

  beforeAll(async () => {
    for (const [key, [product, release]] of Object.entries(products)) {
      emulators.set(key, await startEmulator({ product, release }));
    }
    for (const folder of foldersOfTeams()) runs.push(await run(folder, emulators));
  }, 600_000);
  afterAll(async () => {
    for (const emulator of emulators.values()) await emulator.close();
  });

  it("plan at once", () => {
    const failing = runs.filter(({ codes }) => codes.length > 0);
    const names = failing.map(({ path, codes }) => `${path}: ${[...new Set(codes)].join(", ")}`);
    console.log(`corpus: ${runs.length - failing.length} of ${runs.length} folders plan at once\n${names.join("\n")}`);
    expect(runs.length).toBeGreaterThan(20);
    expect(1 - failing.length / runs.length).toBeGreaterThanOrEqual(leastShare);
    expect(failing.flatMap(({ codes }) => codes).filter((code) => !mistakes.has(code))).toEqual([]);
  });
  it("lose no entry", () => {
    const lost = runs
      .filter(({ codes }) => codes.length === 0)
      .flatMap(({ path, planned }) =>
        entriesIn(path)
          .filter((entry) => !planned.has(entry))
          .map((entry) => `${path}: ${entry}`),
      );
    expect(lost).toEqual([]);
  });
});

/** The same few mistakes, in several copies of a repository: `host` for `hosts`, restrictions of a whole role as in 5.x. */
const mistakes: ReadonlySet<string> = new Set(["unknown-field", "retired-field"]);
const leastShare = 0.8;

/** What teams keep for a server: no test data of the vendors, no templates, and at least a file of roles. */
function foldersOfTeams(): readonly Folder[] {
  const rows = readFileSync(join(corpus, "INDEX.tsv"), "utf8").trim().split("\n").slice(1);
  const byFolder = new Map<string, (readonly string[])[]>();
  for (const row of rows.map((line) => line.split("\t"))) {
    const [file = ""] = row;
    const folder = file.slice(0, file.lastIndexOf("/"));
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), row]);
  }
  return [...byFolder].flatMap(([path, files]) => {
    const all = files.map((row) => row.join(" ")).join("\n");
    const isTeams = !/(^|\/)(src\/(test|it|main\/resources)|static_config|samples|templates|charts?)(\/|$)/.test(path);
    const isPlain = !/template|embedded|rest-|crd|native-es|helm|k8s|flx|by text/.test(all);
    const kinds = files.map(([, family]) => family);
    // A folder of which the corpus has only a part refers to roles that it has not.
    if (!isTeams || !isPlain || !kinds.includes("roles")) return [];
    const product = /\bv[56]/.test(all) ? "six" : /(^|\/)sg_|sg-v7/m.test(all) ? "seven" : "opensearch";
    return [{ path, product } as const];
  });
}

async function run(folder: Folder, emulators: ReadonlyMap<string, Emulator>): Promise<Run> {
  const [product] = products[folder.product];
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

/** The entries of the files of a folder that the products' own tools read, by another reader of YAML. */
function entriesIn(path: string): readonly string[] {
  const familyOf: Readonly<Record<string, ResourceFamily>> = {
    roles: "roles",
    roles_mapping: "role_mappings",
    action_groups: "action_groups",
    tenants: "tenants",
  };
  return readdirSync(join(corpus, path)).flatMap((file) => {
    const family = familyOf[file.replace(/^sg_/, "").replace(/\.ya?ml$/, "")];
    if (family === undefined || !isResourceFamily(family)) return [];
    const document = load(readFileSync(join(corpus, path, file), "utf8"));
    const names = typeof document === "object" && document !== null ? Object.keys(document) : [];
    return names.filter((name) => !/^_(sg_)?meta$/.test(name)).map((name) => `${family}/${name}`);
  });
}
