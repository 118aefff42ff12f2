import type { Journal, JournaledOperation, PlanRecord } from "../../model/journal.ts";
import type { Address } from "../../model/names.ts";
import type { ChangeOutcomeKind } from "../../model/outcome.ts";
import { combineOutcomes } from "../../render/views/report.ts";

/** What a journal says of its run. */
export interface KnownRun extends Omit<Journal, "records"> {
  /** The last one. */
  readonly plan: PlanRecord;
  /** Those that it replaced, the last of them first. */
  readonly replaced: readonly PlanRecord[];
  /** `killed`: no record says how it ended. */
  readonly ending: "ended" | "interrupted" | "killed";
  /** Of its last record: ISO 8601, UTC. */
  readonly time: string;
  /** By every address that the run was about to change, in the order of its requests. */
  readonly changeOutcomes: ReadonlyMap<Address, KnownOutcome>;
}

/** A run whose plan cannot be read: what it sent is unknown. */
export interface UnreadableRun extends Pick<Journal, "name" | "target" | "begin"> {
  readonly plan?: undefined;
}

export interface KnownOutcome {
  readonly kind: ChangeOutcomeKind;
  /** The server's message, or what reading back found, or how a request was cut off. */
  readonly detail?: string;
}

interface Step {
  readonly operation: JournaledOperation;
  readonly changeOutcome: KnownOutcome;
}

/** Undefined for a journal in which no plan can be read. */
export function parseKnownRun({ records, ...journal }: Journal): KnownRun | undefined {
  const plans: PlanRecord[] = [];
  // Of earlier plans only what was done: the rest was planned again.
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
      plans.unshift(record);
      earlier = [...earlier, ...steps.filter(({ changeOutcome }) => changeOutcome.kind === "done")];
      steps = record.operations.map((operation) => ({ operation, changeOutcome: { kind: "not-attempted" } }));
    } else if (record.record === "intention") settle(record.operation, { kind: "unknown" });
    else if (record.record === "answer") settle(record.operation, { kind: "unknown", detail: describeAnswer(record) });
    else if (record.record === "outcome") {
      const { outcome, detail } = record;
      settle(record.operation, { kind: outcome, ...(detail !== undefined && { detail }) });
    } else if (record.record === "end") {
      ending = record.interrupted ? "interrupted" : "ended";
      differing = new Set(record.differing);
    }
  }
  const [plan, ...replaced] = plans;
  if (!plan) return undefined;
  const isOpen = journal.damaged && ending === "killed";
  const changeOutcomes = combineSteps([...earlier, ...steps].map((step) => (isOpen ? withDoubt(step) : step)));
  for (const address of differing) {
    if (changeOutcomes.get(address)?.kind === "done") {
      changeOutcomes.set(address, { kind: "unknown", detail: "not as it was written when it was read back" });
    }
  }
  const time = records.at(-1)?.time ?? journal.begin.time;
  return { ...journal, plan, replaced, ending, time, changeOutcomes };
}

/** Whether the run recorded that it did everything. */
export function isWhollyDone({ ending, changeOutcomes }: Pick<KnownRun, "ending" | "changeOutcomes">): boolean {
  return ending !== "killed" && [...changeOutcomes.values()].every(({ kind }) => kind === "done");
}

/** How many addresses have each outcome; outcomes of none are left out. */
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

function describeAnswer({ status, lost }: { readonly status?: number; readonly lost?: string }): string {
  return status === undefined ? (lost ?? "no answer") : `answered ${status}`;
}

/** After a line that cannot be read anything may have been sent. */
function withDoubt({ operation, changeOutcome }: Step): Step {
  return { operation, changeOutcome: changeOutcome.kind === "not-attempted" ? { kind: "unknown" } : changeOutcome };
}

/** An address that several requests change has the worst of their outcomes; `in-part` where some were not attempted. */
function combineSteps(steps: readonly Step[]): Map<Address, KnownOutcome> {
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
