import type { Json, JsonObject } from "../../../src/json/value.ts";

export type Members = { [key: string]: Json };

export function isMap(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Equality of RFC 6902 §4.6: order matters in arrays, not in objects. */
export function same(a: Json | undefined, b: Json | undefined): boolean {
  if (isArray(a)) return isArray(b) && a.length === b.length && a.every((item, index) => same(item, b[index]));
  if (!isMap(a) || !isMap(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}

/** An own member whatever its name: plain assignment of `__proto__` would set a prototype. */
export function setMember(target: Members, key: string, value: Json): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

export function member(value: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
