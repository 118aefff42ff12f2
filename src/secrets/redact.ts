import { memoiseByObject } from "../json/memoise.ts";
import { Secret } from "../json/secret.ts";
import { type Fields, holdsSecret, isList, isObject, isText, type Json, type Value } from "../json/value.ts";
import type { Change } from "../model/change.ts";

/**
 * The change as it may be shown. A secret is a secret by its type on one side only: the same text on the other side,
 * which came from a server as a plain string, becomes the same secret, and so does a plain text that one replaces.
 * Itself where it holds none.
 */
export const redactChange = memoiseByObject(redactOnce);

function redactOnce(change: Change): Change {
  const held = listShown(change).filter(holdsSecret);
  if (held.length === 0) return change;
  const secrets = new Map<string, Secret>();
  for (const value of held) collect(value, secrets);
  const { before, after, unknown } = change;
  const arrivals = arrivalsOf(change);
  const redactOld = (value: Value, other: Value | undefined, path: readonly string[]) =>
    redact(withoutReplaced(value, path, arrivals), other, secrets);
  return {
    ...change,
    edits: change.edits.map((edit) => ({
      path: edit.path,
      ...(edit.before === undefined ? {} : { before: redactOld(edit.before, edit.after, edit.path) }),
      ...(edit.after === undefined ? {} : { after: redact(edit.after, edit.before, secrets) }),
    })),
    ...(unknown && { unknown: unknown.map(({ path, value }) => ({ path, value: redactOld(value, undefined, path) })) }),
    ...(before === undefined ? {} : { before: redactOld(before, after, []) as Fields }),
    ...(after === undefined ? {} : { after: redact(after, before, secrets) as Fields }),
  };
}

/** Plain JSON, every secret as its reference. */
export function redactValue(value: Value): Json {
  if (value instanceof Secret) return value.toString();
  if (isList(value)) return value.map(redactValue);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactValue(item)]));
  return value;
}

function listShown({ before, after, edits }: Change): readonly Value[] {
  const values = [before, after, ...edits.flatMap((edit) => [edit.before, edit.after])];
  return values.filter((value) => value !== undefined);
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

/** What `after` says under one name in one field: whether any of it is a secret, and every plain text. */
interface Arrival {
  secret: boolean;
  readonly texts: Set<string>;
}

/** By field and by the nearest name above, for members of a list have no place by which to pair them. */
type Arrivals = Map<string, Map<string, Arrival>>;

function arrivalsOf({ after, edits }: Change): Arrivals {
  const arrivals: Arrivals = new Map();
  if (after !== undefined) arrive(after, [], arrivals);
  for (const edit of edits) if (edit.after !== undefined) arrive(edit.after, edit.path, arrivals);
  return arrivals;
}

function arrive(value: Value, path: readonly string[], arrivals: Arrivals): void {
  if (isList(value)) {
    for (const item of value) arrive(item, path, arrivals);
  } else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) arrive(item, [...path, name], arrivals);
  } else if (isText(value)) {
    const [field, name] = [path[0] ?? "", path.at(-1) ?? ""];
    const names = arrivals.get(field) ?? new Map<string, Arrival>();
    const arrival = names.get(name) ?? { secret: false, texts: new Set() };
    if (value instanceof Secret) arrival.secret = true;
    else arrival.texts.add(value);
    arrivals.set(field, names.set(name, arrival));
  }
}

/** Hides every old string that is gone from under a name whose new value is a secret: it may be the old secret. */
function withoutReplaced(value: Value, path: readonly string[], arrivals: Arrivals): Value {
  if (isList(value)) return value.map((item) => withoutReplaced(item, path, arrivals));
  if (isObject(value)) {
    const members = Object.entries(value);
    return Object.fromEntries(members.map(([name, item]) => [name, withoutReplaced(item, [...path, name], arrivals)]));
  }
  if (typeof value !== "string" || value === "") return value;
  const names = arrivals.get(path[0] ?? "");
  const found = path.map((name) => names?.get(name));
  return found.some((arrival) => arrival?.secret && !arrival.texts.has(value)) ? new Secret("live", value) : value;
}

/** `other` is the value at the same place on the other side. */
function redact(value: Value, other: Value | undefined, secrets: ReadonlyMap<string, Secret>): Value {
  if (typeof value === "string") {
    if (value !== "" && other !== undefined && holdsSecret(other)) return new Secret("live", value);
    return value === "" ? value : (secrets.get(value) ?? value);
  }
  // Members of a list have no place of their own: only the same text is the same secret.
  if (isList(value)) return value.map((item) => redact(item, undefined, secrets));
  if (isObject(value)) {
    const opposite = isObject(other) ? other : {};
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        return [key, redact(item, Object.hasOwn(opposite, key) ? opposite[key] : undefined, secrets)];
      }),
    );
  }
  return value;
}
