import { type Breach, type ConcernedSubject, createBreachFinder } from "../../access/compare/between.ts";
import { type ConcernedSubjects, findConcerned } from "../../access/compare/concerned.ts";
import { createParting } from "../../access/compare/parts.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import type { Change } from "../../model/change.ts";
import type { ApplyingIdentity } from "../../model/identity.ts";
import {
  type FaultyRoute,
  findFault,
  findLockedOut,
  findUnholdable,
  findUnmapped,
  type IntermediateFault,
} from "./faults.ts";
import { type ChangeFragment, splitIntoFragments } from "./fragments.ts";
import type { IntermediateStates, StatePair } from "./intermediate-states.ts";
import { createReachFinder } from "./reach.ts";

/** What the order of some batches must meet, whatever is made of all others. */
export interface AccessConstraint {
  /** The batches that hold its fragments. */
  readonly bitsIn: (intermediateStates: IntermediateStates) => bigint;
  /** Whatever else is made. */
  readonly fault: FaultyRoute;
}

/** What speaks for one order and against another. */
export interface AccessConstraints {
  /** Constraints of the server and of the applying identity. */
  readonly ofServer: readonly AccessConstraint[];
  /** Of everybody whom the plan concerns; worked out when it is first asked for. */
  readonly ofPeople: () => readonly AccessConstraint[];
  /** Whether an intermediate state certainly has no breach for any principal, without evaluating principals. */
  readonly isStill: (intermediateStates: IntermediateStates, made: bigint) => boolean;
  /** Whether evaluating took so much work that the search ends, and only its result is evaluated. */
  readonly isHalfSpent: () => boolean;
  /** Whether it took too much work to evaluate: nothing is found any more. */
  readonly isSpent: () => boolean;
  /** Principals that are too many to evaluate; known once principals were asked for. */
  readonly unjudged: () => { readonly principals: number; readonly pairs: boolean };
}

/** What orders are evaluated with. */
export interface ConstraintContext {
  readonly statePair: StatePair;
  readonly changes: readonly Change[];
  readonly dialect: Dialect;
  readonly applyingIdentity?: ApplyingIdentity | undefined;
  /** Of the repository: evaluated beside principals. */
  readonly personas?: readonly ConcernedSubject[] | undefined;
}

export function findConstraints({
  statePair,
  changes,
  dialect,
  applyingIdentity,
  personas,
}: ConstraintContext): AccessConstraints {
  const betweenAt = (end: "before" | "after") => ({ touched: statePair.touched[end], all: statePair[end] });
  const breaches = createBreachFinder([betweenAt("before"), betweenAt("after")], createParting());
  let all: ConcernedSubjects | undefined;
  let ofPeople: readonly AccessConstraint[] | undefined;
  const faultFor = (people: readonly ConcernedSubject[]): FaultyRoute => {
    const known = new WeakMap<IntermediateStates, Map<bigint, IntermediateFault | undefined>>();
    const worst = (intermediateStates: IntermediateStates, made: bigint): IntermediateFault | undefined => {
      const between = intermediateStates.at(made);
      let found: Breach | undefined;
      for (const one of people) {
        const breach = breaches.of(one, between);
        if (breach && (!found || weights[breach.kind] > weights[found.kind])) found = breach;
        if (found?.kind === "leak") break;
      }
      return found && findFault(found, statePair, changes);
    };
    return (intermediateStates, _, made) => {
      const faults = known.get(intermediateStates) ?? new Map<bigint, IntermediateFault | undefined>();
      known.set(intermediateStates, faults);
      if (!faults.has(made)) faults.set(made, worst(intermediateStates, made));
      return faults.get(made);
    };
  };
  return {
    ofServer: ofServer({ statePair, changes, dialect, applyingIdentity }),
    ofPeople() {
      all ??= findConcerned(statePair.before, statePair.after, personas);
      ofPeople ??= inGroups(all.concerned, createReachFinder(statePair, changes)).map(([people, fragments]) =>
        amidst(accessConstraintIn(fragments, faultFor(people))),
      );
      return ofPeople;
    },
    isStill: (intermediateStates, made) => breaches.isStill(intermediateStates.at(made)),
    isHalfSpent: breaches.isHalfSpent,
    isSpent: breaches.isSpent,
    unjudged: () => ({ principals: all?.others ?? 0, pairs: all?.tooManyPairs ?? false }),
  };
}

