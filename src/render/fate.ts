import { type Change, isPending } from "../model/change.ts";
import { addressOf } from "../model/names.ts";
import type { OutcomeKind, Report } from "../model/outcome.ts";

/**
 * What became of one change: the worst that became of a request that makes it. What was called done and is not there
 * when read back is unknown.
 */
export interface Fate {
  readonly change: Change;
  readonly kind: OutcomeKind;
}

/** What is worst of several counts. */
export const worstFirst: readonly OutcomeKind[] = ["unknown", "failed", "not-attempted", "done"];

/** For every pending change, in the order of the plan. One that no request names was not attempted. */
export function fatesOf(report: Report): readonly Fate[] {
  const kinds = new Map<string, OutcomeKind>();
  for (const { operation, kind } of report.outcomes) {
    for (const name of operation.names) {
      const address = addressOf(operation.family, name);
      const known = kinds.get(address) ?? "done";
      kinds.set(address, worstFirst.indexOf(kind) < worstFirst.indexOf(known) ? kind : known);
    }
  }
  const differing = new Set(report.differing);
  return report.plan.changes.filter(isPending).map((change) => {
    const address = addressOf(change.family, change.name);
    const kind = kinds.get(address) ?? "not-attempted";
    return { change, kind: kind === "done" && differing.has(address) ? "unknown" : kind };
  });
}
