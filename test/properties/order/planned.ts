// The planner's own search for an order, by a quick evaluator, without a server.
import { canHold } from "../../../src/dialects/codec.ts";
import type { Dialect } from "../../../src/dialects/dialect.ts";
import type { Fields } from "../../../src/json/value.ts";
import type { Change } from "../../../src/model/change.ts";
import { type Address, createAddress } from "../../../src/model/names.ts";
import type { Operation } from "../../../src/model/operation.ts";
import { type AccessConstraint, findConstraints } from "../../../src/plan/order/constraints.ts";
import type { IntermediateFault } from "../../../src/plan/order/faults.ts";
import {
  createIntermediateStates,
  createStatePair,
  type IntermediateStates,
  type StatePair,
} from "../../../src/plan/order/intermediate-states.ts";
import { type OrderedWrites, orderSafely } from "../../../src/plan/order/order.ts";
import type { RouteContext } from "../../../src/plan/order/routes.ts";
import type { PlannedRequest } from "../../../src/plan/requests.ts";
import type { Fixture } from "../../support/evaluated.ts";
import { modelOfFixture } from "../../support/modelled.ts";
import { breachesOf, type Holder } from "./holdings.ts";
import { changesBetween, fixtureAt, slotOf, type Values } from "./slots.ts";

export interface Member {
  readonly before: Values;
  readonly after: Values;
  readonly dialect: Dialect;
  /** What all fixtures on the way have in common. */
  readonly like: Pick<Fixture, "product" | "settings">;
}

export interface Planned {
  readonly families: number;
  /** What each request makes, in their order. */
  readonly requests: readonly (readonly Change[])[];
  readonly faults: OrderedWrites["faults"];
  /** Not every moment that there is could be evaluated. */
  readonly isSpent: boolean;
}

/** By the quick evaluator. */
export function plannedBy(holder: Holder, member: Member): Planned {
  return planned(member, (changes) => quick(holder, member, changes));
}

/** By what the product itself says. */
export function plannedByProduct(member: Member): Planned {
  return planned(member, (changes) => {
    const { dialect } = member;
    const statePair = statePairIn(member);
    return {
      ...findConstraints({ statePair, changes, dialect }),
      intermediateStatesOf: (batches) => createIntermediateStates(batches, statePair),
    };
  });
}

function planned({ before, after }: Member, semanticsOf: (changes: readonly Change[]) => RouteContext): Planned {
  const changes = changesBetween(before, after).flatMap((change) => change ?? []);
  const requests: (readonly Change[])[] = [];
  const operationsFor = (some: readonly Change[]): readonly Operation[] => {
    const family = some[0]?.family ?? "roles";
    const path = `${requests.push(some) - 1}`;
    return [{ family, method: "PATCH", path, names: some.map(({ name }) => name), bulk: true }];
  };
  const families = [...new Set(changes.map(({ family }) => family))];
  const usual = families.flatMap((family): readonly PlannedRequest[] => {
    const own = changes.filter((change) => change.family === family);
    return operationsFor(own).map((operation) => ({ operation, changes: own }));
  });
  const found = orderSafely({ requests: usual, fixed: { first: 0, last: 0 }, operationsFor }, semanticsOf(changes));
  return {
    families: families.length,
    requests: found.operations.map(({ path }) => requests[Number(path)] ?? []),
    faults: found.faults,
    isSpent: found.undecided !== undefined,
  };
}

/** Worked out only where it is asked for. */
function statePairIn({ before, after, like }: Member): StatePair {
  return createStatePair(modelOfFixture(fixtureAt(before, like)), modelOfFixture(fixtureAt(after, like)));
}

