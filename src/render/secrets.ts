import { Secret } from "../json/secret.ts";
import { type Fields, isList, isObject, type Json, type Value } from "../json/value.ts";
import type { Change } from "../model/change.ts";

/**
 * The change as it may be shown. A secret is a secret by its type on one side only: the same text on the other side,
 * which came from a server as a plain string, becomes the same secret, and so does a plain text that one replaces.
 */
export function veiled(change: Change): Change {
  const secrets = new Map<string, Secret>();
  for (const value of [change.before, change.after, ...change.edits.flatMap((edit) => [edit.before, edit.after])]) {
    if (value !== undefined) collect(value, secrets);
  }
  if (secrets.size === 0) return change;
  const { before, after } = change;
  return {
    ...change,
    edits: change.edits.map((edit) => ({
      path: edit.path,
      ...(edit.before === undefined ? {} : { before: veil(edit.before, edit.after, secrets) }),
      ...(edit.after === undefined ? {} : { after: veil(edit.after, edit.before, secrets) }),
    })),
    ...(before === undefined ? {} : { before: veil(before, after, secrets) as Fields }),
    ...(after === undefined ? {} : { after: veil(after, before, secrets) as Fields }),
  };
}

/** Plain JSON, every secret as its reference. */
export function shown(value: Value): Json {
  if (value instanceof Secret) return value.toString();
  if (isList(value)) return value.map(shown);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shown(item)]));
  return value;
}

function collect(value: Value, secrets: Map<string, Secret>): void {
  if (value instanceof Secret) {
    const text = value.resolved ? value.reveal() : "";
    const known = secrets.get(text);
    // What the repository calls it says more than that the server holds it.
    if (known === undefined || known.reference === "live") secrets.set(text, value);
  } else if (isList(value)) {
    for (const item of value) collect(item, secrets);
  } else if (isObject(value)) {
    for (const item of Object.values(value)) collect(item, secrets);
  }
}

/** `other` is what stands at the same place on the other side. */
function veil(value: Value, other: Value | undefined, secrets: ReadonlyMap<string, Secret>): Value {
  if (typeof value === "string") {
    if (other instanceof Secret && value !== "") return new Secret("live", value);
    return value === "" ? value : (secrets.get(value) ?? value);
  }
  // Members of a list have no place of their own: only the same text is the same secret.
  if (isList(value)) return value.map((item) => veil(item, undefined, secrets));
  if (isObject(value)) {
    const opposite = isObject(other) ? other : {};
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        return [key, veil(item, Object.hasOwn(opposite, key) ? opposite[key] : undefined, secrets)];
      }),
    );
  }
  return value;
}
