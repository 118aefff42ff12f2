import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Change } from "../model/change.ts";
import type { DesiredState } from "../model/desired.ts";
import { isResourceFamily } from "../model/names.ts";
import { incompleteness } from "./completeness.ts";

/**
 * What is only odd in a file is an error where it would be written: a server may hold an incomplete entry, but
 * refuses to be given one.
 */
export function validateWrites(
  changes: readonly Change[],
  desired: DesiredState,
  dialect: Dialect,
): readonly Diagnostic[] {
  return changes.flatMap(({ family, name, action }) => {
    if (!isResourceFamily(family) || (action !== "create" && action !== "update")) return [];
    const declared = desired.resources.get(family)?.get(name);
    return declared ? incompleteness(declared, dialect, "error") : [];
  });
}
