import { Secret } from "../json/secret.ts";
import { isList, isObject, reveal, type Value } from "../json/value.ts";
import type { Operation } from "../model/operation.ts";

/** Bytes of an operation's body as JSON; undefined where it has none, or holds a secret that was not resolved. */
export function bodyBytes({ body }: Operation): number | undefined {
  if (body === undefined || !isResolved(body)) return undefined;
  // The one place here where secrets are looked at: counted, then forgotten.
  return Buffer.byteLength(JSON.stringify(reveal(body)));
}

function isResolved(value: Value): boolean {
  if (value instanceof Secret) return value.resolved;
  if (isList(value)) return value.every(isResolved);
  return !isObject(value) || Object.values(value).every(isResolved);
}
