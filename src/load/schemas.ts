import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import { suggestNearest } from "../diagnostics/suggest.ts";
import { compareByCodeUnit } from "../json/canonical.ts";
import { findPackageFolder } from "./package-folder.ts";

const suffix = ".schema.json";

export async function listSchemas(): Promise<readonly { readonly name: string; readonly title: string }[]> {
  const names = await schemaNames();
  return Promise.all(
    names.map(async (name) => {
      const schema: unknown = JSON.parse(
        await readFile(join(findPackageFolder("schemas"), `${name}${suffix}`), "utf8"),
      );
      const title = typeof schema === "object" && schema !== null && "title" in schema ? String(schema.title) : "";
      return { name, title };
    }),
  );
}

/** The schema's text, as the package ships it: the same one that files are validated with. */
export async function readSchema(name: string): Promise<string> {
  const names = await schemaNames();
  if (names.includes(name)) return readFile(join(findPackageFolder("schemas"), `${name}${suffix}`), "utf8");
  throw new RunError("usage", {
    what: `There is no schema "${name}".${suggestNearest(name, names)}`,
    fix: `Schemas: ${names.join(", ")}.`,
  });
}

async function schemaNames(): Promise<readonly string[]> {
  const files = await readdir(findPackageFolder("schemas"));
  return files
    .filter((file) => file.endsWith(suffix))
    .map((file) => file.slice(0, -suffix.length))
    .sort(compareByCodeUnit);
}
