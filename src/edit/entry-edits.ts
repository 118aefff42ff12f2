// How a declared entry becomes what a server holds: the fields that differ, with all that is written kept where it may be.
import { canonicaliseField } from "../families/canonical.ts";
import type { Field } from "../families/facts.ts";
import { fillSettings } from "../families/fill.ts";
import { encodeCanonical } from "../json/canonical.ts";
import { pairMostAlike } from "../json/likeness.ts";
import { type Fields, isEqual, isList, isObject, type Json, listValues, type Value } from "../json/value.ts";
import { escapeReferences } from "../load/reference-text.ts";
import { findMapEntry, type Node, toValue } from "../model/node.ts";

/** What a written value comes to; several where it is a variable that is a list. */
export type ResolveWritten = (written: Node) => readonly Value[];

type FieldFacts = Readonly<Record<string, Field>>;

/** A value below an entry; absent: what is there is removed. */
export interface FieldEdit {
  readonly path: readonly string[];
  readonly value?: Json;
}

/** A field that cannot be written where it is, as a reference is there. */
export interface KeptField {
  readonly field: string;
  readonly why: string;
}

export interface EntryEdits {
  readonly edits: readonly FieldEdit[];
  readonly kept: readonly KeptField[];
}

/**
 * @param written the body of the entry, references not resolved; absent where nothing is written yet
 * @param now what that comes to, canonical
 * @param wanted canonical
 */
export function planFields(
  written: Node | undefined,
  now: Fields,
  wanted: Fields,
  facts: FieldFacts,
  resolve: ResolveWritten,
): EntryEdits {
  const edits: FieldEdit[] = [];
  const kept: KeptField[] = [];
  for (const [field, kind] of Object.entries(facts)) {
    if (kind.kind === "credential" || isEqual(now[field], wanted[field])) continue;
    const place = findMapEntry(written, field)?.value;
    const found = writeField(place, wanted[field], kind, resolve);
    if ("why" in found) kept.push({ field, why: found.why });
    else edits.push({ path: [field], ...found });
  }
  return { edits, kept };
}

type Written = { readonly value?: Json } | { readonly why: string };

/** What a field is to say; without a value, it goes. */
export function writeField(
  place: Node | undefined,
  wanted: Value | undefined,
  facts: Field,
  resolve: ResolveWritten,
): Written {
  if (facts.kind === "set" || facts.kind === "names" || facts.kind === "permissions") {
    const items = place === undefined ? [] : place.kind === "list" ? place.items : [place];
    return facts.kind === "permissions"
      ? writePermissions(items, listValues(wanted), facts, resolve)
      : writeSet(items, listValues(wanted), facts, resolve);
  }
  if (facts.kind === "settings" && isObject(wanted) && (place === undefined || place.kind === "map"))
    return writeSettings(place, wanted, facts, resolve);
  if (facts.kind === "lists" && isObject(wanted) && hasPlainKeys(place, resolve))
    return writeLists(place, wanted, facts, resolve);
  if (place && holdsReference(place, resolve)) return { why: describeReference(place) };
  return wanted === undefined ? {} : { value: writeValue(wanted) };
}

/** Of settings that servers complete, only those that are not as what is written comes to. */
function writeSettings(place: Node | undefined, wanted: Fields, facts: Field, resolve: ResolveWritten): Written {
  const { element = {} } = facts;
  const [written = {}] = place === undefined ? [] : resolve(place);
  const now = canonicaliseField(written, facts);
  const { edits, kept } = planFields(
    place,
    fillSettings(isObject(now) ? now : {}, wanted, element),
    wanted,
    element,
    resolve,
  );
  if (kept[0]) return { why: kept[0].why };
  return { value: applyFields(place === undefined ? {} : (toValue(place) as Json), edits) };
}

/** Each list by itself: what is not changed keeps its order. */
function writeLists(place: Node | undefined, wanted: Fields, facts: Field, resolve: ResolveWritten): Written {
  const value: Record<string, Json> = {};
  for (const [name, list] of Object.entries(wanted)) {
    const found = writeField(findMapEntry(place, name)?.value, list, { ...facts, kind: "names" }, resolve);
    if ("why" in found) return found;
    value[escapeReferences(name)] = found.value ?? [];
  }
  return { value };
}

