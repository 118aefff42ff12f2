import { addressOf } from "../../model/names.ts";
import type { FaultAfter } from "../order/order.ts";
import type { Finding, Guard, Judged } from "./guard.ts";

/** Each moment between two requests is a state that people work with. */
export const order: Guard = {
  rule: "order",
  refuses:
    "A plan in the midst of which somebody would hold access that neither the state before nor the one after grants, " +
    "or miss access that both grant, where no order of its requests avoids that.",
  byDefault: "always, but with --no-access",
  setBy: "nothing: the order is found by the access of everybody concerned",
  judge(judged) {
    const { faults, undecided } = judged.order;
    const [told, others] = [faults.slice(0, mostTold), faults.slice(mostTold)];
    return [
      ...told.map((fault) => findingOf(fault, judged)),
      ...(others.length > 0 ? [furtherFinding(others)] : []),
      ...(undecided ? [unjudged(undecided, judged)] : []),
    ];
  },
  remarks({ order: { isUnsureOfPairs } }) {
    return isUnsureOfPairs ? [unpaired] : [];
  },
};

/** Of more moments than these nobody reads one by one. */
const mostTold = 5;

const unpaired =
  "Order: between the requests, not everybody who may be two principals at once was judged: there are too many.";

function findingOf(fault: FaultAfter, { operations, order: { isTriedOut } }: Judged): Finding {
  const { after, words, addresses, isOneOfSeveral } = fault;
  const { method, path } = operations[after - 1] ?? { method: "", path: "" };
  const others = isOneOfSeveral ? " Others are wronged, too." : "";
  return {
    rule: "order",
    what: `After request ${after} of ${operations.length} (${method} ${path}), ${words}.${others}`,
    why: isTriedOut
      ? "No order of the requests is free of such faults, nor is any way to take them apart."
      : "None of the orders that were tried is free of such faults, nor any way to take a request apart: there are too many to try all.",
    addresses,
  };
}

function furtherFinding(faults: readonly FaultAfter[]): Finding {
  const after = new Set(faults.map((fault) => fault.after)).size;
  return {
    rule: "order",
    what: `After ${after} more of the requests, somebody would hold too much or miss something, too.`,
    why: "These are not told one by one.",
    addresses: [...new Set(faults.flatMap(({ addresses }) => addresses))],
  };
}

function unjudged(undecided: readonly string[], { pending }: Judged): Finding {
  return {
    rule: "order",
    what: `Whether anybody holds too much or too little between the requests cannot be told: ${undecided.join("; ")}.`,
    why: "Nobody has judged what lies in between.",
    addresses: pending.map(({ family, name }) => addressOf(family, name)),
  };
}
