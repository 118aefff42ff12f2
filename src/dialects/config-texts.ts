import { type ConfigPlace, configPlaces, getPlaceBelow } from "../families/config.ts";
import { type Fields, isList, isObject, type Value } from "../json/value.ts";

/**
 * A config as both sides can be compared where the server keeps every scalar as a text: known places have their type,
 * whatever is free is text.
 */
export function withTypedPlaces(document: Fields): Fields {
  return { ...document, dynamic: typed({ kind: "object", fields: configPlaces }, document.dynamic ?? {}) };
}

function typed(place: ConfigPlace | undefined, value: Value): Value {
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, typed(getPlaceBelow(place, name), item)]),
    );
  }
  if (isList(value)) return value.map((item) => typed(undefined, item));
  if (place?.kind === "boolean" && (value === "true" || value === "false")) return value === "true";
  if (place?.kind === "integer" && typeof value === "string" && /^-?\d+$/.test(value)) return Number(value);
  const isFree = place?.kind !== "boolean" && place?.kind !== "integer";
  return isFree && (typeof value === "boolean" || typeof value === "number") ? String(value) : value;
}
