// npm run bench: builds the bench, which shares the fixture generator and the emulator with the tests, and runs it.
import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "rolldown";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { dependencies, devDependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
// Inside the repository, so that the packages left outside are found; no source and not kept in git.
const outdir = `${root}.generated/bench`;
await build({
  cwd: root,
  input: { bench: "test/bench/bench.ts", server: "test/bench/server.ts" },
  platform: "node",
  external: Object.keys({ ...dependencies, ...devDependencies }),
  transform: { define: { GATE_SYNC_VERSION: '"bench"' } },
  output: { dir: outdir, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" },
});
const { main } = await import(pathToFileURL(`${outdir}/bench.mjs`).href);
process.exitCode = await main(root, `${outdir}/server.mjs`);
