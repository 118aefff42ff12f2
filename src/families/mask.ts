import { Secret } from "../json/secret.ts";
import { isList, isObject, toComparable, type Value } from "../json/value.ts";

/** Whether asterisks replace a secret anywhere in a value, as servers and snapshots show it. */
export function holdsMask(value: Value): boolean {
  if (value instanceof Secret) return /^\*+$/.test(toComparable(value));
  if (isList(value)) return value.some(holdsMask);
  return isObject(value) && Object.values(value).some(holdsMask);
}
