import { type ConfigPlace, configPlaces, createAuthcPlace, getPlaceBelow } from "../families/config.ts";
import { compareByCodeUnit, toSet, withSortedKeys } from "../json/canonical.ts";
import { applyEdits, findEdits } from "../json/patch.ts";
import { Secret } from "../json/secret.ts";
import { type Fields, isEqual, isList, isObject, isText, toComparable, type Value } from "../json/value.ts";
import type { Change, UnknownField } from "../model/change.ts";
import type { DesiredConfig } from "../model/desired.ts";
import type { LiveConfig } from "../model/live.ts";
import type { FamilyPolicy } from "../model/policy.ts";

/** What servers and snapshots show in place of a secret: it says nothing about the secret, so it is left alone. */
const mask = /^\*+$/;

/**
 * The config: children of `dynamic` that are not declared stay as they are, a declared one is managed whole. What is
 * written is the live document with the edits made, so everything that is not declared goes back byte for byte.
 */
export function diffConfig(desired: DesiredConfig, live: LiveConfig, policy: FamilyPolicy | undefined): Change {
  const before = live.document;
  // What is shown depends on no order of keys; what is written is the live document, in its own, with just these edits.
  const wanted = merged(before, desired.value, { ...configPlaces, authc: createAuthcPlace(live.internalBackend) });
  const edits = findEdits(withSortedKeys(before) as Fields, withSortedKeys(wanted) as Fields);
  const after = applyEdits(before, edits);
  const shared = { family: "config", name: "config", before, after, edits, origin: desired.origin } as const;
  const mode = policy?.mode ?? (desired.native ? "observe" : "manage");
  const unknown = mode === "observe" ? [] : findUnknownSettings(before, desired.value);
  const change = unknown.length === 0 ? shared : { ...shared, unknown };
  if (edits.length === 0) return { ...change, action: "leave", reason: "in-sync" };
  if (mode === "observe") return { ...change, action: "leave", reason: "observed" };
  return { ...change, action: "update", reason: "declared" };
}

/** What the server has set in `dynamic`, and in children of it that are declared, that gate-sync does not know and that is not declared. */
function findUnknownSettings(live: Fields, desired: Fields): readonly UnknownField[] {
  const [now, wanted] = [live, desired].map(({ dynamic }) => (isObject(dynamic) ? dynamic : {})) as [Fields, Fields];
  const managed = Object.entries(now).filter(
    ([name]) => Object.hasOwn(wanted, name) || !Object.hasOwn(configPlaces, name),
  );
  return unknownAt(
    { kind: "object", fields: configPlaces },
    withSortedKeys(Object.fromEntries(managed)) as Fields,
    wanted,
    ["dynamic"],
  );
}

function unknownAt(
  place: ConfigPlace,
  live: Value,
  desired: Value | undefined,
  path: readonly string[],
): readonly UnknownField[] {
  if (!isObject(live) || (place.kind !== "object" && place.kind !== "named")) return [];
  return Object.entries(live).flatMap(([name, value]): readonly UnknownField[] => {
    const wanted = isObject(desired) && Object.hasOwn(desired, name) ? desired[name] : undefined;
    const [inside, at] = [getPlaceBelow(place, name), [...path, name]];
    if (inside) return unknownAt(inside, value, wanted, at);
    return wanted !== undefined || isNothing(value) ? [] : [{ path: at, value }];
  });
}

function merged(live: Fields, desired: Fields, places: typeof configPlaces): Fields {
  const liveDynamic = isObject(live.dynamic) ? live.dynamic : {};
  const dynamic = new Map<string, Value>(Object.entries(liveDynamic));
  for (const [name, child] of Object.entries(isObject(desired.dynamic) ? desired.dynamic : {})) {
    const value = mergedAt(places[name] ?? { kind: "free" }, liveDynamic[name], child);
    if (value === undefined) dynamic.delete(name);
    else dynamic.set(name, value);
  }
  return { ...live, dynamic: Object.fromEntries(dynamic) };
}

/** The value to be written at one place: the live one, untouched, wherever it means what is desired. */
function mergedAt(place: ConfigPlace, live: Value | undefined, desired: Value | undefined): Value | undefined {
  switch (place.kind) {
    case "object":
      return mergedObject(place.fields, live, desired);
    case "named":
      return mergedNames(place.each, live, desired);
    case "list":
      return isSameList(place, live, desired) ? live : withLiveSecrets(desired ?? undefined, live);
    case "free":
      return sameFreely(live, desired) ? live : withLiveSecrets(desired ?? undefined, live);
    default:
      return sameScalar(place, live, desired) ? live : typed(place, desired ?? undefined);
  }
}

