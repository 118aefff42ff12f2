// The program and the library from src/ to dist/: CommonJS, which Node 20 loads faster than modules, with source maps.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { at, bundling, dependencies, root } from "./bundling.mjs";
import { buildValidators } from "./validators.mjs";

buildValidators();
const bundle = await rolldown({
  ...bundling,
  input: { main: "src/main.ts", index: "src/index.ts" },
  external: Object.keys(dependencies),
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
