import { isResourceFamily, isSingleEntryFamily } from "../../model/names.ts";
import type { Violation } from "../../model/plan.ts";
import { escapeInvisible, joinNames } from "../escape.ts";

/** What refuses a plan, and what waives that. */
export interface ViolationView {
  /** As the guard gives it, for programs. */
  readonly violation: Violation;
  readonly rule: string;
  readonly what: string;
  readonly why?: string;
  /** `roles/hr_reader`. */
  readonly addresses: readonly string[];
  /** The same without the family where all are of one, and it has several entries: `hr_reader`. */
  readonly names: readonly string[];
  readonly remedies: readonly RemedyView[];
}

/** To be copied whole. */
export interface RemedyView {
  /** `If this is meant, for this run:`. */
  readonly title: string;
  readonly lines: readonly string[];
}

/** What waives several at once is there once, at the first of them. */
export function createViolationViews(violations: readonly Violation[]): readonly ViolationView[] {
  const shown = new Set<string>();
  return violations.map((violation) => {
    const view = createViolationView(violation);
    const text = violation.remedies.map((one) => one.text).join("\n");
    if (text === "" || !shown.has(text)) {
      shown.add(text);
      return view;
    }
    return { ...view, remedies: [{ title: "The waiver above waives this, too.", lines: [] }] };
  });
}

export function createViolationView(violation: Violation): ViolationView {
  const { rule, what, why, family, addresses, remedies } = violation;
  const prefix = `${family}/`;
  const isNamed = family !== undefined && isResourceFamily(family) && !isSingleEntryFamily(family);
  const withoutFamily = (name: string) => (isNamed && name.startsWith(prefix) ? name.slice(prefix.length) : name);
  return {
    violation,
    rule: escapeInvisible(rule),
    what: escapeInvisible(what),
    ...(why !== undefined && { why: escapeInvisible(why) }),
    addresses: addresses.map((address) => joinNames([address])),
    names: addresses.map((address) => joinNames([withoutFamily(address)])),
    remedies: remedies.map(({ how, text }, at) => ({
      title: `${at === 0 ? "If this is meant," : "or"} ${how}:`,
      lines: text.split("\n").map(escapeInvisible),
    })),
  };
}
