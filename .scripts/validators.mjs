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
/** Those of what is read: what users write, and plan files; the others describe what gate-sync prints. */
const names = [
  "action_groups",
  "blocks",
  "config",
  "gate-sync",
  "license",
  "plan-file",
  "role_mappings",
  "roles",
  "state",
  "tenants",
];

/** Writes .generated/validators.mjs and its types, one exported function per schema; does nothing when they are fresh. */
export function buildValidators() {
  const sources = names.map((name) => readFileSync(new URL(name + suffix, schemaFolder), "utf8"));
  const stamp = `// ${digest([readFileSync(new URL(import.meta.url), "utf8"), ajvVersion(), ...sources])}\n`;

  const code = new URL("validators.mjs", outFolder);
  const types = new URL("validators.d.mts", outFolder);
  if (existsSync(types) && existsSync(code) && readFileSync(code, "utf8").startsWith(stamp)) return;

  mkdirSync(outFolder, { recursive: true });
  write(types, typesOf());
  write(code, stamp + codeOf(sources.map((source) => JSON.parse(source))));
}

function codeOf(schemas) {
  const ajv = new Ajv2020.default({
    schemas,
    strict: true,
    // `if` and `not` name fields that are described beside them.
    strictRequired: false,
    allowUnionTypes: true,
    allErrors: true,
    // Errors carry the schema they come from: its title and fields are what the messages are made of.
    verbose: true,
    // One function for each definition, however often it is referred to.
    inlineRefs: false,
    code: { source: true, esm: true, lines: false },
  });
  const exported = Object.fromEntries(names.map((name) => [functionName(name), name + suffix]));
  return withRequire(standaloneCode.default(ajv, exported));
}

/** ajv writes `require` for its few helpers, which an ES module does not have. */
function withRequire(code) {
  if (!code.includes("require(")) return code;
  return `import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);\n${code}`;
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
