import { type Change, isPending } from "../../model/change.ts";
import { createAddress } from "../../model/names.ts";
import type { ChangeOutcomeKind, Report } from "../../model/outcome.ts";

/**
 * What became of one change: the worst that became of a request that makes it, and `in-part` where some are done and the
 * others were not attempted. What was called done and is not there when read back is unknown.
 */
export interface ChangeOutcome {
  readonly change: Change;
  readonly kind: ChangeOutcomeKind;
}

const worstFirst: readonly ChangeOutcomeKind[] = ["unknown", "failed", "in-part", "not-attempted", "done"];

/** What became of a change that two requests make, from what became of each. */
export function combineOutcomes(one: ChangeOutcomeKind, other: ChangeOutcomeKind): ChangeOutcomeKind {
  const worst = worstFirst.find((kind) => kind === one || kind === other) ?? one;
  return worst === "not-attempted" && one !== other ? "in-part" : worst;
}

/** For every pending change, in the order of the plan. One that no request names was not attempted. */
export function listChangeOutcomes(report: Report): readonly ChangeOutcome[] {
  const kinds = new Map<string, ChangeOutcomeKind>();
  for (const { operation, kind } of report.outcomes) {
    for (const name of operation.names) {
      const address = createAddress(operation.family, name);
      kinds.set(address, combineOutcomes(kinds.get(address) ?? kind, kind));
    }
  }
  const differing = new Set(report.differing);
  return report.plan.changes.filter(isPending).map((change) => {
    const address = createAddress(change.family, change.name);
    const kind = kinds.get(address) ?? "not-attempted";
    return { change, kind: kind === "done" && differing.has(address) ? "unknown" : kind };
  });
}
