// The files of gate-sync's own package: beside its package.json, or, in the single executable, inside of that.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { getAsset, isSea } from "node:sea";
import { fileURLToPath } from "node:url";
import { assert } from "../diagnostics/failure.ts";

/** The names of what is in one of its folders. */
export function listPackageFiles(folder: "schemas" | "examples"): readonly string[] {
  if (!isSea()) return readdirSync(join(findPackage(), folder));
  const below = Object.keys(readAssets()).filter((path) => path.startsWith(`${folder}/`));
  return [...new Set(below.flatMap((path) => path.split("/")[1] ?? []))];
}

/** Undefined where it has no such file. */
export function readPackageFile(path: string): string | undefined {
  if (isSea()) return readAssets()[path];
  const file = join(findPackage(), path);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** Where it is on this machine; undefined inside of the single executable. */
export function locatePackageFile(path: string): string | undefined {
  return isSea() ? undefined : join(findPackage(), path);
}

/** Texts by their paths in the package, as `.scripts/build-binary.mjs` puts them in. */
function readAssets(): Readonly<Record<string, string>> {
  return JSON.parse(getAsset("package-files", "utf8"));
}

/** The folder of the package, wherever this module was bundled to. */
function findPackage(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (["package.json", "schemas", "examples"].every((name) => existsSync(join(folder, name)))) return folder;
    assert(folder !== dirname(folder), "The package has no folders schemas and examples.");
  }
}
