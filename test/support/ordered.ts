// What a plan that leads from one fixture to another makes, request by request: by the planner's own order, without a server.
import { getHeldEntries } from "../../src/access/model/state.ts";
import { createDialect } from "../../src/dialects/index.ts";
import { type Fields, isEqual } from "../../src/json/value.ts";
import type { Change } from "../../src/model/change.ts";
import type { ApplyingIdentity } from "../../src/model/identity.ts";
import type { Family } from "../../src/model/names.ts";
import type { Operation } from "../../src/model/operation.ts";
import { findConstraints } from "../../src/plan/order/constraints.ts";
import { type Batch, createIntermediateStates, createStatePair } from "../../src/plan/order/intermediate-states.ts";
import { type FaultAfter, orderSafely } from "../../src/plan/order/order.ts";
import type { Block, Fixture, Mapping, Role } from "./evaluated.ts";
import { modelOfFixture } from "./modelled.ts";

const dialectOf = {
  opensearch: createDialect("opensearch", "2.19"),
  "search-guard-7": createDialect("search-guard", "7.x-38"),
  "search-guard-6": createDialect("search-guard", "6"),
} as const;

export interface InOrder {
  /** The fixtures after each of the requests, the last one left out. */
  readonly between: readonly Fixture[];
  readonly families: readonly Family[];
  /** What each of the requests changes. */
  readonly names: readonly (readonly string[])[];
  readonly requests: number;
  readonly faults: readonly FaultAfter[];
  readonly undecided: readonly string[] | undefined;
  readonly isUnsureOfPairs: boolean | undefined;
  readonly isEndedEarly: boolean | undefined;
  /** What is said of each of the requests; empty where nothing is. */
  readonly reasons: readonly string[];
}

const order: readonly Family[] = ["config", "action_groups", "tenants", "roles", "role_mappings", "blocks"];

/** Of each family that changes, in the usual order. */
export function changesBetween(before: Fixture, after: Fixture): readonly (readonly Change[])[] {
  return order.map((family) => changesOf(family, before, after)).filter((changes) => changes.length > 0);
}

export interface Member {
  readonly applyingIdentity?: ApplyingIdentity;
  /** The server takes no mapping to a role that is not there. */
  readonly checksRoles?: boolean;
  /** A request for each change, as old servers take them; else one for each family. */
  readonly isSingly?: boolean;
  /** Evaluating took half of the work that is allowed. */
  readonly isHalfSpent?: boolean;
}

export function inOrder(
  before: Fixture,
  after: Fixture,
  { applyingIdentity, checksRoles = false, isSingly = false, isHalfSpent = false }: Member = {},
): InOrder {
  const made = new Map<string, readonly Change[]>();
  const operationsFor = (changes: readonly Change[]): readonly Operation[] => {
    const family = changes[0]?.family ?? "roles";
    const path = `/${made.size}`;
    made.set(path, changes);
    return [{ family, method: "PATCH", path, names: changes.map(({ name }) => name), bulk: true }];
  };
  const pending = changesBetween(before, after);
  const requests = pending
    .flatMap((changes) => (isSingly ? changes.map((change) => [change]) : [changes]))
    .flatMap((changes) => operationsFor(changes).map((operation) => ({ operation, changes })));
  const dialect = dialectOf[before.product];
  const statePair = createStatePair(modelOfFixture(before), modelOfFixture(after));
  const semantics = {
    ...findConstraints({ statePair, changes: pending.flat(), dialect: { ...dialect, checksRoles }, applyingIdentity }),
    intermediateStatesOf: (batches: readonly Batch[]) => createIntermediateStates(batches, statePair),
    ...(isHalfSpent && { isHalfSpent: () => true }),
  };
  const { operations, faults, undecided, isUnsureOfPairs, isEndedEarly } = orderSafely(
    { requests, fixed: { first: 0, last: 0 }, operationsFor },
    semantics,
  );
  let fixture = before;
  const between = operations.map(({ path }) => {
    fixture = (made.get(path) ?? []).reduce(withChange, fixture);
    return fixture;
  });
  return {
    between: between.slice(0, -1),
    families: operations.map(({ family }) => family),
    names: operations.map(({ names }) => names),
    requests: operations.length,
    faults,
    undecided,
    isUnsureOfPairs,
    isEndedEarly,
    reasons: operations.map(({ reason = "" }) => reason),
  };
}

function changesOf(family: Family, from: Fixture, to: Fixture): readonly Change[] {
  const [old, wanted] = [heldIn(from, family), heldIn(to, family)];
  return [...new Set([...old.keys(), ...wanted.keys()])].sort().flatMap((name): readonly Change[] => {
    const [before, after] = [old.get(name), wanted.get(name)];
    if (before && after && isEqual(before, after)) return [];
    const action = !before ? "create" : after ? "update" : "delete";
    return [
      { family, name, action, reason: "declared", edits: [], ...(before && { before }), ...(after && { after }) },
    ];
  });
}

function heldIn(fixture: Fixture, family: Family): ReadonlyMap<string, Fields> {
  if (family === "config") return new Map([["config", { dynamic: { ...fixture.settings } }]]);
  return getHeldEntries(modelOfFixture(fixture).state, family);
}

function withChange(fixture: Fixture, { family, name, after }: Change): Fixture {
  const within = <T>(held: Readonly<Record<string, T>>): Record<string, T> => {
    const { [name]: _, ...others } = held;
    return after ? { ...others, [name]: after as T } : others;
  };
  switch (family) {
    case "action_groups": {
      const { [name]: _, ...groups } = fixture.groups;
      return after
        ? { ...fixture, groups: { ...groups, [name]: after.allowed_actions as readonly string[] } }
        : { ...fixture, groups };
    }
    case "config":
      return { ...fixture, settings: after?.dynamic as NonNullable<Fixture["settings"]> };
    case "tenants":
      return {
        ...fixture,
        tenants: [...(fixture.tenants ?? []).filter((one) => one !== name), ...(after ? [name] : [])],
      };
    case "blocks": {
      const held = new Map((fixture.blocks ?? []).map((block, at) => [`b${at}`, block]));
      if (after) held.set(name, after as unknown as Block);
      else held.delete(name);
      return { ...fixture, blocks: [...held].sort().map(([, block]) => block) };
    }
    case "roles":
      return { ...fixture, roles: within<Role>(fixture.roles) };
    default:
      return { ...fixture, mappings: within<Mapping>(fixture.mappings) };
  }
}
