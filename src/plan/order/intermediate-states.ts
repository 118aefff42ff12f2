import type { IntermediateCheck } from "../../access/compare/between/intermediate-check.ts";
import { findTouchedRoles } from "../../access/compare/touched.ts";
import { type AccessModel, createAccessModel, narrowModel, overlayModel } from "../../access/model/access-model.ts";
import { getHeldEntries, type HeldEntries } from "../../access/model/state.ts";
import type { Fields } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import { type ResourceFamily, resourceFamilies } from "../../model/names.ts";
import { listPlaces } from "./bits.ts";
import { type ChangeFragment, type FragmentEnds, getIntermediateResource, splitIntoFragments } from "./fragments.ts";

/** What is always made by one request: all of some changes, or some fragments of them. A request makes one or several. */
export interface Batch {
  /** The place of the request that would make it with the rest of the request. */
  readonly sequence: number;
  /** Absent for a change that no other batch shares. */
  readonly fragments: ReadonlyMap<Change, readonly ChangeFragment[]>;
}

/** Who may do what before and after all of a plan. */
export interface StatePair {
  readonly before: AccessModel;
  readonly after: AccessModel;
  /** Of roles and mappings that differ, or whose groups do. */
  readonly names: ReadonlySet<string>;
  /** The same with these alone. */
  readonly touched: { readonly before: AccessModel; readonly after: AccessModel };
}

export function createStatePair(before: AccessModel, after: AccessModel): StatePair {
  const names = findTouchedRoles(before.state, after.state);
  return { before, after, names, touched: { before: narrowModel(before, names), after: narrowModel(after, names) } };
}

/**
 * The states that a plan may go through: after each set of its batches, which is a number (`made`) with one bit for each
 * batch, in their order.
 */
export interface IntermediateStates {
  readonly batches: readonly Batch[];
  /** The batches that have a part of a change. */
  readonly bitsOf: (change: Change) => bigint;
  /** The batches that have one of some fragments. */
  readonly bitsOfFragments: (fragments: Iterable<ChangeFragment>) => bigint;
  /** Canonical, as it goes to the server. */
  readonly valueAt: (change: Change, made: bigint) => Fields | undefined;
  readonly at: (made: bigint) => IntermediateCheck;
  readonly modelAt: (made: bigint) => AccessModel;
}

export function createIntermediateStates(batches: readonly Batch[], statePair: StatePair): IntermediateStates {
  const places = findPlaces(batches);
  const config = [...places].find(([{ family }]) => family === "config")?.[1] ?? 0n;
  const bitsOf = (change: Change): bigint => places.get(change) ?? 0n;
  const valueAt = (change: Change, made: bigint, ends: FragmentEnds = change): Fields | undefined => {
    const bits = bitsOf(change);
    if ((bits & made) === 0n) return ends.before;
    return (bits & made) === bits
      ? ends.after
      : getIntermediateResource(change, listChosen(change, batches, bits & made), ends);
  };
  const shownAt = createShownFinder(statePair, valueAt);
  const stateOf = ({ before, after }: StatePair["touched"]) => {
    const heldAt = createHeldFinder({ before, after }, places, shownAt);
    return (made: bigint): AccessModel =>
      createAccessModel({
        ...before.state,
        settings: ((config & made) === 0n ? before : after).state.settings,
        groups: heldAt("action_groups", made),
        tenants: heldAt("tenants", made),
        roles: heldAt("roles", made),
        mappings: heldAt("role_mappings", made),
        blocks: heldAt("blocks", made),
        ...(before.state.changedUsers && {
          changedUsers: { ...before.state.changedUsers, held: heldAt("internal_users", made) },
        }),
      });
  };
  const touchedAt = stateOf(statePair.touched);
  return {
    batches,
    bitsOf,
    bitsOfFragments: createBitsFinder(batches),
    valueAt: (change, made) => valueAt(change, made),
    at(made) {
      const touched = touchedAt(made);
      return { touched, all: overlayModel(statePair.before, touched, statePair.names) };
    },
    modelAt: stateOf(statePair),
  };
}

/** What is shown of a value, in place of secrets; the same intermediate value is the same object. */
function createShownFinder(
  { before, after }: StatePair,
  valueAt: (change: Change, made: bigint, ends: FragmentEnds) => Fields | undefined,
): (change: Change, made: bigint) => Fields | undefined {
  const known = new Map<Change, Map<bigint, Fields | undefined>>();
  const of = ({ state }: AccessModel, { family, name }: Change) => getHeldEntries(state, family).get(name);
  return (change, made) => {
    const values = known.get(change) ?? new Map<bigint, Fields | undefined>();
    known.set(change, values);
    const ends = { before: of(before, change), after: of(after, change) };
    if (!values.has(made)) values.set(made, valueAt(change, made, ends));
    return values.get(made);
  };
}

