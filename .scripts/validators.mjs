// Compiles the JSON Schemas of schemas/ to plain functions, so that no run of gate-sync pays for compiling them.
// `node .scripts/validators.mjs`, or from the build and the tests: what is up to date is left alone.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import Ajv2020 from "ajv/dist/2020.js";
import standaloneCode from "ajv/dist/standalone/index.js";

const require = createRequire(import.meta.url);
const root = new URL("../", import.meta.url);
const schemaFolder = new URL("schemas/", root);
const outFolder = new URL(".generated/", root);
const suffix = ".schema.json";
/** Those of what is read: what users write, and gate-sync's own files; the others describe what gate-sync prints. */
const names = [
  "action_groups",
  "backup",
  "blocks",
  "config",
  "gate-sync",
  "journal",
  "license",
  "plan-file",
  "role_mappings",
  "roles",
  "snapshot",
  "state",
  "tenants",
];
/** What some of these refer to. */
const referredTo = ["artifact"];

/** Writes .generated/validators.mjs, its types, and a file with one function for each schema; does nothing when they are fresh. */
export function buildValidators() {
  const sources = [...referredTo, ...names].map((name) => readFileSync(new URL(name + suffix, schemaFolder), "utf8"));
  const stamp = `// ${digest([readFileSync(new URL(import.meta.url), "utf8"), ajvVersion(), ...sources])}\n`;

  const all = new URL("validators.mjs", outFolder);
  const types = new URL("validators.d.mts", outFolder);
  if (existsSync(types) && existsSync(all) && readFileSync(all, "utf8").startsWith(stamp)) return;

  mkdirSync(new URL("validators/", outFolder), { recursive: true });
  write(types, typesOf());
  const ajv = ajvFor(sources.map((source) => JSON.parse(source)));
  for (const name of names) write(new URL(fileOf(name), outFolder), codeOf(ajv, name));
  write(all, stamp + names.map((name) => `export * from "./${fileOf(name)}";\n`).join(""));
}

/** What is built as a file of its own, so that a run loads only what it reads: paths from the root of the repository. */
export const validatorFiles = names.map((name) => `.generated/${fileOf(name)}`);

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
    // One function for each definition, however often it is referred to.
    inlineRefs: false,
    code: { source: true, esm: true, lines: false },
  });
}

function codeOf(ajv, name) {
  return withHelpers(withSchemasAtUse(standaloneCode.default(ajv, { [functionName(name)]: name + suffix })));
}

/** The few helpers of ajv that a validator requires, in it: a run then needs nothing of ajv. */
function withHelpers(code) {
  const helper = /\brequire\("(ajv\/dist\/runtime\/\w+)"\)\.default/g;
  return code.replace(helper, (_, path) => `(${require(path).default})`);
}

/** A schema is only wanted by errors: until there is one it stays text, which is read fastest. */
function withSchemasAtUse(code) {
  const constant = /\bconst (schema\d+) = (\{[^\n]*?\});(?=const |let |var |function |export |$)/gm;
  const schemas = [];
  const without = code.replace(constant, (_, name, value) => {
    schemas.push([name, JSON.stringify(Function(`return ${value}`)())]);
    return "";
  });
  const names = new RegExp(`\\b(${schemas.map(([name]) => name).join("|")})\\b`, "g");
  const functions = schemas.map(
    ([name, json]) => `let ${name}_;\nconst ${name} = () => (${name}_ ??= JSON.parse(${JSON.stringify(json)}));\n`,
  );
  return functions.join("") + without.replace(names, "$1()");
}

function fileOf(name) {
  return `validators/${functionName(name)}.mjs`;
}

function typesOf() {
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
