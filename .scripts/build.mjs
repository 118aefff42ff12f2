// Our own code into a few files, dependencies left outside and loaded when first needed; validators from the schemas.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { toCommonJs } from "./commonjs.mjs";
import { buildValidators } from "./validators.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const at = (path) => join(root, path);
const { version } = JSON.parse(readFileSync(at("package.json"), "utf8"));

await buildValidators();
const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ["src/main.ts", "src/index.ts"],
  outdir: "dist",
  bundle: true,
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  format: "esm",
  platform: "node",
  target: "node20.18",
  packages: "external",
  define: { GATE_SYNC_VERSION: JSON.stringify(version) },
  metafile: true,
  write: false,
  logLevel: "warning",
});
mkdirSync(at("dist/chunks"), { recursive: true });
const written = new Set();
for (const { path, text } of outputFiles) {
  const file = path.replace(/\.js$/, ".cjs");
  writeFileSync(file, await toCommonJs(text));
  written.add(file);
}
// For those who import the library: the same modules, by names that are known before anything is loaded.
const names = metafile.outputs["dist/index.js"].exports.join(", ");
writeFileSync(at("dist/index.js"), `import library from "./index.cjs";\nexport const { ${names} } = library;\n`);
// What an earlier build left behind goes only now: a command that runs meanwhile keeps finding its files.
for (const name of readdirSync(at("dist/chunks"))) {
  if (!written.has(at(`dist/chunks/${name}`))) rmSync(at(`dist/chunks/${name}`));
}
chmodSync(at("dist/main.cjs"), 0o755);
execFileSync(
  process.execPath,
  [at("node_modules/typescript/bin/tsc"), "--project", at(".scripts/tsconfig.types.json")],
  {
    cwd: root,
    stdio: "inherit",
  },
);
