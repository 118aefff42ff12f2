import { isList, isObject, type Value } from "../json/value.ts";

/** What is at a place; undefined where nothing has that place. */
export function getPatchedValue(value: Value, path: readonly string[]): Value | undefined {
  const [token, ...rest] = path;
  if (token === undefined) return value;
  const inner = isList(value)
    ? value[/^\d{1,9}$/.test(token) ? Number(token) : -1]
    : isObject(value) && Object.hasOwn(value, token)
      ? value[token]
      : undefined;
  return inner === undefined ? undefined : getPatchedValue(inner, rest);
}

/**
 * A value with one place in it set, or removed; undefined where nothing has that place.
 *
 * @param path not empty; in a list a position, or `-` for its end
 * @param after undefined: removed
 */
export function patchValue(
  value: Value,
  [token = "", ...rest]: readonly string[],
  after: Value | undefined,
): Value | undefined {
  if (isList(value)) return patchList(value, token, rest, after);
  if (!isObject(value)) return undefined;
  const before = Object.hasOwn(value, token) ? value[token] : undefined;
  if (rest.length > 0) {
    const inner = before === undefined ? undefined : patchValue(before, rest, after);
    return inner === undefined ? undefined : withMember(value, token, inner);
  }
  if (after !== undefined) return withMember(value, token, after);
  // Servers remove a field that is not there, too.
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== token));
}

function withMember(value: { readonly [key: string]: Value }, token: string, member: Value): Value {
  return Object.fromEntries([...Object.entries(value).filter(([key]) => key !== token), [token, member]]);
}

function patchList(
  list: readonly Value[],
  token: string,
  rest: readonly string[],
  after: Value | undefined,
): Value | undefined {
  if (token === "-" && rest.length === 0) return after === undefined ? undefined : [...list, after];
  const at = /^\d{1,9}$/.test(token) ? Number(token) : -1;
  const before = list[at];
  if (rest.length > 0) {
    const inner = before === undefined ? undefined : patchValue(before, rest, after);
    return inner === undefined ? undefined : list.map((item, index) => (index === at ? inner : item));
  }
  if (after === undefined) return before === undefined ? undefined : list.filter((_, index) => index !== at);
  return at < 0 || at > list.length ? undefined : [...list.slice(0, at), after, ...list.slice(at)];
}
