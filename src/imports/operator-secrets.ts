// Passwords that users of the operator have in Secrets of the same input: no file may repeat them.
import { findMapEntry, type MapNode } from "../model/node.ts";
import { isSecretKey } from "../secrets/masked-text.ts";
import { decodeBase64 } from "./embedded.ts";
import type { ImportFindings } from "./findings.ts";
import { readText } from "./node-text.ts";

/** A Secret may come before the users that name it, or after them. */
export function addPasswordSecrets(findings: ImportFindings): void {
  for (const object of findings.secretObjects) {
    const name = readText(findMapEntry(object, "metadata")?.value ?? object, "name");
    const keys = findings.passwords.filter(({ secret }) => secret === name).map(({ key }) => key);
    if (keys.length === 0) continue;
    // What other keys have may be a name, such as that of the user.
    const values = listValues(object).filter(([key]) => keys.includes(key) || isSecretKey(key));
    for (const [, value] of values) if (value.length >= shortestSecret) findings.secrets.add(value);
  }
}

/** Shorter ones are in any text. */
const shortestSecret = 6;

/** Without the newline that a file ends in. */
function listValues(object: MapNode): readonly (readonly [key: string, value: string])[] {
  return ["data", "stringData"].flatMap((field) => {
    const data = findMapEntry(object, field)?.value;
    return (data?.kind === "map" ? data.entries : []).flatMap(({ key, value }): [string, string][] => {
      if (value.kind !== "scalar" || value.value === null) return [];
      const text = field === "data" ? decodeBase64(String(value.value)) : String(value.value);
      return text === undefined ? [] : [[key, text.trim()]];
    });
  });
}
