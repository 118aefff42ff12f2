import { isTooDeep } from "../../json/depth.ts";
import { isObject, type Value } from "../../json/value.ts";
import type { JournalRecord } from "../../model/journal.ts";
import {
  fitsList,
  fitsObject,
  fitsOneOf,
  fitsOptional,
  isAddress,
  isBoolean,
  isKnownFamily,
  isNumber,
  isString,
  isTarget,
  isTime,
  type ShapeCheck,
} from "../shapes.ts";

/** Whether a line of a journal, parsed, is a record of gate-sync, down to the values in it. */
export function isRecord(value: unknown): value is JournalRecord {
  if (!isObject(value as Value)) return false;
  const { record } = value as Record<string, Value>;
  if (typeof record !== "string" || !Object.hasOwn(shapes, record)) return false;
  return shapes[record as JournalRecord["record"]](value as Value);
}

const request = {
  method: fitsOneOf("PUT", "PATCH", "DELETE"),
  path: isString,
  addresses: fitsList(isAddress),
};

const isScope: ShapeCheck = (value) =>
  [
    fitsObject({ of: fitsOneOf("all") }),
    fitsObject({ of: fitsOneOf("families"), families: fitsList(isKnownFamily) }),
    fitsObject({ of: fitsOneOf("changes"), seen: fitsList(isAddress) }),
  ].some((fits) => fits(value));

const shapes: Readonly<Record<JournalRecord["record"], ShapeCheck>> = {
  begin: fitsObject({
    format_version: fitsOneOf(1),
    time: isTime,
    run: isString,
    command: fitsOneOf("apply", "rollback"),
    by: isString,
    identity: fitsOptional(isString),
    target: isTarget,
  }),
  plan: fitsObject({
    time: isTime,
    fingerprint: isString,
    backup: fitsOptional(isString),
    operations: fitsList(fitsObject(request)),
    changes: fitsList(
      fitsObject({
        family: isKnownFamily,
        name: isString,
        action: fitsOneOf("create", "update", "delete", "leave"),
        before: fitsOptional(isString),
        intermediate: fitsOptional(fitsList(isString)),
      }),
    ),
    waived: fitsList(fitsObject({ rule: isString, addresses: fitsList(isAddress) })),
    declared: fitsList(isKnownFamily),
    unmanaged: fitsOptional(fitsList(fitsObject({ family: isKnownFamily, since: isTime }))),
    desired: fitsList(
      fitsObject({
        family: isKnownFamily,
        name: isString,
        value: (value) => isObject(value) && !isTooDeep(value),
        write_always: fitsOptional(isBoolean),
      }),
    ),
    scope: isScope,
  }),
  intention: fitsObject({ time: isTime, run: isString, operation: isNumber, attempt: isNumber, ...request }),
  answer: fitsObject({
    time: isTime,
    operation: isNumber,
    status: fitsOptional(isNumber),
    lost: fitsOptional(isString),
  }),
  outcome: fitsObject({
    time: isTime,
    operation: isNumber,
    outcome: fitsOneOf("done", "failed", "unknown", "not-attempted"),
    detail: fitsOptional(isString),
  }),
  end: fitsObject({
    time: isTime,
    interrupted: isBoolean,
    verified: fitsOptional(isBoolean),
    differing: fitsList(isAddress),
  }),
};
