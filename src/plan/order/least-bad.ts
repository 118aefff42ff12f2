// Of orders that all have faults, the one whose faults weigh least.
import { type AccessConstraint, weights } from "./constraints.ts";
import type { WriteRoute } from "./parts.ts";

/** Of so many requests all orders are compared, where each has a fault. */
const mostCompared = 5;

/** The usual order but where another one is better. */
export function chooseLeastBad(
  usual: WriteRoute,
  { sequences, fixed }: { readonly sequences: readonly unknown[]; readonly fixed: number },
  accessConstraints: readonly AccessConstraint[],
): WriteRoute {
  const places = [...sequences.keys()];
  if (places.length - fixed > mostCompared) return usual;
  const orders = ordersOf(places.slice(fixed)).map((order) => createMasks([...places.slice(0, fixed), ...order]));
  const weighed = orders.map((masks) => ({ masks, weight: weighFaults({ ...usual, masks }, accessConstraints) }));
  const [first] = weighed.toSorted((a, b) => a.weight - b.weight);
  return first ? { ...usual, masks: first.masks } : usual;
}

/** For each constraint, its worst fault counts. */
export function weighFaults(
  { intermediateStates, masks }: WriteRoute,
  accessConstraints: readonly AccessConstraint[],
): number {
  const worst = accessConstraints.map((accessConstraint) =>
    masks.reduce((most, mask, at) => {
      const fault = accessConstraint.fault(intermediateStates, masks[at - 1] ?? 0n, mask);
      return fault ? Math.max(most, weights[fault.kind]) : most;
    }, 0),
  );
  return worst.reduce((sum, weight) => sum + weight, 0);
}

export function createMasks(sequences: Iterable<number>, start = 0n): readonly bigint[] {
  let made = start;
  return [...sequences].map((sequence) => {
    made |= 1n << BigInt(sequence);
    return made;
  });
}

function ordersOf(sequences: readonly number[]): readonly (readonly number[])[] {
  if (sequences.length === 0) return [[]];
  return sequences.flatMap((sequence) =>
    ordersOf(sequences.filter((other) => other !== sequence)).map((rest) => [sequence, ...rest]),
  );
}
