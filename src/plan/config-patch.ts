import type { Dialect } from "../dialects/dialect.ts";
import { holdsMask } from "../families/mask.ts";
import { compareByCodeUnit } from "../json/canonical.ts";
import { getValueAt, toPointer } from "../json/pointer.ts";
import { isObject, type Value } from "../json/value.ts";
import type { Change } from "../model/change.ts";

/**
 * The PATCH that makes just the edits of a config whose secrets the server shows as asterisks: a PUT would store those.
 * Undefined where the config may be put whole, where the dialect cannot, and where an edit itself would carry asterisks.
 */
export function createConfigPatch(change: Change, { config }: Dialect): readonly Value[] | undefined {
  const { before = {}, after = {} } = change;
  if (!config.patch || !holdsMask(before)) return undefined;
  const paths = new Map(change.edits.map(({ path }) => inWhole(before, path)).map((path) => [toPointer(path), path]));
  const patch = [...paths]
    .sort(([a], [b]) => compareByCodeUnit(a, b))
    .map(([pointer, path]): Value => {
      const value = getValueAt(after, path);
      return { path: `/${config.key}${pointer}`, ...(value === undefined ? { op: "remove" } : { op: "add", value }) };
    });
  return patch.some(holdsMask) ? undefined : patch;
}

/** The server leaves what is empty out of the document that it patches: nothing can be added below it. */
function inWhole(before: Value, path: readonly string[]): readonly string[] {
  const empty = path.findIndex((_, depth) => {
    const parent = getValueAt(before, path.slice(0, depth));
    return depth > 1 && isObject(parent) && Object.keys(parent).length === 0;
  });
  return empty === -1 ? path : path.slice(0, empty);
}
