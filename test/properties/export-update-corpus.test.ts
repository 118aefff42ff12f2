// `export --update` over real files: of each, a cluster that holds most of it, some of that changed, and more besides.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.ts";
import { validateOpened } from "../../src/engine/validate.ts";
import { connectToRead, plan, RunError } from "../../src/index.ts";
import type { JsonObject } from "../../src/json/value.ts";
import { drifted } from "../fixtures/drift.ts";
import { type Random, randomFrom } from "../fixtures/index.ts";
import { corpus, hasCorpus } from "../support/corpus.ts";
import { partOf } from "../support/extent.ts";
import { expectComments, expectConverged, updateOnce } from "./update-cycle.ts";

const families = ["roles", "role_mappings", "tenants", "action_groups"] as const;

const created: Readonly<Record<(typeof families)[number], JsonObject>> = {
  roles: { cluster_permissions: ["cluster:monitor/main"] },
  role_mappings: { users: ["x"] },
  tenants: { description: "new" },
  action_groups: { allowed_actions: ["indices:data/read/get"] },
};

/** What each of these files declares is what the four families are, as OpenSearch has them. */
function listFiles(): readonly string[] {
  const rows = readFileSync(join(corpus, "INDEX.tsv"), "utf8").trim().split("\n").slice(1);
  return rows
    .map((row) => row.split("\t"))
    .filter(
      ([path = "", kind = ""]) =>
        ["roles", "rolesmapping", "actiongroups", "tenants"].includes(kind) && /\.ya?ml$/.test(path),
    )
    .map(([path = ""]) => path);
}

/** The cluster: undefined where the files are wrong, or of another product. */
async function findCluster(folder: string, random: Random) {
  const request = { cwd: folder, env: {}, flags: { statePaths: [], target: "prod" } };
  const opened = await validateOpened(request).catch((error) => {
    if (error instanceof RunError) return undefined;
    throw error;
  });
  if (!opened || opened.validation.diagnostics.some(({ severity }) => severity === "error")) return undefined;
  const { resources } = opened.files.desired;
  const declared = families.filter((family) => resources.has(family));
  return Object.fromEntries(
    declared.map((family) => {
      const kept = [...(resources.get(family) ?? [])].filter(
        ([, { serverOwned }]) => !serverOwned && random.chance(0.8),
      );
      const entries = kept.map(([name, { value }]) => [
        name,
        random.chance(0.5) ? drifted(family, random, value as JsonObject) : value,
      ]);
      return [family, { ...Object.fromEntries(entries), a_new_one: created[family] }];
    }),
  );
}

/** Some contradict what the product comes with, which only a plan sees. */
async function canBePlanned(folder: string): Promise<boolean> {
  const request = { cwd: folder, env: {}, flags: { statePaths: [], target: "prod" }, allowed: [], withoutAccess: true };
  return plan(request, { connect: connectToRead }).then(
    () => true,
    (error) => {
      if (error instanceof RunError) return false;
      throw error;
    },
  );
}

const files = hasCorpus ? partOf(listFiles()) : undefined;

test.skipIf(!files)("real files take in what was changed on a cluster", async () => {
  const emulator = await startEmulator({ product: "opensearch" });
  const updated: string[] = [];
  for (const path of files ?? []) {
    const folder = mkdtempSync(join(tmpdir(), "gate-sync-"));
    try {
      mkdirSync(join(folder, "access"));
      mkdirSync(join(folder, "own"));
      writeFileSync(join(folder, "own", "own.yml"), "# Nothing.\n");
      copyFileSync(join(corpus, path), join(folder, "access", basename(path)));
      const both = updated.length % 2 === 0 ? { state: ["access"], url: "http://127.0.0.1:1" } : undefined;
      const targets = { prod: { url: emulator.url, state: ["access", "own"] }, ...(both && { dev: both }) };
      writeFileSync(
        join(folder, "gate-sync.yaml"),
        JSON.stringify({ defaults: { product: "opensearch", release: "2.19" }, targets }),
      );
      const random = randomFrom(`update ${path}`);
      const state = await findCluster(folder, random);
      if (!state || Object.keys(state).length === 0) continue;
      emulator.replaceState(state);
      if (!(await canBePlanned(folder))) continue;
      const done = await updateOnce(folder, random.chance(0.5));
      expectConverged(done, path);
      expectComments(done, path);
      updated.push(path);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  await emulator.close();
  expect(updated.length).toBeGreaterThan((files?.length ?? 0) / 4);
});