/** How much worse one kind of fault is than another. */
export const weights: Readonly<Record<IntermediateFault["kind"], number>> = {
  outage: 1,
  unsure: 10,
  leak: 100,
  "lock-out": 1_000,
  refused: 10_000,
};

/**
 * Groups principals that the same fragments concern; leaves out a principal that one fragment alone concerns, as it
 * has no intermediate state.
 */
function inGroups(
  concerned: readonly ConcernedSubject[],
  fragmentsFor: (one: ConcernedSubject) => ReadonlySet<ChangeFragment>,
): readonly (readonly [readonly ConcernedSubject[], ReadonlySet<ChangeFragment>])[] {
  const numbers = new Map<ChangeFragment, number>();
  const numberOf = (fragment: ChangeFragment): number => {
    const number = numbers.get(fragment) ?? numbers.size;
    numbers.set(fragment, number);
    return number;
  };
  const groups = new Map<string, readonly [ConcernedSubject[], ReadonlySet<ChangeFragment>]>();
  for (const one of concerned) {
    const fragments = fragmentsFor(one);
    if (fragments.size < 2) continue;
    const key = [...fragments].map(numberOf).sort().join();
    const group = groups.get(key);
    if (group) group[0].push(one);
    else groups.set(key, [[one], fragments]);
  }
  return [...groups.values()];
}

function ofServer({ statePair, changes, dialect, applyingIdentity }: ConstraintContext): readonly AccessConstraint[] {
  const roles = new Map(changes.flatMap((change) => (change.family === "roles" ? [[change.name, change]] : [])));
  const lockOut = findLockedOut(statePair, applyingIdentity, changes);
  const mapped = changes.flatMap((change): readonly AccessConstraint[] => {
    const role = change.family === "role_mappings" ? roles.get(change.name) : undefined;
    if (!role || role.action === "update") return [];
    return [accessConstraintIn(fragmentsIn([change, role]), findUnmapped(statePair, change, role))];
  });
  const held = [...roles.values()].map((role) =>
    accessConstraintIn(fragmentsIn([role]), findUnholdable(role, dialect)),
  );
  return [
    ...(dialect.checksRoles ? mapped : []),
    ...(dialect.documentTypes ? held : []),
    ...(lockOut ? [accessConstraintIn(fragmentsIn(changes.filter(lockOut.concerns)), lockOut.faulty)] : []),
  ];
}

function accessConstraintIn(fragments: ReadonlySet<ChangeFragment>, faulty: FaultyRoute): AccessConstraint {
  const known = new WeakMap<IntermediateStates, bigint>();
  const bitsIn = (intermediateStates: IntermediateStates): bigint => {
    const bits = known.get(intermediateStates) ?? intermediateStates.bitsOfFragments(fragments);
    known.set(intermediateStates, bits);
    return bits;
  };
  return {
    bitsIn,
    fault(intermediateStates, made, next) {
      const bits = bitsIn(intermediateStates);
      return faulty(intermediateStates, made & bits, next & bits);
    },
  };
}

/** Before and after the whole plan nothing is wrong. */
function amidst({ bitsIn, fault }: AccessConstraint): AccessConstraint {
  return {
    bitsIn,
    fault(intermediateStates, made, next) {
      const bits = bitsIn(intermediateStates);
      return (next & bits) === 0n || (next & bits) === bits ? undefined : fault(intermediateStates, made, next);
    },
  };
}

function fragmentsIn(changes: readonly Change[]): ReadonlySet<ChangeFragment> {
  return new Set(changes.flatMap(splitIntoFragments));
}
