// Compiles the JSON Schemas of schemas/ to plain functions, so that no run of gate-sync pays for compiling them.
// `node .scripts/validators.mjs`, or from the build and the tests: what is up to date is left alone.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import Ajv2020 from "ajv/dist/2020.js";
import standaloneCode from "ajv/dist/standalone/index.js";

const root = new URL("../", import.meta.url);
const schemaFolder = new URL("schemas/", root);
const outFolder = new URL(".generated/", root);
const suffix = ".schema.json";
/** Schemas of what is read, by the file of functions that they are compiled to; the others describe what gate-sync prints. */
const compiled = {
  // What users write: all that state files refer to are families.
  validators: ["gate-sync", "state", ...namesReferredTo("state")],
  // gate-sync's own files.
  "artifact-validators": ["backup", "fleet-plan", "journal", "plan-file", "snapshot"],
  // What it prints and reads again.
  "fleet-validator": ["fleet"],
};
/** What some of these refer to. */
const referredTo = ["artifact", "diagnostics", "plan"];

/** Writes to .generated/ the functions of each schema, and their types; does nothing when they are fresh. */
export function buildValidators() {
  const sources = [...referredTo, ...Object.values(compiled).flat()].map((name) =>
    readFileSync(new URL(name + suffix, schemaFolder), "utf8"),
  );
  const stamp = `// ${digest([readFileSync(new URL(import.meta.url), "utf8"), ajvVersion(), ...sources])}\n`;
  mkdirSync(outFolder, { recursive: true });
  for (const [file, names] of Object.entries(compiled)) {
    const code = new URL(`${file}.mjs`, outFolder);
    const types = new URL(`${file}.d.mts`, outFolder);
    if (existsSync(types) && existsSync(code) && readFileSync(code, "utf8").startsWith(stamp)) continue;
    const functions = Object.fromEntries(names.map((name) => [functionName(name), name + suffix]));
    write(types, typesOf(names));
    write(code, stamp + standaloneCode.default(ajvFor(sources.map((source) => JSON.parse(source))), functions));
  }
}

function namesReferredTo(schema) {
  const text = readFileSync(new URL(schema + suffix, schemaFolder), "utf8");
  return [...new Set([...text.matchAll(/"\$ref": "([\w-]+)\.schema\.json#/g)].map(([, name]) => name))].sort();
}

function ajvFor(schemas) {
  return new Ajv2020.default({
    schemas,
    strict: true,
    // `if` and `not` name fields that are described beside them.
    strictRequired: false,
    allowUnionTypes: true,
    allErrors: true,
    // Errors carry the schema they come from: its title and fields are what the messages are made of.
    verbose: true,
    // Which are ours: ajv's own take room in every function.
    messages: false,
    // Only "not empty" is asked of lengths, so the built package needs nothing of ajv; the logger would call it deprecated.
    unicode: false,
    logger: false,
    // One function for each definition, however often it is referred to.
    inlineRefs: false,
    // Modules, which a bundle takes in as they are: around CommonJS it puts a function, and Node then parses everything twice.
    code: { source: true, lines: false, esm: true },
  });
}

function typesOf(names) {
  const head = [
    'import type { ErrorObject } from "ajv";',
    "interface Validator {",
    "  (value: unknown): boolean;",
    "  errors?: readonly ErrorObject[] | null;",
    "}",
  ];
  return [...head, ...names.map((name) => `export declare const ${functionName(name)}: Validator;`), ""].join("\n");
}

/** `gate-sync` is `gate_sync`. */
function functionName(schema) {
  return schema.replaceAll("-", "_");
}

function ajvVersion() {
  return JSON.parse(readFileSync(new URL("node_modules/ajv/package.json", root), "utf8")).version;
}

function digest(texts) {
  return createHash("sha256").update(texts.join("\0")).digest("hex");
}

/** Never half a file, even when two test runs build at the same time. */
function write(file, text) {
  const draft = new URL(`${file.href}.${process.pid}`);
  writeFileSync(draft, text);
  renameSync(draft, file);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildValidators();
