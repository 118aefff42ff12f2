import { type Breach, breachFinder, type Concerned } from "../../access/compare/between.ts";
import { type AllConcerned, concernedBy } from "../../access/compare/concerned.ts";
import { parting } from "../../access/compare/parts.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import type { Change } from "../../model/change.ts";
import type { Applier } from "../../model/identity.ts";
import { type Atom, atomsOf } from "./atoms.ts";
import { type Fault, type Faulty, faultOf, lockedOut, unheld, unmapped } from "./faults.ts";
import type { Around, Moments } from "./moments.ts";
import { reachFinder } from "./reach.ts";

/** What has to hold of the order of some atoms, whatever is made of all others. */
export interface Stake {
  /** The pieces that have them. */
  readonly bitsIn: (moments: Moments) => bigint;
  /** Whatever else is made. */
  readonly fault: Faulty;
}

/** What speaks for one order and against another. */
export interface Stakes {
  /** Of the server and of whoever applies. */
  readonly ofServer: readonly Stake[];
  /** Of everybody whom the plan concerns; worked out when it is first asked for. */
  readonly ofPeople: () => readonly Stake[];
  /** Whether it can be seen without looking for anybody that nobody has a stake in a moment. */
  readonly isStill: (moments: Moments, made: bigint) => boolean;
  /** Whether judging took so long that it is time to search no more, and to judge what is found. */
  readonly isTired: () => boolean;
  /** Whether it took too long to judge, so that nothing is found any more. */
  readonly isSpent: () => boolean;
  /** Whom there are too many of to judge all; known once people were asked for. */
  readonly unjudged: () => { readonly principals: number; readonly pairs: boolean };
}

/** By what orders are judged. */
export interface Judging {
  readonly around: Around;
  readonly changes: readonly Change[];
  readonly dialect: Dialect;
  readonly applier?: Applier | undefined;
  /** Of the repository: judged beside principals. */
  readonly personas?: readonly Concerned[] | undefined;
}

export function stakesIn({ around, changes, dialect, applier, personas }: Judging): Stakes {
  const betweenAt = (end: "before" | "after") => ({ touched: around.touched[end], all: around[end] });
  const breaches = breachFinder([betweenAt("before"), betweenAt("after")], parting());
  let all: AllConcerned | undefined;
  let ofPeople: readonly Stake[] | undefined;
  const faultFor = (people: readonly Concerned[]): Faulty => {
    const known = new WeakMap<Moments, Map<bigint, Fault | undefined>>();
    const worst = (moments: Moments, made: bigint): Fault | undefined => {
      const between = moments.at(made);
      let found: Breach | undefined;
      for (const one of people) {
        const breach = breaches.of(one, between);
        if (breach && (!found || weights[breach.kind] > weights[found.kind])) found = breach;
        if (found?.kind === "leak") break;
      }
      return found && faultOf(found, around, changes);
    };
    return (moments, _, made) => {
      const faults = known.get(moments) ?? new Map<bigint, Fault | undefined>();
      known.set(moments, faults);
      if (!faults.has(made)) faults.set(made, worst(moments, made));
      return faults.get(made);
    };
  };
  return {
    ofServer: ofServer({ around, changes, dialect, applier }),
    ofPeople() {
      all ??= concernedBy(around.before, around.after, personas);
      ofPeople ??= inGroups(all.concerned, reachFinder(around, changes)).map(([people, atoms]) =>
        amidst(stakeIn(atoms, faultFor(people))),
      );
      return ofPeople;
    },
    isStill: (moments, made) => breaches.isStill(moments.at(made)),
    isTired: breaches.isTired,
    isSpent: breaches.isSpent,
    unjudged: () => ({ principals: all?.others ?? 0, pairs: all?.tooManyPairs ?? false }),
  };
}

/** How much worse one kind of fault is than another. */
export const weights: Readonly<Record<Fault["kind"], number>> = {
  outage: 1,
  unsure: 10,
  leak: 100,
  "lock-out": 1_000,
  refused: 10_000,
};

/** Whom the same atoms concern, together; nobody whom one alone does, as it is made or it is not. */
function inGroups(
  concerned: readonly Concerned[],
  atomsFor: (one: Concerned) => ReadonlySet<Atom>,
): readonly (readonly [readonly Concerned[], ReadonlySet<Atom>])[] {
  const numbers = new Map<Atom, number>();
  const numberOf = (atom: Atom): number => {
    const number = numbers.get(atom) ?? numbers.size;
    numbers.set(atom, number);
    return number;
  };
  const groups = new Map<string, readonly [Concerned[], ReadonlySet<Atom>]>();
  for (const one of concerned) {
    const atoms = atomsFor(one);
    if (atoms.size < 2) continue;
    const key = [...atoms].map(numberOf).sort().join();
    const group = groups.get(key);
    if (group) group[0].push(one);
    else groups.set(key, [[one], atoms]);
  }
  return [...groups.values()];
}

function ofServer({ around, changes, dialect, applier }: Judging): readonly Stake[] {
  const roles = new Map(changes.flatMap((change) => (change.family === "roles" ? [[change.name, change]] : [])));
  const lockOut = lockedOut(around, applier, changes);
  const mapped = changes.flatMap((change): readonly Stake[] => {
    const role = change.family === "role_mappings" ? roles.get(change.name) : undefined;
    if (!role || role.action === "update") return [];
    return [stakeIn(atomsIn([change, role]), unmapped(around, change, role))];
  });
  const held = [...roles.values()].map((role) => stakeIn(atomsIn([role]), unheld(role, dialect)));
  return [
    ...(dialect.checksRoles ? mapped : []),
    ...(dialect.documentTypes ? held : []),
    ...(lockOut ? [stakeIn(atomsIn(changes.filter(lockOut.concerns)), lockOut.faulty)] : []),
  ];
}

function stakeIn(atoms: ReadonlySet<Atom>, faulty: Faulty): Stake {
  const known = new WeakMap<Moments, bigint>();
  const bitsIn = (moments: Moments): bigint => {
    const bits = known.get(moments) ?? moments.bitsOfAtoms(atoms);
    known.set(moments, bits);
    return bits;
  };
  return {
    bitsIn,
    fault(moments, made, next) {
      const bits = bitsIn(moments);
      return faulty(moments, made & bits, next & bits);
    },
  };
}

/** Before and after the whole plan nothing is wrong. */
function amidst({ bitsIn, fault }: Stake): Stake {
  return {
    bitsIn,
    fault(moments, made, next) {
      const bits = bitsIn(moments);
      return (next & bits) === 0n || (next & bits) === bits ? undefined : fault(moments, made, next);
    },
  };
}

function atomsIn(changes: readonly Change[]): ReadonlySet<Atom> {
  return new Set(changes.flatMap(atomsOf));
}
