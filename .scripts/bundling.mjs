// How the sources are bundled, whatever they become a part of.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
export const at = (path) => join(root, path);
export const { dependencies, version } = JSON.parse(readFileSync(at("package.json"), "utf8"));

export const bundling = {
  cwd: root,
  platform: "node",
  // Its build as modules makes the parser's state in a way that Node 20 never compiles well: it takes twice the time.
  resolve: { alias: { "js-yaml": at("node_modules/js-yaml/dist/js-yaml.cjs.js") } },
  // No module of src is imported for its effects.
  treeshake: { moduleSideEffects: false },
  transform: { target: "node20.18", define: { GATE_SYNC_VERSION: JSON.stringify(version) } },
};
