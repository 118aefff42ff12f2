// The planner's own search for an order, judged by somebody quick, without a server.
import { canHold } from "../../../src/dialects/codec.ts";
import type { Dialect } from "../../../src/dialects/dialect.ts";
import type { Fields } from "../../../src/json/value.ts";
import type { Change } from "../../../src/model/change.ts";
import { type Address, addressOf } from "../../../src/model/names.ts";
import type { Operation } from "../../../src/model/operation.ts";
import type { Fault } from "../../../src/plan/order/faults.ts";
import { type Around, aroundOf, type Moments, momentsOf } from "../../../src/plan/order/moments.ts";
import { inSafeOrder, type Ordered } from "../../../src/plan/order/order.ts";
import type { Requested } from "../../../src/plan/order/parts.ts";
import type { Judging } from "../../../src/plan/order/routes.ts";
import { type Stake, stakesIn } from "../../../src/plan/order/stakes.ts";
import type { World } from "../../support/judged.ts";
import { modelOfWorld } from "../../support/modelled.ts";
import { breachesOf, type Holder } from "./holdings.ts";
import { changesBetween, slotOf, type Values, worldAt } from "./slots.ts";

export interface Way {
  readonly before: Values;
  readonly after: Values;
  readonly dialect: Dialect;
  /** What all worlds on the way have in common. */
  readonly like: Pick<World, "product" | "settings">;
}

export interface Planned {
  readonly families: number;
  /** What each request makes, in their order. */
  readonly requests: readonly (readonly Change[])[];
  readonly faults: Ordered["faults"];
  /** Not every moment that there is could be judged. */
  readonly isSpent: boolean;
}

/** By what somebody quick says. */
export function plannedBy(holder: Holder, way: Way): Planned {
  return planned(way, (changes) => quick(holder, way, changes));
}

/** By what the product itself says. */
export function plannedByProduct(way: Way): Planned {
  return planned(way, (changes) => {
    const { dialect } = way;
    const around = aroundIn(way);
    return { ...stakesIn({ around, changes, dialect }), momentsOf: (pieces) => momentsOf(pieces, around, false) };
  });
}

function planned({ before, after }: Way, judgingOf: (changes: readonly Change[]) => Judging): Planned {
  const changes = changesBetween(before, after).flatMap((change) => change ?? []);
  const requests: (readonly Change[])[] = [];
  const operationsFor = (some: readonly Change[]): readonly Operation[] => {
    const family = some[0]?.family ?? "roles";
    const path = `${requests.push(some) - 1}`;
    return [{ family, method: "PATCH", path, names: some.map(({ name }) => name), bulk: true }];
  };
  const families = [...new Set(changes.map(({ family }) => family))];
  const ours = families.flatMap((family): readonly Requested[] => {
    const own = changes.filter((change) => change.family === family);
    return operationsFor(own).map((operation) => ({ operation, changes: own }));
  });
  const found = inSafeOrder({ cures: [], head: [], ours, tail: [] }, judgingOf(changes), operationsFor);
  return {
    families: families.length,
    requests: found.operations.map(({ path }) => requests[Number(path)] ?? []),
    faults: found.faults,
    isSpent: found.undecided !== undefined,
  };
}

/** Worked out only where it is asked for. */
function aroundIn({ before, after, like }: Way): Around {
  return aroundOf(modelOfWorld(worldAt(before, like)), modelOfWorld(worldAt(after, like)));
}

function quick(holder: Holder, way: Way, changes: readonly Change[]): Judging {
  const { before, after, dialect } = way;
  const [was, is] = [holder.of(before), holder.of(after)];
  const valuesAt = valuesFinder(before, changes);
  const breachAt = (moments: Moments, made: bigint): Fault | undefined => {
    const [breach] = breachesOf(was, holder.of(valuesAt(moments, made)), is);
    if (!breach) return undefined;
    const roles = [before, after].flatMap((values) => holder.roles(values, breach.whose));
    return { kind: breach.kind, words: breach.kind, addresses: behind(changes, roles) };
  };
  const refusedAt: Stake["fault"] = (moments, made, next) => {
    if (!dialect.checksRoles && !dialect.documentTypes) return undefined;
    const [had, has] = [valuesAt(moments, made), valuesAt(moments, next)];
    const change = changes.find((one) => isRefused(one, had, has, way));
    return change && { kind: "refused", words: "refused", addresses: [addressOf(change.family, change.name)] };
  };
  return {
    momentsOf: (pieces) => momentsOf(pieces, unasked, false),
    ofServer: [ofAll(refusedAt)],
    ofPeople: () => [ofAll((moments, _, made) => breachAt(moments, made))],
    isStill: () => false,
    isTired: () => false,
    isSpent: () => false,
    unjudged: () => ({ principals: 0, pairs: false }),
  };
}

/** Whatever is made concerns it; each moment is judged once. */
function ofAll(fault: Stake["fault"]): Stake {
  const known = new WeakMap<Moments, Map<string, Fault | undefined>>();
  return {
    bitsIn: ({ pieces }) => (1n << BigInt(pieces.length)) - 1n,
    fault(moments, made, next) {
      const faults = known.get(moments) ?? new Map<string, Fault | undefined>();
      known.set(moments, faults);
      const key = `${made} ${next}`;
      if (!faults.has(key)) faults.set(key, fault(moments, made, next));
      return faults.get(key);
    },
  };
}

/** The same value where the same is made, by which it is told what a request leaves alone. */
function valuesFinder(before: Values, changes: readonly Change[]): (moments: Moments, made: bigint) => Values {
  const known = new Map<Moments, Map<Change, Map<bigint, Fields | undefined>>>();
  const ours = changes.map((change) => ({ change, at: slotOf(change.family, change.name) }));
  return (moments, made) => {
    const ofMoments = known.get(moments) ?? new Map<Change, Map<bigint, Fields | undefined>>();
    known.set(moments, ofMoments);
    const values = [...before];
    for (const { change, at } of ours) {
      const ofChange = ofMoments.get(change) ?? new Map<bigint, Fields | undefined>();
      ofMoments.set(change, ofChange);
      const own = moments.bitsOf(change) & made;
      if (!ofChange.has(own)) ofChange.set(own, moments.valueAt(change, made));
      values[at] = ofChange.get(own);
    }
    return values;
  };
}

function isRefused({ family, name }: Change, had: Values, has: Values, { before, after, dialect }: Way): boolean {
  const [at, role] = [slotOf(family, name), slotOf("roles", name)];
  const value = has[at];
  if (!value || value === had[at]) return false;
  if (family === "role_mappings") return dialect.checksRoles && !has[role] && Boolean(before[role] ?? after[role]);
  return family === "roles" && value !== after[role] && !canHold(dialect, value);
}

/** The changes of roles that somebody has; else all. */
function behind(changes: readonly Change[], roles: readonly string[]): readonly Address[] {
  const own = changes.filter(
    ({ family, name }) => (family === "roles" || family === "role_mappings") && roles.includes(name),
  );
  return (own.length > 0 ? own : changes).map(({ family, name }) => addressOf(family, name));
}

/** Who judges by values asks for no model. */
const nothing = modelOfWorld({ product: "opensearch", groups: {}, roles: {}, mappings: {} });
const unasked = aroundOf(nothing, nothing);
