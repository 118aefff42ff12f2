import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert } from "../diagnostics/failure.ts";

/** A folder beside gate-sync's own package.json, wherever this module was bundled to. */
export function findPackageFolder(name: "schemas" | "examples"): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = join(folder, name);
    if (existsSync(join(folder, "package.json")) && existsSync(found)) return found;
    assert(folder !== dirname(folder), `The package has no folder ${name}.`);
  }
}
