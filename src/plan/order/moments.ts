import type { Between } from "../../access/compare/between.ts";
import { touchedRoles } from "../../access/compare/touched.ts";
import { type AccessModel, modelOf, narrowed, overlaid } from "../../access/model.ts";
import type { Held } from "../../access/state.ts";
import type { Fields } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import { type ResourceFamily, resourceFamilies } from "../../model/names.ts";
import { type Atom, atomsOf, type Ends, midway } from "./atoms.ts";

/** What is made together: of some changes of one request all, or some atoms. */
export interface Piece {
  /** The place of the request that would make it with the rest of the request. */
  readonly lane: number;
  /** Without any where no other piece has the rest. */
  readonly atoms: ReadonlyMap<Change, readonly Atom[]>;
}

/** Who may do what before and after all of a plan. */
export interface Around {
  readonly before: AccessModel;
  readonly after: AccessModel;
  /** Of roles and mappings that differ, or whose groups do. */
  readonly names: ReadonlySet<string>;
  /** The same with these alone. */
  readonly touched: { readonly before: AccessModel; readonly after: AccessModel };
}

export function aroundOf(before: AccessModel, after: AccessModel): Around {
  const names = touchedRoles(before.state, after.state);
  return { before, after, names, touched: { before: narrowed(before, names), after: narrowed(after, names) } };
}

/** What a plan has made at some moment: the bits of its pieces. */
export interface Moments {
  readonly pieces: readonly Piece[];
  /** The lane of each piece. */
  readonly lanes: readonly number[];
  /** Of the pieces that have a part of a change. */
  readonly bitsOf: (change: Change) => bigint;
  /** Of the pieces that have one of some atoms. */
  readonly bitsOfAtoms: (atoms: Iterable<Atom>) => bigint;
  /** Canonical, as it goes to the server. */
  readonly valueAt: (change: Change, made: bigint) => Fields | undefined;
  readonly at: (made: bigint) => Between;
  readonly modelAt: (made: bigint) => AccessModel;
}

/** @param isConfigFirst whether the settings of the config are those of afterwards all along */
export function momentsOf(pieces: readonly Piece[], around: Around, isConfigFirst: boolean): Moments {
  const places = placesOf(pieces);
  const bitsOf = (change: Change): bigint => places.get(change) ?? 0n;
  const valueAt = (change: Change, made: bigint, ends: Ends = change): Fields | undefined => {
    const bits = bitsOf(change);
    if ((bits & made) === 0n) return ends.before;
    return (bits & made) === bits ? ends.after : midway(change, chosenAt(change, pieces, made), ends);
  };
  const shownAt = shownFinder(around, valueAt);
  const stateOf = ({ before, after }: Around["touched"]) => {
    const heldAt = heldFinder({ before, after }, places, shownAt);
    const settings = (isConfigFirst ? after : before).state.settings;
    return (made: bigint): AccessModel =>
      modelOf({
        ...before.state,
        settings,
        groups: heldAt("action_groups", made),
        tenants: heldAt("tenants", made),
        roles: heldAt("roles", made),
        mappings: heldAt("role_mappings", made),
        blocks: heldAt("blocks", made),
      });
  };
  const touchedAt = stateOf(around.touched);
  return {
    pieces,
    lanes: pieces.map(({ lane }) => lane),
    bitsOf,
    bitsOfAtoms: atomFinder(pieces),
    valueAt: (change, made) => valueAt(change, made),
    at(made) {
      const touched = touchedAt(made);
      return { touched, all: overlaid(around.before, touched, around.names) };
    },
    modelAt: stateOf(around),
  };
}

/** What is shown of a value, in place of secrets; the same moment of it is the same object. */
function shownFinder(
  { before, after }: Around,
  valueAt: (change: Change, made: bigint, ends: Ends) => Fields | undefined,
): (change: Change, made: bigint) => Fields | undefined {
  const known = new Map<Change, Map<bigint, Fields | undefined>>();
  const of = ({ state }: AccessModel, { family, name }: Change) => heldIn(state, family as ResourceFamily).get(name);
  return (change, made) => {
    const values = known.get(change) ?? new Map<bigint, Fields | undefined>();
    known.set(change, values);
    const ends = { before: of(before, change), after: of(after, change) };
    if (!values.has(made)) values.set(made, valueAt(change, made, ends));
    return values.get(made);
  };
}