function quick(holder: Holder, member: Member, changes: readonly Change[]): RouteContext {
  const { before, after, dialect } = member;
  const [was, is] = [holder.of(before), holder.of(after)];
  const valuesAt = valuesFinder(before, changes);
  const breachAt = (intermediateStates: IntermediateStates, made: bigint): IntermediateFault | undefined => {
    const [breach] = breachesOf(was, holder.of(valuesAt(intermediateStates, made)), is);
    if (!breach) return undefined;
    const roles = [before, after].flatMap((values) => holder.roles(values, breach.whose));
    return { kind: breach.kind, words: breach.kind, addresses: behind(changes, roles) };
  };
  const refusedAt: AccessConstraint["fault"] = (intermediateStates, made, next) => {
    if (!dialect.checksRoles && !dialect.documentTypes) return undefined;
    const [had, has] = [valuesAt(intermediateStates, made), valuesAt(intermediateStates, next)];
    const change = changes.find((one) => isRefused(one, had, has, member));
    return change && { kind: "refused", words: "refused", addresses: [createAddress(change.family, change.name)] };
  };
  return {
    intermediateStatesOf: (batches) => createIntermediateStates(batches, unasked),
    ofServer: [ofAll(refusedAt, (made, next) => `${made} ${next}`)],
    // Whichever state it is reached from.
    ofPrincipals: () => [
      ofAll(
        (states, _, next) => breachAt(states, next),
        (_, next) => next,
      ),
    ],
    isCertainlySafe: () => false,
    isHalfSpent: () => false,
    isSpent: () => false,
    notEvaluated: () => ({ principals: 0, pairs: false }),
  };
}

/** Whatever is made concerns it; each moment is evaluated once. */
function ofAll<K>(fault: AccessConstraint["fault"], keyOf: (made: bigint, next: bigint) => K): AccessConstraint {
  const known = new WeakMap<IntermediateStates, Map<K, IntermediateFault | undefined>>();
  return {
    bitsIn: ({ batches }) => (1n << BigInt(batches.length)) - 1n,
    fault(intermediateStates, made, next) {
      const faults = known.get(intermediateStates) ?? new Map<K, IntermediateFault | undefined>();
      known.set(intermediateStates, faults);
      const key = keyOf(made, next);
      if (!faults.has(key)) faults.set(key, fault(intermediateStates, made, next));
      return faults.get(key);
    },
  };
}

/** The same value where the same is made, by which it is known what a request leaves alone. */
function valuesFinder(
  before: Values,
  changes: readonly Change[],
): (intermediateStates: IntermediateStates, made: bigint) => Values {
  const known = new Map<IntermediateStates, Map<Change, Map<bigint, Fields | undefined>>>();
  const relevant = changes.map((change) => ({ change, at: slotOf(change.family, change.name) }));
  return (intermediateStates, made) => {
    const ofIntermediateStates = known.get(intermediateStates) ?? new Map<Change, Map<bigint, Fields | undefined>>();
    known.set(intermediateStates, ofIntermediateStates);
    const values = [...before];
    for (const { change, at } of relevant) {
      const ofChange = ofIntermediateStates.get(change) ?? new Map<bigint, Fields | undefined>();
      ofIntermediateStates.set(change, ofChange);
      const own = intermediateStates.bitsOf(change) & made;
      if (!ofChange.has(own)) ofChange.set(own, intermediateStates.valueAt(change, made));
      values[at] = ofChange.get(own);
    }
    return values;
  };
}

function isRefused({ family, name }: Change, had: Values, has: Values, { before, after, dialect }: Member): boolean {
  const [at, role] = [slotOf(family, name), slotOf("roles", name)];
  const value = has[at];
  if (!value || value === had[at]) return false;
  if (family === "role_mappings") return dialect.checksRoles && !has[role] && Boolean(before[role] ?? after[role]);
  return family === "roles" && value !== after[role] && !canHold(dialect, value);
}

/** The changes of roles that a principal has; else all. */
function behind(changes: readonly Change[], roles: readonly string[]): readonly Address[] {
  const own = changes.filter(
    ({ family, name }) => (family === "roles" || family === "role_mappings") && roles.includes(name),
  );
  return (own.length > 0 ? own : changes).map(({ family, name }) => createAddress(family, name));
}

/** Who evaluates by values asks for no model. */
const nothing = modelOfFixture({ product: "opensearch", groups: {}, roles: {}, mappings: {} });
const unasked = createStatePair(nothing, nothing);
