import { createAddress } from "../../model/names.ts";
import type { FaultAfter } from "../order/order.ts";
import type { Guard, GuardFinding, GuardInput } from "./guard.ts";

/** Each state between two requests is one that people work with. */
export const order: Guard = {
  rule: "order",
  refuses:
    "A plan during which a principal would temporarily gain access that is granted neither before nor after, " +
    "or temporarily lose access that is granted before and after, in every order of its requests that was tried.",
  why: "People keep working between two requests: one of them could read what nothing should grant, or be refused.",
  fix: "Apply the change in two steps: first what is removed, then what is added. gate-sync plan --explain-order shows who may do what after each request.",
  byDefault: "always, but with --no-access",
  setBy: "nothing: the order is found by the access of everybody concerned",
  waivedFor: "plan",
  evaluate(evaluated) {
    const { faults, undecided } = evaluated.order;
    const [shown, others] = [faults.slice(0, mostExplained), faults.slice(mostExplained)];
    return [
      ...shown.map((fault) => findingOf(fault, evaluated)),
      ...(others.length > 0 ? [furtherFinding(others)] : []),
      ...(undecided ? [notEvaluated(undecided, evaluated)] : []),
    ];
  },
  remarks({ order: { isUnsureOfPairs } }) {
    return isUnsureOfPairs ? [unpaired] : [];
  },
};

/** More intermediate states than these are not readable one by one. */
const mostExplained = 5;

const unpaired =
  "The order of requests was not evaluated for every pair of principals, as there are too many: whether one who is two of them temporarily gains or loses access is unknown.";

function findingOf(fault: FaultAfter, { operations, order: { isEndedEarly } }: GuardInput): GuardFinding {
  const { after, kind, words, addresses } = fault;
  const affected = fault.listAffected?.() ?? [];
  const isOneOfSeveral = fault.isOneOfSeveral || affected.length > 1;
  const { method, path } = operations[after - 1] ?? { method: "", path: "" };
  const others = kind === "refused" ? " It would refuse other entries, too." : " Other principals are affected, too.";
  return {
    what: `After request ${after} of ${operations.length} (${method} ${path}), ${words}.${isOneOfSeveral ? others : ""}`,
    why: isEndedEarly
      ? "The search for a safe order was stopped: the plan has too many changes that depend on each other."
      : "No safe order of the requests was found, not even with requests split.",
    addresses,
    ...(affected.length > 0 && { affected }),
  };
}

function furtherFinding(faults: readonly FaultAfter[]): GuardFinding {
  const after = new Set(faults.map((fault) => fault.after)).size;
  const affected = faults.flatMap(({ listAffected }) => listAffected?.() ?? []);
  return {
    what: `After ${after} more of the requests, principals would temporarily gain or lose access, too.`,
    why: "These are not listed one by one.",
    addresses: [...new Set(faults.flatMap(({ addresses }) => addresses))],
    ...(affected.length > 0 && { affected }),
  };
}

function notEvaluated(undecided: readonly string[], { pending }: GuardInput): GuardFinding {
  return {
    what: `Whether a principal temporarily gains or loses access between the requests is unknown: ${undecided.join("; ")}.`,
    why: "Not every intermediate state was evaluated for everybody.",
    addresses: pending.map(({ family, name }) => createAddress(family, name)),
    // It is about all of the plan.
    countsEntries: true,
  };
}
