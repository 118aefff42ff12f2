import { type ConcernedSubjects, findConcerned } from "../../access/compare/between/concerned.ts";
import {
  type Breach,
  type ConcernedSubject,
  createBreachFinder,
} from "../../access/compare/between/intermediate-check.ts";
import { getTableBuilder } from "../../access/compare/table/table-builder.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { listMentions } from "../../families/mentions.ts";
import type { Change } from "../../model/change.ts";
import type { ApplyingIdentity } from "../../model/identity.ts";
import type { AffectedBetween } from "../../model/plan.ts";
import {
  describeBreach,
  type FaultFinder,
  findLockedOut,
  findUnholdable,
  findUnmapped,
  formatBreach,
  type IntermediateFault,
} from "./faults.ts";
import { type ChangeFragment, splitIntoFragments } from "./fragments.ts";
import type { IntermediateStates, StatePair } from "./intermediate-states.ts";
import { createReachFinder } from "./reach.ts";

/**
 * Something that an order must not break. Some batches alone decide whether it does, whatever is made of all others:
 * those with the changes of one principal's roles, or with a role and its mapping.
 */
export interface AccessConstraint {
  /** The batches that decide it, as bits. */
  readonly bitsIn: (intermediateStates: IntermediateStates) => bigint;
  /** The fault that breaks it, the worst one where there are several principals. */
  readonly fault: FaultFinder;
  /** Of a state that has a fault: all whom it harms; absent where it is about no principal. */
  readonly listAffected?: (intermediateStates: IntermediateStates, made: bigint) => readonly AffectedBetween[];
}

/** All that an order must not break. */
export interface AccessConstraints {
  /** Constraints of the server and of the applying identity. */
  readonly ofServer: readonly AccessConstraint[];
  /** Of every principal that the plan concerns; found when they are first asked for. */
  readonly ofPrincipals: () => readonly AccessConstraint[];
  /** Whether the roles and mappings alone show that no principal has a breach; false: principals have to be evaluated. */
  readonly isCertainlySafe: (intermediateStates: IntermediateStates, made: bigint) => boolean;
  /** Whether evaluating took so much work that the search ends, and only its result is evaluated. */
  readonly isHalfSpent: () => boolean;
  /** Whether it took too much work to evaluate: nothing is found any more. */
  readonly isSpent: () => boolean;
  /** How many principals are too many to evaluate, and whether pairs are; known once `ofPrincipals` was asked for. */
  readonly notEvaluated: () => { readonly principals: number; readonly pairs: boolean };
}

/** The plan that constraints are found for. */
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
  const breaches = createBreachFinder(
    [betweenAt("before"), betweenAt("after")],
    getTableBuilder(statePair.before, statePair.after),
  );
  let all: ConcernedSubjects | undefined;
  let ofPrincipals: readonly AccessConstraint[] | undefined;
  const faultFor = (people: readonly ConcernedSubject[]): FaultFinder => {
    const known = new WeakMap<IntermediateStates, Map<bigint, IntermediateFault | undefined>>();
    const worst = (intermediateStates: IntermediateStates, made: bigint): IntermediateFault | undefined => {
      const between = intermediateStates.at(made);
      let found: Breach | undefined;
      for (const one of people) {
        const breach = breaches.of(one, between);
        if (breach && (!found || weights[breach.kind] > weights[found.kind])) found = breach;
        if (found?.kind === "leak") break;
      }
      return found && describeBreach(found, statePair, changes);
    };
    return (intermediateStates, _, made) => {
      const faults = known.get(intermediateStates) ?? new Map<bigint, IntermediateFault | undefined>();
      known.set(intermediateStates, faults);
      if (!faults.has(made)) faults.set(made, worst(intermediateStates, made));
      return faults.get(made);
    };
  };
  const listAffected =
    (people: readonly ConcernedSubject[]) =>
    (intermediateStates: IntermediateStates, made: bigint): readonly AffectedBetween[] =>
      people.flatMap((one) => {
        const breach = breaches.of(one, intermediateStates.at(made));
        return breach ? [{ who: one.who, what: formatBreach(breach) }] : [];
      });
  return {
    ofServer: ofServer({ statePair, changes, dialect, applyingIdentity }),
    ofPrincipals() {
      all ??= findConcerned(statePair.before, statePair.after, personas);
      ofPrincipals ??= inGroups(all.concerned, createReachFinder(statePair, changes)).map(([people, fragments]) => {
        const constraint = onlyBetween(createConstraint(fragments, faultFor(people)));
        return { ...constraint, listAffected: listAffected(people) };
      });
      return ofPrincipals;
    },
    isCertainlySafe: (intermediateStates, made) => breaches.isStill(intermediateStates.at(made)),
    isHalfSpent: breaches.isHalfSpent,
    isSpent: breaches.isSpent,
    notEvaluated: () => ({ principals: all?.others ?? 0, pairs: all?.tooManyPairs ?? false }),
  };
}

/** How much worse one kind of fault is than another: a route with lesser faults is preferred. */
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
    return [createConstraint(fragmentsIn([change, role]), findUnmapped(statePair, change, role))];
  });
  const users = changes.flatMap((change): readonly AccessConstraint[] => {
    const { family, name, after } = change;
    if (family !== "internal_users" || !after) return [];
    return listMentions({ family, name, value: after }).flatMap((mention) => {
      const role = roles.get(mention.name);
      if (role?.action !== "create") return [];
      return [createConstraint(fragmentsIn([change, role]), findUnmapped(statePair, change, role))];
    });
  });
  const held = [...roles.values()].map((role) => createConstraint(fragmentsIn([role]), findUnholdable(role, dialect)));
  return [
    ...(dialect.checksRoles ? [...mapped, ...users] : []),
    ...(dialect.documentTypes ? held : []),
    ...(lockOut ? [createConstraint(fragmentsIn(changes.filter(lockOut.concerns)), lockOut.fault)] : []),
  ];
}

function createConstraint(fragments: ReadonlySet<ChangeFragment>, findFault: FaultFinder): AccessConstraint {
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
      return findFault(intermediateStates, made & bits, next & bits);
    },
  };
}

/** The states before and after the whole plan break nothing. */
function onlyBetween({ bitsIn, fault }: AccessConstraint): AccessConstraint {
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
