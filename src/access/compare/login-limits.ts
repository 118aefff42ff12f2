import { isEqual, listValues, type Value } from "../../json/value.ts";
import { takeFields } from "./login-change.ts";

/** With a larger number, or a smaller one, more wrong passwords are let through. */
const weakerWith: ReadonlyMap<string, "more" | "less"> = new Map([
  ["allowed_tries", "more"],
  ["time_window_seconds", "less"],
  ["block_expiry_seconds", "less"],
  ["max_blocked_clients", "less"],
  ["max_tracked_clients", "less"],
]);

/** Limits on wrong passwords (`auth_failure_listeners`) that go or are weaker, by their names; what is not known counts. */
export function describeLimits(
  before: Value | undefined,
  after: Value | undefined,
): readonly (readonly [name: string, what: string])[] {
  const [was, is] = [takeFields(before), takeFields(after)];
  return Object.entries(was).flatMap(([name, old]): readonly (readonly [string, string])[] => {
    const now = is[name];
    if (now === undefined || now === null) {
      const isRenamed = Object.entries(is).some(([other, one]) => !Object.hasOwn(was, other) && isEqual(one, old));
      return isRenamed
        ? []
        : [[name, `wrong passwords are limited no more by ${name} (auth_failure_listeners, removed)`]];
    }
    const [had, has] = [takeFields(old), takeFields(now)];
    const weaker = [...new Set([...Object.keys(had), ...Object.keys(has)])].filter((field) =>
      isWeaker(field, had[field], has[field]),
    );
    if (weaker.length === 0) return [];
    return [
      [
        name,
        `more wrong passwords are let through by ${name} (auth_failure_listeners, another ${weaker.join(" and ")})`,
      ],
    ];
  });
}

function isWeaker(field: string, was: Value | undefined, is: Value | undefined): boolean {
  if (isEqual(was, is)) return false;
  if (field === "ignore_hosts") return listValues(is).some((host) => !listValues(was).includes(host));
  const [before, after] = [Number(was), Number(is)];
  const direction = weakerWith.get(field);
  if (direction === undefined || Number.isNaN(before) || Number.isNaN(after)) return true;
  return direction === "more" ? after > before : after < before;
}
