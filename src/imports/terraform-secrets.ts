// Values of Terraform that are secret, wherever they are repeated: what it says itself, and passwords that it makes.
import { type Fields, isList, isObject, type Value } from "../json/value.ts";
import { findMapEntry, type Node, toValue } from "../model/node.ts";
import { isSecretKey } from "../secrets/masked-text.ts";
import type { ImportFindings } from "./findings.ts";

export function addSecrets(resource: Node, type: string, values: Node, findings: ImportFindings): void {
  const sensitive = findMapEntry(resource, "sensitive_values")?.value;
  if (sensitive) addMarked(toValue(values), toValue(sensitive), findings);
  if (type !== "random_password") return;
  for (const key of ["result", "bcrypt_hash"]) {
    const value = findMapEntry(values, key)?.value;
    if (value) addMarked(toValue(value), true, findings);
  }
}

export function addSecretOutputs(output: Node, findings: ImportFindings): void {
  for (const key of ["planned_values", "values"]) {
    const outputs = findMapEntry(findMapEntry(output, key)?.value, "outputs")?.value;
    for (const { value } of outputs?.kind === "map" ? outputs.entries : []) {
      const { value: shown = null, sensitive = false } = toFields(toValue(value));
      addMarked(shown, sensitive, findings);
    }
  }
}

function toFields(value: Value): Fields {
  return isObject(value) ? value : {};
}

/** @param marks `true` where all below is secret, else the same lists and maps */
function addMarked(value: Value, marks: Value, findings: ImportFindings): void {
  if (typeof value === "string") {
    if (marks === true && value !== "") findings.secrets.add(value);
  } else if (isList(value)) {
    for (const [at, item] of value.entries())
      addMarked(item, marks === true || !isList(marks) ? marks : (marks[at] ?? false), findings);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value))
      if (!common.has(key)) addMarked(item, isObject(marks) ? (marks[key] ?? false) : marks, findings);
  }
}

/** Fields of names and patterns, which other entries repeat rightly: Terraform marks a whole set for one value in it. */
const common = new Set(
  "cluster_permissions allowed_actions index_patterns tenant_patterns field_level_security masked_fields".split(" "),
);

/** Where Terraform marks these fields of an entry as sensitive: `index_permissions.document_level_security`. */
export function listMarked(resource: Node, values: Node, keys: readonly string[]): readonly string[] {
  const marks = findMapEntry(resource, "sensitive_values")?.value;
  if (!marks) return [];
  const [shown, marked] = [withoutSecretAttributes(toFields(toValue(values))), toFields(toValue(marks))];
  return [...new Set(keys.flatMap((key) => findMarks(shown[key] ?? null, marked[key] ?? false, key)))];
}

/** Those of a user that are called like secrets become variables. */
function withoutSecretAttributes({ attributes = null, ...fields }: Fields): Fields {
  const shown = Object.entries(toFields(attributes)).filter(([key]) => !isSecretKey(key));
  return { ...fields, attributes: shown.length === 0 ? null : Object.fromEntries(shown) };
}

function findMarks(value: Value, marks: Value, path: string): readonly string[] {
  if (isNothing(value)) return [];
  if (isList(value) && isList(marks)) return value.flatMap((item, at) => findMarks(item, marks[at] ?? false, path));
  if (isObject(value) && isObject(marks))
    return Object.entries(value).flatMap(([key, item]) => findMarks(item, marks[key] ?? false, `${path}.${key}`));
  return holdsTrue(marks) ? [path] : [];
}

export function holdsTrue(value: Value): boolean {
  if (isList(value)) return value.some(holdsTrue);
  return isObject(value) ? Object.values(value).some(holdsTrue) : value === true;
}

export function isNothing(value: Value): boolean {
  return value === null || value === "" || (isList(value) && value.length === 0);
}
