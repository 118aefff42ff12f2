import type { BeginRecord, Journal, JournaledOperation, PlanRecord } from "../../model/journal.ts";
import type { Address } from "../../model/names.ts";
import type { FateKind } from "../../model/outcome.ts";
import { together } from "../../render/fate.ts";

/** What a journal says of its run. */
export interface KnownRun {
  /** Of the journal. */
  readonly name: string;
  readonly begin: BeginRecord;
  /** The last one. */
  readonly plan: PlanRecord;
  /** `killed`: no record says how it ended. */
  readonly ending: "ended" | "interrupted" | "killed";
  /** When the last that is known of it was written. */
  readonly time: string;
  /** Of every address that it was about to change, in the order of its requests. */
  readonly fates: ReadonlyMap<Address, Fate>;
  readonly damaged: boolean;
}

/** A run that began and went on, and whose plan cannot be read: what it sent is not known. */
export interface UnreadableRun extends Pick<KnownRun, "name" | "begin"> {
  readonly plan?: undefined;
}

export interface Fate {
  readonly kind: FateKind;
  /** What the server said, what was found on reading back; of a request that was cut off, what was heard of it. */
  readonly detail?: string;
}

interface Step {
  readonly operation: JournaledOperation;
  readonly fate: Fate;
}

/** Undefined for a journal in which no plan can be read. */
export function knownRun({ name, begin, records, damaged }: Journal): KnownRun | undefined {
  let plan: PlanRecord | undefined;
  // Of earlier plans what was done; the rest of them was planned again.
  let earlier: readonly Step[] = [];
  let steps: Step[] = [];
  let ending: KnownRun["ending"] = "killed";
  let differing = new Set<Address>();
  const settle = (number: number, fate: Fate) => {
    const step = steps[number - 1];
    if (step) steps[number - 1] = { ...step, fate };
  };
  for (const record of records) {
    if (record.record === "plan") {
      plan = record;
      earlier = [...earlier, ...steps.filter(({ fate }) => fate.kind === "done")];
      steps = record.operations.map((operation) => ({ operation, fate: { kind: "not-attempted" } }));
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
  const isOpen = damaged && ending === "killed";
  const fates = fatesIn([...earlier, ...steps].map((step) => (isOpen ? doubted(step) : step)));
  for (const address of differing) {
    if (fates.get(address)?.kind === "done") {
      fates.set(address, { kind: "unknown", detail: "not as it was written when it was read back" });
    }
  }
  return { name, begin, plan, ending, time: records.at(-1)?.time ?? begin.time, fates, damaged };
}

/** Nothing is left of it to do or to find out, as far as it knew itself. */
export function isWhollyDone({ ending, fates }: Pick<KnownRun, "ending" | "fates">): boolean {
  return ending !== "killed" && [...fates.values()].every(({ kind }) => kind === "done");
}

/** How many addresses, by what became of them; those without any are left out. */
export function countsOf({ fates }: Pick<KnownRun, "fates">): readonly (readonly [FateKind, number])[] {
  const kinds = ["done", "in-part", "failed", "unknown", "not-attempted"] as const;
  return kinds
    .map((kind) => [kind, [...fates.values()].filter((fate) => fate.kind === kind).length] as const)
    .filter(([, count]) => count > 0);
}

function heard({ status, lost }: { readonly status?: number; readonly lost?: string }): string {
  return status === undefined ? (lost ?? "no answer") : `answered ${status}`;
}

/** Behind a line that cannot be read anything may have been sent. */
function doubted({ operation, fate }: Step): Step {
  return { operation, fate: fate.kind === "not-attempted" ? { kind: "unknown" } : fate };
}

/** An address that several requests change has the worst of what became of them; begun and not gone on with, it is `in-part`. */
function fatesIn(steps: readonly Step[]): Map<Address, Fate> {
  const fates = new Map<Address, Fate>();
  for (const { operation, fate } of steps) {
    for (const address of operation.addresses) {
      const known = fates.get(address);
      const kind = known ? together(known.kind, fate.kind) : fate.kind;
      if (kind !== known?.kind) fates.set(address, { ...fate, kind });
    }
  }
  return fates;
}
