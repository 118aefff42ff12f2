import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { catalogue, lintCodes, neverSilent } from "../../../src/diagnostics/catalogue.ts";
import { type ConfigPlace, configPlaces } from "../../../src/families/config.ts";
import type { Field } from "../../../src/families/facts.ts";
import { factsOf } from "../../../src/families/index.ts";
import { families, isSingleEntryFamily, resourceFamilies, singleEntryName } from "../../../src/model/names.ts";
import { findShapeErrors, type SchemaName } from "../../../src/validate/ajv.ts";
import { fitsOwnSchema } from "../../../src/validate/own-schema.ts";
import { formatSchemaTitle } from "../../../src/validate/wording.ts";
import { nodeOf } from "../../support/nodes.ts";

type Schema = Readonly<Record<string, unknown>>;

const folder = new URL("../../../schemas/", import.meta.url);
/** The schemas of what users write; those of what gate-sync prints are none of this module's. */
const names = ["gate-sync", "state", ...families];

function schemaOf(name: string): Schema {
  return JSON.parse(readFileSync(new URL(`${name}.schema.json`, folder), "utf8"));
}

function check(name: string, value: unknown): void {
  const root = nodeOf({ path: `${name}.json`, text: JSON.stringify(value) });
  expect(findShapeErrors(name.replace("-", "_") as SchemaName, root), JSON.stringify(value)).toEqual([]);
}

test("there is one for each file that users write", () => {
  const files = readdirSync(folder);
  expect(names.filter((name) => !files.includes(`${name}.schema.json`))).toEqual([]);
});

test.each(names)("%s: has a title and a description, and its examples are valid", (name) => {
  const { title, description, examples, $schema, $id } = schemaOf(name);
  expect({ $schema, $id }).toEqual({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `${name}.schema.json`,
  });
  expect([typeof title, typeof description]).toEqual(["string", "string"]);
  expect(Array.isArray(examples) && examples.length).toBeGreaterThan(0);
  for (const example of examples as readonly unknown[]) check(name, example);
});

test.each(names)("%s: every field says in an editor what it is for", (name) => {
  expect(undescribed(schemaOf(name))).toEqual([]);
});

const own = ["plan-file", "backup", "snapshot", "journal"] as const;

test.each(own)(
  "%s: a file of gate-sync's own has a schema whose fields have descriptions, and its examples fit",
  (kind) => {
    const { $id, title, description, examples } = schemaOf(kind);
    expect([$id, typeof title, typeof description]).toEqual([`${kind}.schema.json`, "string", "string"]);
    expect(undescribed(schemaOf(kind))).toEqual([]);
    expect((examples as readonly unknown[]).map((example) => fitsOwnSchema(kind, example))).not.toContain(false);
    expect(fitsOwnSchema(kind, {})).toBe(false);
  },
);

test("what these have in common has descriptions", () => {
  expect(undescribed(schemaOf("artifact"))).toEqual([]);
});

test.each(resourceFamilies)("%s: every field of the family's facts is admitted, in both forms", (family) => {
  const entry = sample(factsOf[family].fields);
  const name = isSingleEntryFamily(family) ? singleEntryName : "x";
  check(family, { [name]: entry });
  check("state", { [family]: { [name]: entry } });
});

test("gate-sync.yaml sets the severity of every lint rule, described by its title, and of nothing else", () => {
  const { $defs } = schemaOf("gate-sync") as { readonly $defs: { readonly lint: { readonly properties: Schema } } };
  expect($defs.lint.properties).toEqual(
    Object.fromEntries(
      lintCodes.map((code) => [
        code,
        { $ref: `#/$defs/${neverSilent.has(code) ? "audible" : "gravity"}`, description: `${catalogue[code].title}.` },
      ]),
    ),
  );
});

test("config: every place that is known is admitted", () => {
  const dynamic = Object.fromEntries(Object.entries(configPlaces).map(([key, place]) => [key, sampleOf(place)]));
  check("state", { config: { dynamic } });
  check("config", { sg_config: { dynamic } });
});

/** Paths of fields that neither have a description nor refer to something that has one. */
function undescribed(schema: Schema, path = ""): readonly string[] {
  return Object.entries(schema).flatMap(([key, value]): readonly string[] => {
    if (typeof value !== "object" || value === null || key === "examples") return [];
    const here = `${path}/${key}`;
    if (key !== "properties" || path.endsWith("/header")) return undescribed(value as Schema, here);
    const fields = Object.entries(value as Readonly<Record<string, Schema>>);
    return fields.flatMap(([field, described]) => [
      ...(described.description || described.$ref ? [] : [`${here}/${field}`]),
      ...undescribed(described, `${here}/${field}`),
    ]);
  });
}

/** An entry that has all fields. */
function sample(facts: Readonly<Record<string, Field>>): Schema {
  return Object.fromEntries(Object.entries(facts).map(([name, field]) => [name, sampleField(name, field)]));
}

function sampleField(name: string, { kind, element }: Field): unknown {
  if (name === "verdict") return "allow";
  if (kind === "permissions") return [sample(element ?? {})];
  switch (kind) {
    case "map":
      return { a: "name" };
    case "set":
    case "names":
      return ["a"];
    case "flag":
      return true;
    case "lists":
      return { a: ["GET"] };
    case "settings":
      return sample(element ?? {});
    default:
      return "name";
  }
}

function sampleOf(place: ConfigPlace): unknown {
  switch (place.kind) {
    case "boolean":
      return true;
    case "integer":
      return 1;
    case "text":
      return place.default ?? "a";
    case "list":
      return ["a"];
    case "free":
      return { anything: [1] };
    case "named":
      return { name: sampleOf(place.each) };
    case "object":
      return Object.fromEntries(Object.entries(place.fields).map(([key, field]) => [key, sampleOf(field)]));
  }
}

test.each(["state", "gate-sync"])(
  "a map of the %s schema is called by a word in the singular, or a section",
  (name) => {
    const called = listTitles(schemaOf(name)).map(formatSchemaTitle);
    expect(called.length).toBeGreaterThan(5);
    expect(called.filter((title) => /^An? .*[^s]s$/.test(title))).toEqual([]);
  },
);

/** Of what refuses fields that it does not know. */
function listTitles(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { title, additionalProperties } = schema as { title?: unknown; additionalProperties?: unknown };
  const own = typeof title === "string" && additionalProperties === false ? [title] : [];
  return [...own, ...Object.values(schema).flatMap(listTitles)];
}
