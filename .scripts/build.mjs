// The program and the library from src/ to dist/: CommonJS, which Node 20 loads faster than modules, with source maps.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { buildValidators } from "./validators.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const at = (path) => join(root, path);
const { dependencies, version } = JSON.parse(readFileSync(at("package.json"), "utf8"));

buildValidators();
const bundle = await rolldown({
  cwd: root,
  input: { main: "src/main.ts", index: "src/index.ts" },
  platform: "node",
  external: Object.keys(dependencies),
  // Its build as modules makes the parser's state in a way that Node 20 never compiles well: it takes twice the time.
  resolve: { alias: { "js-yaml": at("node_modules/js-yaml/dist/js-yaml.cjs.js") } },
  // No module of src is imported for its effects.
  treeshake: { moduleSideEffects: false },
  transform: { target: "node20.18", define: { GATE_SYNC_VERSION: JSON.stringify(version) } },
});
const { output } = await bundle.write({
  dir: "dist",
  format: "cjs",
  entryFileNames: "[name].cjs",
  chunkFileNames: "chunks/[name]-[hash].cjs",
  comments: false,
  sourcemap: true,
  sourcemapExcludeSources: true,
});
const { exports: names } = output.find(({ fileName }) => fileName === "index.cjs");
writeFileSync(at("dist/index.js"), `export { ${names.join(", ")} } from "./index.cjs";\n`);
chmodSync(at("dist/main.cjs"), 0o755);
// Its parser is in the bundle, and its licence asks for this.
copyFileSync(at("node_modules/js-yaml/LICENSE"), at("dist/LICENSE.js-yaml"));
// What an earlier build left behind goes only now: a command that runs meanwhile keeps finding its files.
const written = new Set(
  ["index.js", "LICENSE.js-yaml", ...output.map(({ fileName }) => fileName)].map((name) => at(join("dist", name))),
);
for (const entry of ["dist", "dist/chunks"].flatMap((folder) => readdirSync(at(folder), { withFileTypes: true }))) {
  const file = join(entry.parentPath, entry.name);
  if (entry.isFile() && !written.has(file)) rmSync(file);
}
execFileSync(
  process.execPath,
  [at("node_modules/typescript/bin/tsc"), "--project", at(".scripts/tsconfig.types.json")],
  {
    cwd: root,
    stdio: "inherit",
  },
);
