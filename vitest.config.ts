import { statfsSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { bundling } from "./.scripts/bundling.mjs";
import { isWhole, part } from "./test/support/extent.ts";
import { nativeModules } from "./test/support/native-modules.ts";

/** By their minutes in CI. Vitest goes by size, and some of the smallest files are the longest: one worker would end alone with them. */
const longestProperties = [
  "order-model",
  "every-request/others",
  "every-request/gate",
  "order-random",
  "order-cut",
  "access-map",
  "valid-yaml",
  "fresh-verdicts",
  "order-settings",
  "escalation",
  "order-small",
  "export-update",
  "split",
  "convert",
  "no-entry-lost",
  "access-diff",
  "second-writer",
  "wildcard",
  "flags",
  "order-pairs",
  "access-unchanged",
  "one-role",
  "blocked",
  "order-reach",
].map((name) => `/test/properties/${name}.test.ts`);

class LongestPropertiesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = longestProperties.findIndex((path) => moduleId.endsWith(path));
      return at === -1 ? longestProperties.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

/** Room that a whole run needs many times over; containers often have 64 MB, from which no program can be started. */
const enoughBytes = 2 ** 30;

/** A file system in memory for temporary folders, where there is one: thousands of writes there are synced, and a disk takes its time. */
function inMemory(): { readonly TMPDIR: string } | undefined {
  const folder = "/dev/shm";
  if (process.env.TMPDIR !== undefined) return undefined;
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= enoughBytes ? { TMPDIR: folder } : undefined;
  } catch {
    return undefined;
  }
}

export default defineConfig({
  // The parser of YAML in the build that the program has in it, which is the faster one.
  resolve: bundling.resolve,
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    // For what hangs, not for what is slow: a loaded machine takes ten times as long.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    ...((isWhole || part) && { sequence: { sequencer: LongestPropertiesFirst } }),
    // By default one core is left idle, which on a machine of two is half of it.
    maxWorkers: "100%",
    env: { ...inMemory() },
    // Megabytes for new objects. With the 16 of Node, properties spend an eighth of their time collecting garbage.
    execArgv: ["--max-semi-space-size=64"],
    isolate: false,
    // What was transformed once is kept below node_modules: CI starts the tests eight times.
    experimental: { fsModuleCache: true, ...nativeModules },
    reporters: ["default", "./test/support/slow-files.ts"],
  },
});
