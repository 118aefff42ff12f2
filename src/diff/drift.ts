import { isEqual } from "../json/value.ts";
import { type Change, isPending } from "../model/change.ts";
import type { DriftDifference, DriftSide } from "../model/drift.ts";
import { createAddress } from "../model/names.ts";
import { getMode, type Policies } from "../model/policy.ts";

/**
 * What is not as declared, and who moved: the same differ compared the same live state with what is declared now and
 * with what was declared at the baseline, and here the two answers are laid side by side.
 *
 * @param then the changes from live to the baseline; absent where there is none. What was not declared then is not
 *   among them, so that only git can have moved it.
 * @param isExplained false for what the baseline says nothing of
 * @param policies of the families: what is only observed is no drift
 */
export function findDrift(
  now: readonly Change[],
  then?: readonly Change[],
  isExplained: (change: Change) => boolean = () => true,
  policies: Policies = {},
): readonly DriftDifference[] {
  const before = then && new Map(then.map((change) => [createAddress(change.family, change.name), change]));
  return now.filter(isDifferent).map((change) => ({
    change,
    // Since when the server has a field that gate-sync does not know is unknown.
    moved:
      before && isExplained(change) && !change.unknown
        ? whoMoved(change, before.get(createAddress(change.family, change.name)))
        : "unknown",
    counts:
      isPending(change) ||
      change.unknown !== undefined ||
      ((hasOtherHash(change) || isNotRotated(change)) && getMode(change.family, policies) !== "observe"),
  }));
}

function whoMoved(now: Change, then: Change | undefined): DriftSide {
  if (isNotRotated(now)) return "git";
  if (isIncomparable(now) || (then && isIncomparable(then))) return "unknown";
  if (then === undefined || !isDifferent(then)) return "git";
  return sameWish(now, then) ? "live" : "both";
}

export function isDifferent(change: Change): boolean {
  if (isPending(change) || change.edits.length > 0 || change.unknown !== undefined) return true;
  return isIncomparable(change) || isNotRotated(change);
}

/** Which of the two hashes is the older one is not known either: the baseline holds none. */
function isIncomparable(change: Change): boolean {
  return change.reason === "unknown" || hasOtherHash(change);
}

function hasOtherHash({ reason }: Change): boolean {
  return reason === "other-hash";
}

/** The files have another password than at the baseline. */
function isNotRotated({ reason }: Change): boolean {
  return reason === "not-rotated";
}

/** Both lead away from the same live value: they want the same where they change the same. */
function sameWish(now: Change, then: Change): boolean {
  if ((now.after === undefined) !== (then.after === undefined)) return false;
  if (now.edits.length !== then.edits.length) return false;
  return now.edits.every(({ path, after }, index) => {
    const other = then.edits[index];
    return other !== undefined && isEqual(path, other.path) && (after === other.after || isEqual(after, other.after));
  });
}
