import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, RunError } from "../diagnostics/failure.ts";
import { suggestNearest } from "../diagnostics/suggest.ts";
import { compareByCodeUnit } from "../json/canonical.ts";

const suffix = ".schema.json";

export async function listSchemas(): Promise<readonly { readonly name: string; readonly title: string }[]> {
  const names = await schemaNames();
  return Promise.all(
    names.map(async (name) => {
      const schema: unknown = JSON.parse(await readFile(join(schemaFolder(), `${name}${suffix}`), "utf8"));
      const title = typeof schema === "object" && schema !== null && "title" in schema ? String(schema.title) : "";
      return { name, title };
    }),
  );
}

/** The schema's text, as the package ships it: the same one that files are validated with. */
export async function readSchema(name: string): Promise<string> {
  const names = await schemaNames();
  if (names.includes(name)) return readFile(join(schemaFolder(), `${name}${suffix}`), "utf8");
  throw new RunError("usage", {
    what: `There is no schema "${name}".${suggestNearest(name, names)}`,
    fix: `Schemas: ${names.join(", ")}.`,
  });
}

async function schemaNames(): Promise<readonly string[]> {
  const files = await readdir(schemaFolder());
  return files
    .filter((file) => file.endsWith(suffix))
    .map((file) => file.slice(0, -suffix.length))
    .sort(compareByCodeUnit);
}

/** Beside package.json, wherever this module was bundled to. */
function schemaFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const schemas = join(folder, "schemas");
    if (existsSync(join(folder, "package.json")) && existsSync(schemas)) return schemas;
    assert(folder !== dirname(folder), "The package has no folder of schemas.");
  }
}
