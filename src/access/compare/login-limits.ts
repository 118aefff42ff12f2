import { type Fields, isEqual, isObject, listValues, type Value } from "../../json/value.ts";
import { formatSettings, takeFields } from "./login-change.ts";

interface LimitNumber {
  readonly byDefault: number;
  /** Of what servers can use, measured: with others they limit nothing, or cannot load the config. The least is 1. */
  readonly most: number;
  /** With a larger number, or a smaller one, more wrong passwords are let through. */
  readonly weakerWith: "more" | "less";
}

const mostSeconds = Math.floor((2 ** 31 - 1) / 1000);

const numbers: ReadonlyMap<string, LimitNumber> = new Map([
  ["allowed_tries", { byDefault: 10, most: 2 ** 31 - 1, weakerWith: "more" }],
  ["time_window_seconds", { byDefault: 3600, most: mostSeconds, weakerWith: "less" }],
  ["block_expiry_seconds", { byDefault: 600, most: mostSeconds, weakerWith: "less" }],
  ["max_blocked_clients", { byDefault: 100_000, most: 2 ** 31 - 1, weakerWith: "less" }],
  ["max_tracked_clients", { byDefault: 100_000, most: 2 ** 31 - 1, weakerWith: "less" }],
]);

/**
 * Limits on wrong passwords (`auth_failure_listeners`) that go or are weaker, by their names, and new ones that a server cannot
 * use; what is not known counts. Where another one is as strict, nothing goes.
 */
export function describeLimits(
  before: Value | undefined,
  after: Value | undefined,
): readonly (readonly [name: string, what: string])[] {
  const [was, is] = [takeFields(before), takeFields(after)];
  const listeners = Object.values(is).filter(isObject);
  return Object.keys({ ...was, ...is }).flatMap((name): readonly (readonly [string, string])[] => {
    const [old, now] = [was[name], is[name]];
    if (isObject(old) && listeners.some((one) => listWeaker(old, one).length === 0)) return [];
    if (isObject(old) && !isObject(now))
      return [[name, `wrong passwords are limited no more by ${name} (auth_failure_listeners, removed)`]];
    const fields = isObject(old)
      ? listWeaker(old, takeFields(now))
      : Object.entries(takeFields(now)).flatMap(([field, value]) =>
          named.includes(field) || (numbers.has(field) && isUsable(field, value)) ? [] : [field],
        );
    const how = `auth_failure_listeners, ${formatSettings(
      fields.map((field) => [field]),
      takeFields(old),
      takeFields(now),
    )}`;
    return fields.length === 0 ? [] : [[name, `more wrong passwords are let through by ${name} (${how})`]];
  });
}

const named = ["type", "authentication_backend", "ignore_hosts"];

function listWeaker(was: Fields, is: Fields): readonly string[] {
  return Object.keys({ ...was, ...is }).filter((field) => isWeaker(field, was[field], is[field]));
}

function isWeaker(field: string, was: Value | undefined, is: Value | undefined): boolean {
  if (isEqual(was, is)) return false;
  if (field === "ignore_hosts") return listValues(is).some((host) => !listValues(was).includes(host));
  const number = numbers.get(field);
  if (!number || !isUsable(field, is)) return true;
  const [before, after] = [was, is].map((value) => Number(value ?? number.byDefault)) as [number, number];
  return isUsable(field, was) && (number.weakerWith === "more" ? after > before : after < before);
}

function isUsable(field: string, value: Value | undefined): boolean {
  const most = numbers.get(field)?.most ?? 0;
  const count = Number(value);
  return value === undefined || (count >= 1 && count <= most);
}
