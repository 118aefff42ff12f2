// What a plan that leads from one world to another makes, request by request: by the planner's own order, without a server.
import { dialectFor } from "../../src/dialects/index.ts";
import { equal, type Fields } from "../../src/json/value.ts";
import type { Change } from "../../src/model/change.ts";
import type { Applier } from "../../src/model/identity.ts";
import type { ResourceFamily } from "../../src/model/names.ts";
import type { Operation } from "../../src/model/operation.ts";
import { aroundOf, momentsOf, type Piece } from "../../src/plan/order/moments.ts";
import { type FaultAfter, inSafeOrder } from "../../src/plan/order/order.ts";
import { stakesIn } from "../../src/plan/order/stakes.ts";
import type { Block, Mapping, Role, World } from "./judged.ts";
import { modelOfWorld } from "./modelled.ts";

const dialectOf = {
  opensearch: dialectFor("opensearch", "2.19"),
  "search-guard-7": dialectFor("search-guard", "7.x-38"),
  "search-guard-6": dialectFor("search-guard", "6"),
} as const;

export interface InOrder {
  /** The worlds after each of the requests, the last one left out. */
  readonly between: readonly World[];
  readonly families: readonly ResourceFamily[];
  /** What each of the requests changes. */
  readonly names: readonly (readonly string[])[];
  readonly requests: number;
  readonly faults: readonly FaultAfter[];
  readonly undecided: readonly string[] | undefined;
  /** What is said of each of the requests; empty where nothing is. */
  readonly reasons: readonly string[];
}

const order: readonly ResourceFamily[] = ["action_groups", "tenants", "roles", "role_mappings", "blocks"];

/** Of each family that changes, in the usual order. */
export function changesBetween(before: World, after: World): readonly (readonly Change[])[] {
  return order.map((family) => changesOf(family, before, after)).filter((changes) => changes.length > 0);
}

export interface Way {
  readonly applier?: Applier;
  /** The server takes no mapping to a role that is not there. */
  readonly checksRoles?: boolean;
  /** A request for each change, as old servers take them; else one for each family. */
  readonly isSingly?: boolean;
}

export function inOrder(
  before: World,
  after: World,
  { applier, checksRoles = false, isSingly = false }: Way = {},
): InOrder {
  const made = new Map<string, readonly Change[]>();
  const operationsFor = (changes: readonly Change[]): readonly Operation[] => {
    const family = changes[0]?.family ?? "roles";
    const path = `/${made.size}`;
    made.set(path, changes);
    return [{ family, method: "PATCH", path, names: changes.map(({ name }) => name), bulk: true }];
  };
  const pending = changesBetween(before, after);
  const ours = pending
    .flatMap((changes) => (isSingly ? changes.map((change) => [change]) : [changes]))
    .flatMap((changes) => operationsFor(changes).map((operation) => ({ operation, changes })));
  const dialect = dialectOf[before.product];
  const around = aroundOf(modelOfWorld(before), modelOfWorld(after));
  const judging = {
    ...stakesIn({ around, changes: pending.flat(), dialect: { ...dialect, checksRoles }, applier }),
    momentsOf: (pieces: readonly Piece[]) => momentsOf(pieces, around, false),
  };
  const { operations, faults, undecided } = inSafeOrder(
    { cures: [], head: [], ours, tail: [] },
    judging,
    operationsFor,
  );
  let world = before;
  const between = operations.map(({ path }) => {
    world = (made.get(path) ?? []).reduce(withChange, world);
    return world;
  });
  return {
    between: between.slice(0, -1),
    families: operations.map(({ family }) => family as ResourceFamily),
    names: operations.map(({ names }) => names),
    requests: operations.length,
    faults,
    undecided,
    reasons: operations.map(({ reason = "" }) => reason),
  };
}

function changesOf(family: ResourceFamily, from: World, to: World): readonly Change[] {
  const [old, wanted] = [heldIn(from, family), heldIn(to, family)];
  return [...new Set([...old.keys(), ...wanted.keys()])].sort().flatMap((name): readonly Change[] => {
    const [before, after] = [old.get(name), wanted.get(name)];
    if (before && after && equal(before, after)) return [];
    const action = !before ? "create" : after ? "update" : "delete";
    return [
      { family, name, action, reason: "declared", edits: [], ...(before && { before }), ...(after && { after }) },
    ];
  });
}

function heldIn(world: World, family: ResourceFamily): ReadonlyMap<string, Fields> {
  const { state } = modelOfWorld(world);
  const { groups, tenants, roles, mappings, blocks } = state;
  return { action_groups: groups, tenants, roles, role_mappings: mappings, blocks }[family];
}

function withChange(world: World, { family, name, after }: Change): World {
  const within = <T>(held: Readonly<Record<string, T>>): Record<string, T> => {
    const { [name]: _, ...others } = held;
    return after ? { ...others, [name]: after as T } : others;
  };
  switch (family) {
    case "action_groups": {
      const { [name]: _, ...groups } = world.groups;
      return after
        ? { ...world, groups: { ...groups, [name]: after.allowed_actions as readonly string[] } }
        : { ...world, groups };
    }
    case "tenants":
      return { ...world, tenants: [...(world.tenants ?? []).filter((one) => one !== name), ...(after ? [name] : [])] };
    case "blocks": {
      const held = new Map((world.blocks ?? []).map((block, at) => [`b${at}`, block]));
      if (after) held.set(name, after as unknown as Block);
      else held.delete(name);
      return { ...world, blocks: [...held].sort().map(([, block]) => block) };
    }
    case "roles":
      return { ...world, roles: within<Role>(world.roles) };
    default:
      return { ...world, mappings: within<Mapping>(world.mappings) };
  }
}