/** Entries of which the moments are kept. */
const mostKept = 300_000;

/** What a family holds at a moment: the same object where the same is made, as what has not changed is told by that. */
function heldFinder(
  { before, after }: Around["touched"],
  places: ReadonlyMap<Change, bigint>,
  shownAt: (change: Change, made: bigint) => Fields | undefined,
) {
  const known = new Map<string, Held>();
  const families = new Map(
    resourceFamilies.map((family) => [family, [...places].filter(([change]) => change.family === family)]),
  );
  const heldAt = (family: ResourceFamily, ours: readonly (readonly [Change, bigint])[], made: bigint): Held => {
    if (made === 0n) return heldIn(before.state, family);
    if (ours.every(([, bits]) => (bits & made) === bits)) return heldIn(after.state, family);
    const held = new Map(heldIn(before.state, family));
    for (const [change, bits] of ours) {
      if ((bits & made) === 0n) continue;
      const value = shownAt(change, bits & made);
      if (value) held.set(change.name, value);
      else held.delete(change.name);
    }
    return held;
  };
  return (family: ResourceFamily, made: bigint): Held => {
    const ours = families.get(family) ?? [];
    const own = ours.reduce((bits, [, more]) => bits | more, 0n) & made;
    const key = `${family} ${own}`;
    const held = known.get(key) ?? heldAt(family, ours, own);
    if (held.size * known.size < mostKept) known.set(key, held);
    return held;
  };
}

function atomFinder(pieces: readonly Piece[]): Moments["bitsOfAtoms"] {
  let places: Map<Atom, bigint> | undefined;
  return (atoms) => {
    places ??= new Map(
      pieces.flatMap((piece, at) =>
        [...piece.atoms].flatMap(([change, some]) =>
          (some.length > 0 ? some : atomsOf(change)).map((atom) => [atom, 1n << BigInt(at)] as const),
        ),
      ),
    );
    let bits = 0n;
    for (const atom of atoms) bits |= places.get(atom) ?? 0n;
    return bits;
  };
}

/** The bits of the pieces that have a part of a change. */
function placesOf(pieces: readonly Piece[]): ReadonlyMap<Change, bigint> {
  const places = new Map<Change, bigint>();
  for (const [at, { atoms }] of pieces.entries()) {
    for (const change of atoms.keys()) places.set(change, (places.get(change) ?? 0n) | (1n << BigInt(at)));
  }
  return places;
}

function chosenAt(change: Change, pieces: readonly Piece[], made: bigint): ReadonlySet<Atom> {
  return new Set(pieces.flatMap(({ atoms }, at) => (made & (1n << BigInt(at)) ? (atoms.get(change) ?? []) : [])));
}

function heldIn({ roles, mappings, groups, tenants, blocks }: AccessModel["state"], family: ResourceFamily): Held {
  return { roles, role_mappings: mappings, action_groups: groups, tenants, blocks }[family];
}

/** All of every request is one piece. */
export function whole(requests: readonly (readonly Change[])[]): readonly Piece[] {
  return requests.map((changes, lane) => ({
    lane,
    atoms: new Map(changes.map((change) => [change, []])),
  }));
}

/** @param at among the atoms of the change */
export type KeyOf = (change: Change, atom: Atom, at: number, lane: number) => string;

/** Atoms of one request that have the same key are one piece. */
export function cut(requests: readonly (readonly Change[])[], keyOf: KeyOf): readonly Piece[] {
  return requests.flatMap((changes, lane) => {
    const pieces = new Map<string, Map<Change, Atom[]>>();
    for (const change of changes) {
      for (const [at, atom] of atomsOf(change).entries()) {
        const key = keyOf(change, atom, at, lane);
        const piece = pieces.get(key) ?? new Map<Change, Atom[]>();
        piece.set(change, [...(piece.get(change) ?? []), atom]);
        pieces.set(key, piece);
      }
    }
    return [...pieces.values()].map((atoms) => ({ lane, atoms }));
  });
}
