// npm run bench: builds the bench, which shares the fixture generator and the emulator with the tests, and runs it.
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
// Inside the repository, so that the packages left outside are found; no source and not kept in git.
const outdir = `${root}.generated/bench`;
await build({
  absWorkingDir: root,
  entryPoints: ["test/bench/bench.ts", "test/bench/server.ts"],
  outdir,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.18",
  packages: "external",
  define: { GATE_SYNC_VERSION: '"bench"' },
  logLevel: "warning",
});
const { main } = await import(pathToFileURL(`${outdir}/bench.mjs`).href);
process.exitCode = await main(root, `${outdir}/server.mjs`);
