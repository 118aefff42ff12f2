// Documents that servers complete: what is not declared of them has its default.
import { type Fields, isEqual, isObject, type Value } from "../json/value.ts";
import type { Field } from "./facts.ts";

/**
 * @param defaults of this server, where they are not what the facts say
 * @returns the declared value with the default of each field that the server shows and the files leave out, and with the settings
 * that gate-sync does not know as they are there
 */
export function fillSettings(
  desired: Fields,
  live: Fields,
  facts: Readonly<Record<string, Field>>,
  defaults: Fields = {},
): Fields {
  if (!Object.values(facts).some((field) => field.default !== undefined)) return desired;
  const completed = Object.entries(facts).flatMap(([name, field]): [string, Value][] => {
    const value = fillField(desired[name], live[name], field, defaults[name]);
    return value === undefined ? [] : [[name, value]];
  });
  const unknown = Object.entries({ ...live, ...desired }).filter(([name]) => !Object.hasOwn(facts, name));
  return Object.fromEntries([...completed, ...unknown]);
}

function fillField(
  desired: Value | undefined,
  live: Value | undefined,
  field: Field,
  ownDefault: Value | undefined,
): Value | undefined {
  const byDefault = field.kind === "settings" ? field.default : (ownDefault ?? field.default);
  const value = desired ?? (live === undefined ? undefined : byDefault);
  if (field.kind !== "settings" || !isObject(value) || !isObject(live)) return value;
  return fillSettings(value, live, field.element ?? {}, isObject(ownDefault) ? ownDefault : {});
}

/** The value without what is declared with its default and the server leaves out: to it that is the same. */
export function omitDefaults(
  desired: Fields,
  live: Fields,
  facts: Readonly<Record<string, Field>>,
  defaults: Fields = {},
): Fields {
  const kept = Object.entries(desired).flatMap(([name, value]): [string, Value][] => {
    const [field, held, own] = [Object.hasOwn(facts, name) ? facts[name] : undefined, live[name], defaults[name]];
    const byDefault = own ?? field?.default;
    if (held === undefined && byDefault !== undefined && isEqual(value, byDefault)) return [];
    if (!field?.element || !isObject(value) || !isObject(held)) return [[name, value]];
    return [[name, omitDefaults(value, held, field.element, isObject(own) ? own : {})]];
  });
  return Object.fromEntries(kept);
}
