// The published schemas, for tests that hold output to them.
import { readFileSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020.js";
import type { JsonObject } from "../../src/json/value.ts";

/** @param name without the ending: `plan` */
export function readSchema(name: string): JsonObject {
  return JSON.parse(readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), "utf8"));
}

/** Knows the schema of artifacts, whose names of families other schemas refer to. */
export function createAjv({ isStrict }: { readonly isStrict: boolean }): Ajv2020.default {
  const options = { strict: isStrict, strictRequired: false, allErrors: true };
  return new Ajv2020.default(options).addSchema(readSchema("artifact"));
}
