import { isTooDeep } from "../json/depth.ts";
import { isObject, type Value } from "../json/value.ts";
import type { JournalRecord } from "../model/journal.ts";
import {
  type Fits,
  having,
  isAddress,
  isBoolean,
  isFamily,
  isNumber,
  isString,
  isTarget,
  isTime,
  listOf,
  maybe,
  oneOf,
} from "./shapes.ts";

/** Whether a line of a journal, parsed, is a record of ours, down to the values in it. */
export function isRecord(value: unknown): value is JournalRecord {
  if (!isObject(value as Value)) return false;
  const { record } = value as Record<string, Value>;
  if (typeof record !== "string" || !Object.hasOwn(shapes, record)) return false;
  return shapes[record as JournalRecord["record"]](value as Value);
}

const request = {
  method: oneOf("PUT", "PATCH", "DELETE"),
  path: isString,
  addresses: listOf(isAddress),
};

const isScope: Fits = (value) =>
  [
    having({ of: oneOf("all") }),
    having({ of: oneOf("families"), families: listOf(isFamily) }),
    having({ of: oneOf("changes"), seen: listOf(isAddress) }),
  ].some((fits) => fits(value));

const shapes: Readonly<Record<JournalRecord["record"], Fits>> = {
  begin: having({
    format_version: oneOf(1),
    time: isTime,
    run: isString,
    command: oneOf("apply", "rollback"),
    by: isString,
    identity: maybe(isString),
    target: isTarget,
  }),
  plan: having({
    time: isTime,
    fingerprint: isString,
    backup: maybe(isString),
    operations: listOf(having(request)),
    changes: listOf(
      having({
        family: isFamily,
        name: isString,
        action: oneOf("create", "update", "delete", "leave"),
        before: maybe(isString),
        midway: maybe(listOf(isString)),
      }),
    ),
    lifted: listOf(having({ rule: isString, addresses: listOf(isAddress) })),
    declared: listOf(isFamily),
    unmanaged: maybe(listOf(having({ family: isFamily, since: isTime }))),
    desired: listOf(
      having({
        family: isFamily,
        name: isString,
        value: (value) => isObject(value) && !isTooDeep(value),
        write_always: maybe(isBoolean),
      }),
    ),
    scope: isScope,
  }),
  intention: having({ time: isTime, run: isString, operation: isNumber, attempt: isNumber, ...request }),
  answer: having({ time: isTime, operation: isNumber, status: maybe(isNumber), lost: maybe(isString) }),
  outcome: having({
    time: isTime,
    operation: isNumber,
    outcome: oneOf("done", "failed", "unknown", "not-attempted"),
    detail: maybe(isString),
  }),
  end: having({ time: isTime, interrupted: isBoolean, verified: maybe(isBoolean), differing: listOf(isAddress) }),
};