/** A field that is not declared goes back to its default; one that gate-sync does not know is kept. */
function mergedObject(
  places: Readonly<Record<string, ConfigPlace>>,
  live: Value | undefined,
  desired: Value | undefined,
): Value | undefined {
  const [before, wanted] = [isObject(live) ? live : {}, isObject(desired) ? desired : {}];
  const result = new Map<string, Value>(Object.entries(before));
  for (const name of new Set([...Object.keys(before), ...Object.keys(wanted)])) {
    const place = Object.hasOwn(places, name) ? places[name] : undefined;
    if (!place && !Object.hasOwn(wanted, name)) continue;
    const value = mergedAt(place ?? { kind: "free" }, before[name], wanted[name]);
    if (value === undefined) result.delete(name);
    else result.set(name, value);
  }
  if (result.size === 0 && live === undefined && desired === undefined) return undefined;
  return Object.fromEntries(result);
}

/** Entries that the user named: the declared ones and no others. */
function mergedNames(each: ConfigPlace, live: Value | undefined, desired: Value | undefined): Value | undefined {
  const [before, wanted] = [isObject(live) ? live : {}, isObject(desired) ? desired : {}];
  if (Object.keys(wanted).length === 0) return Object.keys(before).length === 0 ? live : {};
  const kept = Object.keys(before).filter((name) => Object.hasOwn(wanted, name));
  const added = Object.keys(wanted)
    .filter((name) => !Object.hasOwn(before, name))
    .sort(compareByCodeUnit);
  return Object.fromEntries(
    [...kept, ...added].map((name) => [name, mergedAt(each, before[name], wanted[name]) ?? {}]),
  );
}

function isSameList(
  { filledIn = [], isOrdered }: Extract<ConfigPlace, { kind: "list" }>,
  live: Value | undefined,
  desired: Value | undefined,
): boolean {
  if (live === undefined || (desired ?? undefined) !== undefined) {
    const isReordered = isOrdered && isList(live) && isList(desired) && !isEqual(live, desired);
    return !isReordered && sameFreely(live, desired);
  }
  return sameFreely(live, undefined) || filledIn.some((value) => isEqual(value, live));
}

type ScalarPlace = Extract<ConfigPlace, { kind: "boolean" | "integer" | "text" }>;

function sameScalar(place: ScalarPlace, live: Value | undefined, desired: Value | undefined): boolean {
  return isEqual(meantBy(place, live), meantBy(place, desired));
}

function meantBy(place: ScalarPlace, written: Value | undefined): Value {
  const byDefault = place.default ?? null;
  const value = typed(place, written ?? byDefault) ?? null;
  if (typeof value === "number" && place.most !== undefined) return Math.min(value, place.most);
  return typeof value === "string" && place.aliases?.includes(value) ? byDefault : value;
}

/** Words for booleans and numbers are what files and older servers often hold. */
function typed(place: ScalarPlace, value: Value | undefined): Value | undefined {
  if (typeof value !== "string") return value;
  if (place.kind === "boolean" && /^(true|false)$/i.test(value)) return value.toLowerCase() === "true";
  if (place.kind === "integer" && /^-?\d+$/.test(value)) return Number(value);
  return value;
}

/** Settings of unknown types: texts and numbers that read the same are the same, nothing is like empty. */
function sameFreely(live: Value | undefined, desired: Value | undefined): boolean {
  if (isNothing(live) || isNothing(desired)) return isNothing(live) && isNothing(desired);
  if (isMask(live) || isMask(desired)) return true;
  if (isList(live) && isList(desired)) return isEqual(live, desired) || isEqual(toSet(live), toSet(desired));
  if (isObject(live) && isObject(desired)) {
    return [...new Set([...Object.keys(live), ...Object.keys(desired)])].every((key) =>
      sameFreely(live[key], desired[key]),
    );
  }
  return isScalar(live) && isScalar(desired) && scalarText(live) === scalarText(desired);
}

/** What means the same stays as it is. Asterisks in a file mean what they mean on the server: the secret that is there. */
function withLiveSecrets(desired: Value | undefined, live: Value | undefined): Value | undefined {
  if (isMask(desired)) return live ?? desired;
  if (!isObject(desired)) return desired;
  const before = isObject(live) ? live : {};
  return Object.fromEntries(
    Object.entries(desired).flatMap(([name, value]): [string, Value][] => {
      if (!sameFreely(before[name], value)) return [[name, withLiveSecrets(value, before[name]) ?? null]];
      const same = before[name];
      return same === undefined ? [] : [[name, same]];
    }),
  );
}

function isMask(value: Value | undefined): boolean {
  return value instanceof Secret && mask.test(toComparable(value));
}

function isNothing(value: Value | undefined): boolean {
  if (value === undefined || value === null || value === "") return true;
  return (isList(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0);
}

function isScalar(value: Value | undefined): value is string | number | boolean | Secret {
  return isText(value) || typeof value === "number" || typeof value === "boolean";
}

function scalarText(value: string | number | boolean | Secret): string {
  return isText(value) ? toComparable(value) : String(value);
}
