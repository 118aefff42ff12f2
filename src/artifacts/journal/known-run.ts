import type { Journal, JournaledOperation, PlanRecord } from "../../model/journal.ts";
import type { Address } from "../../model/names.ts";
import type { ChangeOutcomeKind } from "../../model/outcome.ts";
import { combineOutcomes } from "../../render/views/change-outcomes.ts";

/** What a journal says of its run. */
export interface KnownRun extends Omit<Journal, "records"> {
  /** The last one. */
  readonly plan: PlanRecord;
  /** `killed`: no record says how it ended. */
  readonly ending: "ended" | "interrupted" | "killed";
  /** When the last that is known of it was written. */
  readonly time: string;
  /** Of every address that it was about to change, in the order of its requests. */
  readonly changeOutcomes: ReadonlyMap<Address, KnownOutcome>;
}

/** A run that began and went on, and whose plan cannot be read: what it sent is not known. */
export interface UnreadableRun extends Pick<Journal, "name" | "target" | "begin"> {
  readonly plan?: undefined;
}

export interface KnownOutcome {
  readonly kind: ChangeOutcomeKind;
  /** The server's message, and what reading back found; for a request that was cut off, what is known of it. */
  readonly detail?: string;
}

interface Step {
  readonly operation: JournaledOperation;
  readonly changeOutcome: KnownOutcome;
}

/** Undefined for a journal in which no plan can be read. */
export function parseKnownRun({ records, ...journal }: Journal): KnownRun | undefined {
  let plan: PlanRecord | undefined;
  // Of earlier plans what was done; the rest of them was planned again.
  let earlier: readonly Step[] = [];
  let steps: Step[] = [];
  let ending: KnownRun["ending"] = "killed";
  let differing = new Set<Address>();
  const settle = (number: number, changeOutcome: KnownOutcome) => {
    const step = steps[number - 1];
    if (step) steps[number - 1] = { ...step, changeOutcome };
  };
  for (const record of records) {
    if (record.record === "plan") {
      plan = record;
      earlier = [...earlier, ...steps.filter(({ changeOutcome }) => changeOutcome.kind === "done")];
      steps = record.operations.map((operation) => ({ operation, changeOutcome: { kind: "not-attempted" } }));
    } else if (record.record === "intention") settle(record.operation, { kind: "unknown" });
    else if (record.record === "answer") settle(record.operation, { kind: "unknown", detail: heard(record) });
    else if (record.record === "outcome") {
      const { outcome, detail } = record;
      settle(record.operation, { kind: outcome, ...(detail !== undefined && { detail }) });
    } else if (record.record === "end") {
      ending = record.interrupted ? "interrupted" : "ended";
      differing = new Set(record.differing);
    }
  }
  if (!plan) return undefined;
  const isOpen = journal.damaged && ending === "killed";
  const changeOutcomes = changeOutcomesIn([...earlier, ...steps].map((step) => (isOpen ? doubted(step) : step)));
  for (const address of differing) {
    if (changeOutcomes.get(address)?.kind === "done") {
      changeOutcomes.set(address, { kind: "unknown", detail: "not as it was written when it was read back" });
    }
  }
  return { ...journal, plan, ending, time: records.at(-1)?.time ?? journal.begin.time, changeOutcomes };
}

/** Nothing is left of it to do or to find out, as far as it knew itself. */
export function isWhollyDone({ ending, changeOutcomes }: Pick<KnownRun, "ending" | "changeOutcomes">): boolean {
  return ending !== "killed" && [...changeOutcomes.values()].every(({ kind }) => kind === "done");
}

/** How many addresses, by what became of them; those without any are left out. */
export function countOutcomes({
  changeOutcomes,
}: Pick<KnownRun, "changeOutcomes">): readonly (readonly [ChangeOutcomeKind, number])[] {
  const kinds = ["done", "in-part", "failed", "unknown", "not-attempted"] as const;
  return kinds
    .map(
      (kind) =>
        [kind, [...changeOutcomes.values()].filter((changeOutcome) => changeOutcome.kind === kind).length] as const,
    )
    .filter(([, count]) => count > 0);
}

function heard({ status, lost }: { readonly status?: number; readonly lost?: string }): string {
  return status === undefined ? (lost ?? "no answer") : `answered ${status}`;
}

/** Behind a line that cannot be read anything may have been sent. */
function doubted({ operation, changeOutcome }: Step): Step {
  return { operation, changeOutcome: changeOutcome.kind === "not-attempted" ? { kind: "unknown" } : changeOutcome };
}

/** An address that several requests change has the worst of what became of them; begun and not gone on with, it is `in-part`. */
function changeOutcomesIn(steps: readonly Step[]): Map<Address, KnownOutcome> {
  const changeOutcomes = new Map<Address, KnownOutcome>();
  for (const { operation, changeOutcome } of steps) {
    for (const address of operation.addresses) {
      const known = changeOutcomes.get(address);
      const kind = known ? combineOutcomes(known.kind, changeOutcome.kind) : changeOutcome.kind;
      if (kind !== known?.kind) changeOutcomes.set(address, { ...changeOutcome, kind });
    }
  }
  return changeOutcomes;
}
