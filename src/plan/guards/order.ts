import { createAddress } from "../../model/names.ts";
import type { FaultAfter } from "../order/order.ts";
import type { Guard, GuardFinding, GuardInput } from "./guard.ts";

/** Each state between two requests is one that people work with. */
export const order: Guard = {
  rule: "order",
  refuses:
    "A plan with an intermediate state in which a principal would hold access that neither the state before nor the one after grants, " +
    "or miss access that both grant, where no order of its requests avoids that.",
  why: "Between two requests people keep working: one of them could read what neither state grants, or be shut out.",
  fix: "Apply the change in two steps: first what is removed, then what is added. gate-sync plan --explain-order shows who may do what in between.",
  byDefault: "always, but with --no-access",
  setBy: "nothing: the order is found by the access of everybody concerned",
  isWaivable: true,
  evaluate(evaluated) {
    const { faults, undecided } = evaluated.order;
    const [shown, others] = [faults.slice(0, mostExplained), faults.slice(mostExplained)];
    return [
      ...shown.map((fault) => findingOf(fault, evaluated)),
      ...(others.length > 0 ? [furtherFinding(others)] : []),
      ...(undecided ? [unjudged(undecided, evaluated)] : []),
    ];
  },
  remarks({ order: { isUnsureOfPairs } }) {
    return isUnsureOfPairs ? [unpaired] : [];
  },
};

/** More intermediate states than these are not readable one by one. */
const mostExplained = 5;

const unpaired = "Order: between the requests, not every pair of principals was evaluated: there are too many.";

function findingOf(fault: FaultAfter, { operations, order: { isEndedEarly } }: GuardInput): GuardFinding {
  const { after, words, addresses, isOneOfSeveral } = fault;
  const { method, path } = operations[after - 1] ?? { method: "", path: "" };
  const others = isOneOfSeveral ? " Others are wronged, too." : "";
  return {
    what: `After request ${after} of ${operations.length} (${method} ${path}), ${words}.${others}`,
    why: isEndedEarly
      ? "The search for an order without such faults was ended: the plan has too many changes that depend on each other."
      : "No order of the requests was found that is free of such faults, not even with requests split.",
    addresses,
  };
}

function furtherFinding(faults: readonly FaultAfter[]): GuardFinding {
  const after = new Set(faults.map((fault) => fault.after)).size;
  return {
    what: `After ${after} more of the requests, a principal would hold too much or too little, too.`,
    why: "These are not listed one by one.",
    addresses: [...new Set(faults.flatMap(({ addresses }) => addresses))],
  };
}

function unjudged(undecided: readonly string[], { pending }: GuardInput): GuardFinding {
  return {
    what: `Whether a principal holds too much or too little between the requests is unknown: ${undecided.join("; ")}.`,
    why: "The intermediate states were not evaluated.",
    addresses: pending.map(({ family, name }) => createAddress(family, name)),
  };
}
