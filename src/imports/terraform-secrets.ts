// Values of Terraform that are secret, wherever they are repeated: what it says itself, and passwords that it makes.
import { isList, isObject, type Value } from "../json/value.ts";
import { findMapEntry, type Node, toValue } from "../model/node.ts";
import type { ImportFindings } from "./findings.ts";

/** Of a resource that is no entry. */
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

function toFields(value: Value): Readonly<Record<string, Value>> {
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
      addMarked(item, isObject(marks) ? (marks[key] ?? false) : marks, findings);
  }
}
