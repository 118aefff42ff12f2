import { expect, test } from "vitest";
import type { Change } from "../../../../src/model/change.ts";
import type { AccessConstraint } from "../../../../src/plan/order/constraints.ts";
import type { IntermediateFault } from "../../../../src/plan/order/faults.ts";
import { createIntermediateStates, createStatePair } from "../../../../src/plan/order/intermediate-states.ts";
import { findRouteFor } from "../../../../src/plan/order/routes.ts";
import { modelOfFixture } from "../../../support/modelled.ts";

const none = modelOfFixture({ product: "opensearch", roles: {}, mappings: {}, groups: {} });
const statePair = createStatePair(none, none);
const role: Change = { family: "roles", name: "r", action: "create", reason: "declared", edits: [], after: {} };
const mapping: Change = { ...role, family: "role_mappings" };

/** A fault in each state in which one of the two is made and the other is not. */
function faultAfter(first: Change, kind: IntermediateFault["kind"]): AccessConstraint {
  return {
    bitsIn: ({ batches }) => (1n << BigInt(batches.length)) - 1n,
    fault(intermediateStates, _, next) {
      const isMade = (change: Change) => (next & intermediateStates.bitsOf(change)) !== 0n;
      const isBetween = isMade(first) && !isMade(first === role ? mapping : role);
      return isBetween ? { kind, words: kind, addresses: [] } : undefined;
    },
  };
}

function check(constraints: readonly AccessConstraint[], expected: readonly bigint[]) {
  const { route } = findRouteFor(
    [[role], [mapping]],
    { first: 0, last: 0 },
    {
      ofServer: [],
      ofPrincipals: () => constraints,
      isCertainlySafe: () => false,
      isHalfSpent: () => false,
      isSpent: () => false,
      notEvaluated: () => ({ principals: 0, pairs: false }),
      intermediateStatesOf: (batches) => createIntermediateStates(batches, statePair),
    },
  );
  expect(route.masks).toEqual(expected);
}

const [roleFirst, mappingFirst] = [
  [0b01n, 0b11n],
  [0b10n, 0b11n],
];

test("the order that no constraint forbids", () => {
  check([], roleFirst);
  check([faultAfter(role, "outage")], mappingFirst);
});
test("of two that cannot both be kept, the worse fault is avoided, whichever comes first", () => {
  check([faultAfter(role, "outage"), faultAfter(mapping, "leak")], roleFirst);
  check([faultAfter(mapping, "leak"), faultAfter(role, "outage")], roleFirst);
  check([faultAfter(role, "leak"), faultAfter(mapping, "outage")], mappingFirst);
});
