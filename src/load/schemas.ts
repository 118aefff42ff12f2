import { RunError } from "../diagnostics/failure.ts";
import { suggestNearest } from "../diagnostics/suggest.ts";
import { compareByCodeUnit } from "../json/canonical.ts";
import { listPackageFiles, readPackageFile } from "./package-files.ts";

const suffix = ".schema.json";

export function listSchemas(): readonly { readonly name: string; readonly title: string }[] {
  return schemaNames().map((name) => {
    const schema: unknown = JSON.parse(readSchema(name));
    const title = typeof schema === "object" && schema !== null && "title" in schema ? String(schema.title) : "";
    return { name, title };
  });
}

/** The schema's text, as the package ships it: the same one that files are validated with. */
export function readSchema(name: string): string {
  const names = schemaNames();
  const text = names.includes(name) ? readPackageFile(`schemas/${name}${suffix}`) : undefined;
  if (text !== undefined) return text;
  throw new RunError("usage", {
    what: `There is no schema "${name}".${suggestNearest(name, names)}`,
    fix: `Schemas: ${names.join(", ")}.`,
  });
}

function schemaNames(): readonly string[] {
  return listPackageFiles("schemas")
    .filter((file) => file.endsWith(suffix))
    .map((file) => file.slice(0, -suffix.length))
    .sort(compareByCodeUnit);
}