function hasPlainKeys(place: Node | undefined, resolve: ResolveWritten): boolean {
  if (place?.kind !== "map") return place === undefined;
  const [resolved] = resolve(place);
  return isObject(resolved) && place.entries.every(({ key }) => Object.hasOwn(resolved, key));
}

function writeSet(items: readonly Node[], wanted: readonly Value[], facts: Field, resolve: ResolveWritten): Written {
  const left = new Set(wanted.map(encodeCanonical));
  const kept: Json[] = [];
  const had = new Set<string>();
  for (const item of items) {
    const members = resolve(item).flatMap((value) =>
      listValues(canonicaliseField([value], facts)).map(encodeCanonical),
    );
    const isWanted = members.map((member) => left.has(member));
    if (isWanted.every((is) => is)) {
      kept.push(toValue(item) as Json);
      for (const member of members) had.add(member);
    } else if (holdsReference(item, resolve)) return { why: describeReference(item) };
  }
  const added = wanted.filter((value) => !had.has(encodeCanonical(value)));
  return { value: [...kept, ...added.map(writeValue)] };
}

const aSet = { kind: "set", documented: true } as const;

function writePermissions(
  items: readonly Node[],
  wanted: readonly Value[],
  { element = {} }: Field,
  resolve: ResolveWritten,
): Written {
  const left = wanted.filter(isObject);
  const result: (Json | undefined)[] = items.map(() => undefined);
  const open: { readonly index: number; readonly item: Node; readonly now: Fields }[] = [];
  for (const [index, item] of items.entries()) {
    const values = resolve(item);
    const canonical = values.map((value) =>
      listValues(canonicaliseField([value], { ...aSet, kind: "permissions", element })),
    );
    const [now] = canonical.flat();
    const at = left.findIndex((one) => values.length === 1 && isEqual(one, now));
    if (at !== -1) {
      result[index] = toValue(item) as Json;
      left.splice(at, 1);
    } else if (values.length !== 1 || !isObject(now)) return { why: describeReference(item) };
    else open.push({ index, item, now });
  }
  const pairs = pairMostAlike(
    open.map(({ now }) => now),
    left,
    Number.EPSILON,
  );
  const used = new Set<number>();
  for (const [at, { index, item, now }] of open.entries()) {
    const partner = pairs.get(at);
    const target = partner === undefined ? undefined : left[partner];
    if (target === undefined || partner === undefined) {
      if (holdsReference(item, resolve)) return { why: describeReference(item) };
      continue;
    }
    const { edits, kept } = planFields(item, now, target, element, resolve);
    if (kept[0]) return { why: kept[0].why };
    used.add(partner);
    result[index] = applyFields(toValue(item) as Json, edits);
  }
  const added = left.filter((_, index) => !used.has(index)).map(writeValue);
  return { value: [...result.filter((one) => one !== undefined), ...added] };
}

function applyFields(written: Json, edits: readonly FieldEdit[]): Json {
  const fields = new Map(isObject(written) ? (Object.entries(written) as [string, Json][]) : []);
  for (const { path, value } of edits) {
    const [field = ""] = path;
    if (value === undefined) fields.delete(field);
    else fields.set(field, value);
  }
  return Object.fromEntries(fields);
}

/** In a state file: what would be taken for a reference is escaped. */
export function writeValue(value: Value): Json {
  if (typeof value === "string") return escapeReferences(value);
  if (isList(value)) return value.map(writeValue);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [escapeReferences(key), writeValue(item)]));
  return value as Json;
}

/** Whether something else is written than what it comes to. */
export function holdsReference(written: Node, resolve: ResolveWritten): boolean {
  const values = resolve(written);
  return values.length !== 1 || !isEqual(values[0] ?? null, toValue(written));
}

function describeReference(written: Node): string {
  const text = written.file.text.slice(written.start, written.end);
  const reference = /\$\{[^}]*\}/.exec(text)?.[0];
  return reference === undefined ? "a reference is written there" : `${reference} is written there`;
}
