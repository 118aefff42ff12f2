import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { Secret } from "./secret.ts";
import { type Fields, isList, isObject, isText, type Json, toComparable, type Value } from "./value.ts";

/** Code-unit order: the same on every machine, whatever its locale. */
export function compareByCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The sorting key of a value: its text with keys in order. Holds secrets in clear; never shown. */
export function encodeCanonical(value: Value): string {
  if (isCanonical(value)) return JSON.stringify(value);
  const parts: string[] = [];
  writeCanonical(value, (part) => parts.push(part));
  return parts.join("");
}

function writeCanonical(value: Value, write: (part: string) => unknown): void {
  // The same text, from the engine's own hand.
  if (isCanonical(value)) return void write(JSON.stringify(value));
  if (value instanceof Secret) return void write(JSON.stringify(toComparable(value)));
  let mark = isList(value) ? "[" : "{";
  if (isList(value)) {
    for (const item of value) {
      write(mark);
      writeCanonical(item, write);
      mark = ",";
    }
    return void write("]");
  }
  for (const key of Object.keys(value).sort()) {
    write(`${mark}${JSON.stringify(key)}:`);
    writeCanonical(value[key] as Value, write);
    mark = ",";
  }
  write("}");
}

/** Without secrets, and all keys in order. */
function isCanonical(value: Value): value is Json {
  if (typeof value !== "object" || value === null) return true;
  if (value instanceof Secret) return false;
  if (isList(value)) {
    for (const item of value) if (!isCanonical(item)) return false;
    return true;
  }
  let before: string | undefined;
  for (const key in value as Fields) {
    if ((before !== undefined && before > key) || !isCanonical((value as Fields)[key] as Value)) return false;
    before = key;
  }
  return true;
}

/** A set: sorted, each member once. */
export function toSet(members: readonly Value[]): readonly Value[] {
  if (isSortedSet(members)) return members;
  if (members.every((member) => typeof member === "string")) {
    const sorted = [...members].sort();
    return isSortedSet(sorted) ? sorted : [...new Set(sorted)];
  }
  const byText = new Map<string, Value>();
  for (const member of members) {
    // The text "1" and the number 1 are two members.
    const key = isText(member) ? toComparable(member) : `\u0000${encodeCanonical(member)}`;
    if (!byText.has(key)) byText.set(key, member);
  }
  return [...byText].sort(([a], [b]) => compareByCodeUnit(a, b)).map(([, member]) => member);
}

/** Strings alone, in code-unit order, each once. */
export function isSortedSet(members: readonly Value[]): boolean {
  let before: string | undefined;
  for (const member of members) {
    if (typeof member !== "string" || (before !== undefined && before >= member)) return false;
    before = member;
  }
  return true;
}

/** A multiset of objects whose fields have a fixed order: sorted by content, nothing merged. */
export function toMultiset(members: readonly Fields[]): readonly Fields[] {
  if (members.length < 2 || areInOrder(members)) return members;
  const keyed = members.map((member) => ({ member, key: sortingKey(member) }));
  return keyed.sort((a, b) => compareByCodeUnit(a.key, b.key)).map(({ member }) => member);
}

/** There are tens of thousands, nearly all in order: of most the first texts show it, without a key of each. */
function areInOrder(members: readonly Fields[]): boolean {
  let before = members[0] as Fields;
  for (let at = 1; at < members.length; at++) {
    const member = members[at] as Fields;
    if (!(isPlainlyBefore(before, member) || sortingKey(before) <= sortingKey(member))) return false;
    before = member;
  }
  return true;
}

/** Whether the first texts alone show it: of the same field, and different where neither ends nor is escaped in a key. */
function isPlainlyBefore(one: Fields, other: Fields): boolean {
  const [field, text] = getFirstText(one);
  const [otherField, otherText] = getFirstText(other);
  if (field !== otherField || text === undefined || otherText === undefined) return false;
  const most = Math.min(text.length, otherText.length);
  let at = 0;
  while (at < most && text.charCodeAt(at) === otherText.charCodeAt(at)) at++;
  return at < most && isUnescaped(text.charCodeAt(at)) && isUnescaped(otherText.charCodeAt(at)) && text < otherText;
}

/** The first field, and the first member of its list where that is a text. */
function getFirstText(member: Fields): readonly [field: string | undefined, text: string | undefined] {
  for (const field in member) {
    const list = member[field];
    const text = isList(list) ? list[0] : undefined;
    return [field, typeof text === "string" ? text : undefined];
  }
  return [undefined, undefined];
}

/** JSON has it as it is; quote and backslash are escaped, what is before a space too, and surrogates that stand alone. */
function isUnescaped(code: number): boolean {
  return code > 0x22 && code !== 0x5c && code < 0xd800;
}

/** Sorted by the first field first, so that permissions with the same patterns are together. */
function sortingKey(member: Fields): string {
  // The same text, from the engine's own hand.
  if (holdsTextsAlone(member)) return JSON.stringify(member).slice(1, -1);
  return Object.entries(member)
    .map(([name, value]) => `${JSON.stringify(name)}:${encodeCanonical(value)}`)
    .join(",");
}

function holdsTextsAlone(member: Fields): boolean {
  for (const name of Object.keys(member)) {
    const value = member[name] as Value;
    if (!isList(value)) {
      if (typeof value !== "string") return false;
    } else {
      for (const item of value) if (typeof item !== "string") return false;
    }
  }
  return true;
}

/** The same value with the keys of every object in code-unit order. */
export function withSortedKeys(value: Value): Value {
  if (isList(value)) return value.map(withSortedKeys);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort(compareByCodeUnit);
  return Object.fromEntries(keys.map((key) => [key, withSortedKeys(value[key] as Value)]));
}

/** SHA-256 over the canonical text, in hexadecimal. */
export function computeDigest(value: Value): string {
  const hash = createHash("sha256");
  let text = "";
  // The text of a large plan is never whole in memory.
  writeCanonical(value, (part) => {
    text += part;
    if (text.length < digestedAtOnce) return;
    hash.update(text);
    text = "";
  });
  return hash.update(text).digest("hex");
}

const digestedAtOnce = 65_536;

/** SHA-256 of a text, in hexadecimal. */
export function computeTextDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** HMAC-SHA-256 of a text, in hexadecimal: without the key, guesses cannot be tested against it. */
export function computeKeyedDigest(text: string, key: string): string {
  return createHmac("sha256", key).update(text).digest("hex");
}

/** Whether two digests are the same, in constant time, so that the time does not show how much of them is equal. */
export function isSameDigest(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
