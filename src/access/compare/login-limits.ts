import { type Fields, isEqual, isList, isObject, isText, listValues, type Value } from "../../json/value.ts";
import { formatSettings, takeFields } from "./login-change.ts";
import { isUnset } from "./login-source.ts";

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
    const goes = isObject(old) && !listeners.some((one) => listWeaker(old, one).length === 0);
    if (goes && !isObject(now))
      return [[name, `wrong passwords are limited no more by ${name} (auth_failure_listeners, removed)`]];
    const fields = goes ? listWeaker(old, takeFields(now)) : listUnusable(old, now);
    const how = `auth_failure_listeners, ${formatSettings(
      fields.map((field) => [field]),
      takeFields(old),
      takeFields(now),
    )}`;
    return fields.length === 0 ? [] : [[name, `more wrong passwords are let through by ${name} (${how})`]];
  });
}

function listWeaker(was: Fields, is: Fields): readonly string[] {
  return Object.keys({ ...was, ...is }).filter((field) => isWeaker(field, was[field], is[field]));
}

function listUnusable(was: Value | undefined, is: Value | undefined): readonly string[] {
  if (!isObject(is)) return [];
  const isThere = (field: string) => isObject(was) && isEqual(was[field], is[field]);
  return Object.keys({ type: "", ...is }).filter((field) => !isUsable(field, is[field]) && !isThere(field));
}

function isWeaker(field: string, was: Value | undefined, is: Value | undefined): boolean {
  if (isEqual(was, is)) return false;
  if (!isUsable(field, is)) return true;
  if (field === "ignore_hosts")
    return listValues(is).some((host) => !listValues(was).some((one) => isEqual(one, host)));
  const number = numbers.get(field);
  if (!number) return true;
  const [before, after] = [was, is].map((value) => readCount(value ?? number.byDefault)) as [number, number];
  return isUsable(field, was) && (number.weakerWith === "more" ? after > before : after < before);
}

/** Whether a server can load it, and it limits something. */
function isUsable(field: string, value: Value | undefined): boolean {
  if (field === "type") return value === "ip" || value === "username";
  if (field === "authentication_backend") return true;
  if (field === "ignore_hosts") return isUnset(value) ? value !== "" : isList(value) && value.every(isText);
  const number = numbers.get(field);
  const count = value === undefined ? 1 : readCount(value);
  return number !== undefined && count >= 1 && count <= number.most;
}

/** As servers do: of a text only digits, and of a number what is before the point. */
function readCount(value: Value): number {
  const isCount = typeof value === "number" || (typeof value === "string" && /^\s*\+?\d+\s*$/.test(value));
  return isCount ? Math.trunc(Number(value)) : Number.NaN;
}
