// Our own code into a few files, dependencies left outside and loaded when first needed; validators from the schemas.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { toCommonJs } from "./commonjs.mjs";
import { buildValidators, validatorFiles } from "./validators.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const at = (path) => join(root, path);
const { version } = JSON.parse(readFileSync(at("package.json"), "utf8"));

await buildValidators();
const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: [
    ...["main", "index"].map((name) => ({ in: `src/${name}.ts`, out: name })),
    ...validatorFiles.map((file) => ({ in: file, out: `validators/${basename(file, ".mjs")}` })),
  ],
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
const written = new Set();
for (const { path, text } of outputFiles) {
  // A validator is in a chunk, as the program needs it too.
  if (dirname(path) === at("dist/validators")) continue;
  const file = path.replace(/\.js$/, ".cjs");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, await toCommonJs(text, { generated: isGenerated(path) }));
  written.add(file);
}
// For those who import the library: the same modules, by names that are known before anything is loaded.
const names = metafile.outputs["dist/index.js"].exports.join(", ");
written.add(at("dist/index.js"));
writeFileSync(at("dist/index.js"), `import library from "./index.cjs";\nexport const { ${names} } = library;\n`);
// What an earlier build left behind goes only now: a command that runs meanwhile keeps finding its files.
for (const entry of ["dist", "dist/chunks"].flatMap((folder) => readdirSync(at(folder), { withFileTypes: true }))) {
  const file = join(entry.parentPath, entry.name);
  if (entry.isFile() && !written.has(file)) rmSync(file);
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

function isGenerated(path) {
  const inputs = Object.keys(metafile.outputs[relative(root, path)].inputs);
  return inputs.length > 0 && inputs.every((input) => input.startsWith(".generated/validators/"));
}
