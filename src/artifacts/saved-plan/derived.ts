import { applyEdits } from "../../json/patch.ts";
import { getSlottedValueAt } from "../../json/slots.ts";
import { isEqual, type JsonObject } from "../../json/value.ts";
import { type Address, createAddress, isResourceFamily } from "../../model/names.ts";
import type { SavedChange, SavedDesired, SavedPlan } from "../../model/plan-file.ts";

// A saved plan holds each value once: what is derived here is not in the file.

/** The edits of a change with what was there before them; `null` where there is nothing. */
export function listWholeEdits({ edits, basis }: SavedChange) {
  return edits.map(({ path, after = null }) => ({ path, before: getSlottedValueAt(basis, path) ?? null, after }));
}

/** Whether {@link listDesired} finds this value without it being in the file. */
export function isDerivable(change: SavedChange, { value }: SavedDesired): boolean {
  return isResourceFamily(change.family) && isEqual(deriveValue(change), value);
}

/** Every desired value of the plan, of changed entries and of what these refer to. */
export function listDesired({ changes, desired }: Pick<SavedPlan, "changes" | "desired">): readonly SavedDesired[] {
  const held = new Set<Address>(desired.map(({ family, name }) => createAddress(family, name)));
  const derived = changes
    .filter(({ family, name, action }) => {
      return action !== "delete" && isResourceFamily(family) && !held.has(createAddress(family, name));
    })
    .map((change) => ({ family: change.family, name: change.name, value: deriveValue(change) }));
  return [...derived, ...desired];
}

function deriveValue({ basis = {}, edits }: SavedChange): JsonObject {
  return applyEdits(basis as JsonObject, edits) as JsonObject;
}