/** Entries whose intermediate values are kept. */
const mostKept = 300_000;

/**
 * What a family holds in an intermediate state: the same object where the same is made, as identity shows what has
 * not changed.
 */
function createHeldFinder(
  { before, after }: StatePair["touched"],
  places: ReadonlyMap<Change, bigint>,
  shownAt: (change: Change, made: bigint) => Fields | undefined,
) {
  const known = new Map<string, HeldEntries>();
  const families = new Map(
    resourceFamilies.map((family) => [family, [...places].filter(([change]) => change.family === family)]),
  );
  const heldAt = (
    family: ResourceFamily,
    relevant: readonly (readonly [Change, bigint])[],
    made: bigint,
  ): HeldEntries => {
    if (made === 0n) return getHeldEntries(before.state, family);
    if (relevant.every(([, bits]) => (bits & made) === bits)) return getHeldEntries(after.state, family);
    const held = new Map(getHeldEntries(before.state, family));
    for (const [change, bits] of relevant) {
      if ((bits & made) === 0n) continue;
      const value = shownAt(change, bits & made);
      if (value) held.set(change.name, value);
      else held.delete(change.name);
    }
    return held;
  };
  return (family: ResourceFamily, made: bigint): HeldEntries => {
    const relevant = families.get(family) ?? [];
    const own = relevant.reduce((bits, [, more]) => bits | more, 0n) & made;
    const key = `${family} ${own}`;
    const held = known.get(key) ?? heldAt(family, relevant, own);
    if (held.size * known.size < mostKept) known.set(key, held);
    return held;
  };
}

function createBitsFinder(batches: readonly Batch[]): IntermediateStates["bitsOfFragments"] {
  let places: Map<ChangeFragment, bigint> | undefined;
  return (fragments) => {
    places ??= new Map(
      batches.flatMap((batch, at) =>
        [...batch.fragments].flatMap(([change, some]) =>
          (some.length > 0 ? some : splitIntoFragments(change)).map(
            (fragment) => [fragment, 1n << BigInt(at)] as const,
          ),
        ),
      ),
    );
    let bits = 0n;
    for (const fragment of fragments) bits |= places.get(fragment) ?? 0n;
    return bits;
  };
}

/** The batches that have a part of a change, as bits. */
function findPlaces(batches: readonly Batch[]): ReadonlyMap<Change, bigint> {
  const places = new Map<Change, bigint>();
  for (const [at, { fragments }] of batches.entries()) {
    for (const change of fragments.keys()) places.set(change, (places.get(change) ?? 0n) | (1n << BigInt(at)));
  }
  return places;
}

function listChosen(change: Change, batches: readonly Batch[], made: bigint): ReadonlySet<ChangeFragment> {
  return new Set(listPlaces(made).flatMap((at) => batches[at]?.fragments.get(change) ?? []));
}

/** One batch for each request, for an order in which none is split. */
export function createWholeBatches(requests: readonly (readonly Change[])[]): readonly Batch[] {
  return requests.map((changes, sequence) => ({
    sequence,
    fragments: new Map(changes.map((change) => [change, []])),
  }));
}

/**
 * Which batch of its request a fragment is in.
 *
 * @param at the position among the fragments of the change
 * @param sequence the place of the request in the usual order
 */
export type KeyOf = (change: Change, fragment: ChangeFragment, at: number, sequence: number) => string;

/** Fragments of one request with the same key are one batch. */
export function cutIntoBatches(requests: readonly (readonly Change[])[], keyOf: KeyOf): readonly Batch[] {
  return requests.flatMap((changes, sequence) => {
    const batches = new Map<string, Map<Change, ChangeFragment[]>>();
    for (const change of changes) {
      for (const [at, fragment] of splitIntoFragments(change).entries()) {
        const key = keyOf(change, fragment, at, sequence);
        const batch = batches.get(key) ?? new Map<Change, ChangeFragment[]>();
        batch.set(change, [...(batch.get(change) ?? []), fragment]);
        batches.set(key, batch);
      }
    }
    return [...batches.values()].map((fragments) => ({ sequence, fragments }));
  });
}
