import { RunError } from "../diagnostics/failure.ts";
import { suggestNearest } from "../diagnostics/suggest.ts";
import { compareByCodeUnit } from "../json/canonical.ts";
import { isList, isObject, type Json, type JsonObject } from "../json/value.ts";
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

/** A schema with all that it refers to in one document: it works wherever it is. */
export function buildWholeSchema(name: string): JsonObject {
  const own = new Map<string, Json>();
  const bundle = (of: string): JsonObject => {
    const within = (value: Json): Json => {
      if (isList(value)) return (value as readonly Json[]).map(within);
      if (!isObject(value)) return value;
      const entries = Object.entries(value as JsonObject).map(([key, below]): [string, Json] =>
        key === "$ref" && typeof below === "string" ? [key, refer(of, below)] : [key, within(below)],
      );
      return Object.fromEntries(entries);
    };
    return within(JSON.parse(readSchema(of))) as JsonObject;
  };
  const refer = (of: string, reference: string): string => {
    const [document = "", pointer = ""] = reference.split("#");
    const there = document === "" ? of : document.slice(0, -suffix.length);
    if (there === name) return `#${pointer}`;
    if (!own.has(there)) {
      own.set(there, null);
      const { $id: _, $schema: __, ...schema } = bundle(there) as Readonly<Record<string, Json>>;
      own.set(there, schema);
    }
    return `#/$defs/${there}${pointer}`;
  };
  const root = bundle(name) as Readonly<Record<string, Json>>;
  const { $defs = {} } = root as { readonly $defs?: JsonObject };
  return { ...root, $defs: { ...$defs, ...Object.fromEntries(own) } };
}
