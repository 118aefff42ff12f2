// Documents that servers complete: what is not declared of them has its default.
import { type Fields, isObject, type Value } from "../json/value.ts";
import type { Field } from "./facts.ts";

/**
 * The declared value with the default of each field that the server shows and the files leave out, and with the settings
 * that gate-sync does not know as they are there.
 */
export function fillSettings(desired: Fields, live: Fields, facts: Readonly<Record<string, Field>>): Fields {
  if (!Object.values(facts).some((field) => field.default !== undefined)) return desired;
  const completed = Object.entries(facts).flatMap(([name, field]): [string, Value][] => {
    const value = fillField(desired[name], live[name], field);
    return value === undefined ? [] : [[name, value]];
  });
  const unknown = Object.entries({ ...live, ...desired }).filter(([name]) => !Object.hasOwn(facts, name));
  return Object.fromEntries([...completed, ...unknown]);
}

function fillField(desired: Value | undefined, live: Value | undefined, field: Field): Value | undefined {
  const value = desired ?? (live === undefined ? undefined : field.default);
  return field.kind === "settings" && isObject(value) && isObject(live)
    ? fillSettings(value, live, field.element ?? {})
    : value;
}
