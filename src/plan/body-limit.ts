import { type Fields, isList, isObject, isText, type Json, toComparable, type Value } from "../json/value.ts";
import { type Operation, withoutTests } from "../model/operation.ts";

const mebibyte = 1024 * 1024;

/** Bytes: the default of search engines (`http.max_content_length`), written there as 100mb. */
export const usualBodyLimit = 100 * mebibyte;

/**
 * Whether a body is longer, as JSON and unpacked: a server counts what a packed one unpacks to, a proxy what it sees,
 * which is never more.
 *
 * @param limit bytes
 */
export function exceeds(body: Value | undefined, limit: number): boolean {
  return body !== undefined && atMost(body) > limit && bytesOf(body) > limit;
}

/**
 * The fewest runs of neighbours, each of which fits into one PATCH; what is alone too long is alone. That runs filled one
 * after the other are the fewest holds for any order that is kept. Some other order might need fewer, but the order is
 * there for safety, and so that the same entries travel together tomorrow.
 *
 * @param steps what an item adds to the list of the PATCH
 */
export function splitIntoRuns<T>(
  items: readonly T[],
  steps: (item: T) => readonly Fields[],
  limit: number,
): readonly (readonly T[])[] {
  const runs: T[][] = [];
  let free = 0;
  for (const item of items) {
    // After each step comes a comma, or the bracket that closes the list.
    const bytes = steps(item).reduce((sum, step) => sum + bytesOf(step) + 1, 0);
    const run = runs.at(-1);
    if (run && bytes <= free) run.push(item);
    else {
      runs.push([item]);
      free = limit - "[".length;
    }
    free -= bytes;
  }
  return runs;
}

/** A `test` is a guard and never a reason to fail: a request to one entry that is too long with its tests goes without. */
export function withTestsThatFit(operation: Operation, limit: number): Operation {
  if (operation.names.length > 1 || !exceeds(operation.body, limit)) return operation;
  const bare = withoutTests(operation);
  if (bare === operation || exceeds(bare.body, limit)) return operation;
  const reason = [operation.reason, `without its tests, as the body limit is ${formatLimit(limit)}`];
  return { ...bare, reason: reason.filter((each) => each !== undefined).join("; ") };
}

/** In the units of gate-sync.yaml: `10 MB`. */
export function formatLimit(limit: number): string {
  for (const [unit, bytes] of [
    ["GB", 1024 * mebibyte],
    ["MB", mebibyte],
    ["KB", 1024],
  ] as const) {
    if (limit % bytes === 0) return `${limit / bytes} ${unit}`;
  }
  return `${limit} bytes`;
}

function bytesOf(body: Value): number {
  return Buffer.byteLength(JSON.stringify(written(body)));
}

/** The length is counted, then the string is dropped. An unresolved secret counts by its reference. */
function written(value: Value): Json {
  if (isText(value)) return toComparable(value);
  if (isList(value)) return value.map(written);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, written(item)]));
  return value as Json;
}

/** No character takes more than six bytes (`\u0000`): a value far below the limit need not be encoded to know that. */
function atMost(value: Value): number {
  if (isText(value)) return 6 * toComparable(value).length + 2;
  if (isList(value)) return value.reduce<number>((sum, item) => sum + atMost(item) + 1, 2);
  if (!isObject(value)) return 32;
  let sum = 2;
  for (const key of Object.keys(value)) sum += 6 * key.length + 4 + atMost(value[key] as Value);
  return sum;
}
