import { isObject, type Value } from "./value.ts";

/** RFC 6901: one reference token, escaped. */
export function escapeToken(token: string): string {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** RFC 6901: `["a/b", "c"]` is `/a~1b/c`. */
export function toPointer(tokens: readonly string[]): string {
  return tokens.map((token) => `/${escapeToken(token)}`).join("");
}

export function fromPointer(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function getValueAt(root: Value | undefined, path: readonly string[]): Value | undefined {
  let value = root;
  for (const token of path) {
    if (!isObject(value) || !Object.hasOwn(value, token)) return undefined;
    value = value[token];
  }
  return value;
}
