/** Pieces of work, each of one lane; a request takes some of one lane. Sets of pieces are bits. */
export interface Space {
  /** The lane of each piece. */
  readonly lanes: readonly number[];
  /** What is made before anything is chosen. */
  readonly start: bigint;
  readonly constraints: readonly Constraint[];
  /** Asked before each step: whether there is time for it. Where there is none, nothing is found any more. */
  readonly mayStep: () => boolean;
}

/** What has to hold of the order of some pieces, whatever is made of the others. */
export interface Constraint {
  readonly pieces: bigint;
  /** Whether a request may lead from some of its pieces to more of them. */
  readonly allows: (made: bigint, next: bigint) => boolean;
}

/** The lanes by place, and which of them each request takes of. */
interface Way {
  readonly space: Space;
  readonly lanes: readonly bigint[];
  readonly turns: readonly number[];
  /** The last turn of each lane. */
  readonly last: ReadonlyMap<number, number>;
}

type States = ReadonlySet<bigint>;

/** What is made after each request. */
type Masks = readonly bigint[];

/**
 * What is made after each of so many requests, until all is; undefined where no choice is allowed all the way. Lanes take
 * turns in their order, and as much of a lane as may be is made at its first turn: what is found first is nearest to the
 * usual.
 */
export function routeThrough(space: Space, requests: number): Masks | undefined {
  const lanes = masksOf(space);
  const most = lanes.map(sizeOf);
  for (const turns of turnsOf(most, requests)) {
    if (!space.mayStep()) return undefined;
    const route = inTurn(space, lanes, turns);
    if (route) return route;
  }
  return undefined;
}

/** Whether one constraint alone can be met by any number of requests. */
export function isFeasible(space: Space, { pieces, allows }: Constraint): boolean {
  const lanes = masksOf(space);
  const reached = new Set([space.start & pieces]);
  for (const made of reached) {
    for (const lane of lanes) {
      for (const part of partsOf(lane & pieces & ~made)) {
        if (!space.mayStep()) return true;
        if (!reached.has(made | part) && allows(made, made | part)) reached.add(made | part);
      }
    }
  }
  return reached.has(pieces);
}

/** How many turns each lane has: one at least, and no more than it has pieces. */
function* turnsOf(most: readonly number[], requests: number): Generator<readonly number[]> {
  const [first, ...rest] = most;
  if (first === undefined) {
    if (requests === 0) yield [];
    return;
  }
  for (let turns = 1; turns <= Math.min(first, requests - rest.length); turns++) {
    for (const others of turnsOf(rest, requests - turns)) yield [turns, ...others];
  }
}

/** Puts the turns in an order that each constraint by itself allows, and then chooses what is made at which turn. */
function inTurn(space: Space, lanes: readonly bigint[], turns: readonly number[]): Masks | undefined {
  const failed = new Set<string>();
  let tried = 0;
  const repeated = lanes.reduce((all, lane, at) => ((turns[at] ?? 0) > 1 ? all | lane : all), 0n);
  const from = (left: readonly number[], states: readonly States[], taken: readonly number[]): Masks | undefined => {
    if (left.every((turn) => turn === 0)) {
      tried += 1;
      return chosen(space, lanes, taken);
    }
    // Where each lane has one turn, what is left says what is made.
    const triedBefore = tried;
    const told = states.filter((_, at) => ((space.constraints[at]?.pieces ?? 0n) & repeated) !== 0n);
    const key = [left, ...told.map((some) => [...some].sort())].join(" ");
    if (failed.has(key)) return undefined;
    for (const [at, lane] of lanes.entries()) {
      const turn = left[at] ?? 0;
      if (turn === 0) continue;
      if (!space.mayStep()) return undefined;
      const next = statesAfter(space, states, lane, { concerned: concerned[at] ?? [], isLast: turn === 1 });
      const route = next && from(left.with(at, turn - 1), next, [...taken, at]);
      if (route) return route;
    }
    // What is chosen depends on all turns: that it failed says nothing of others that come to the same here.
    if (tried === triedBefore) failed.add(key);
    return undefined;
  };
  const concerned = lanes.map((lane) =>
    space.constraints.flatMap(({ pieces }, at) => ((pieces & lane) === 0n ? [] : [at])),
  );
  const start = space.constraints.map(({ pieces }) => new Set([space.start & pieces]));
  return from(turns, start, []);
}

/**
 * Of each constraint, what of its pieces may be made once a lane had its turn; undefined where nothing may.
 *
 * @param turn the places of the constraints that have pieces of the lane, and whether it has no other turn
 */
function statesAfter(
  space: Space,
  states: readonly States[],
  lane: bigint,
  { concerned, isLast }: { readonly concerned: readonly number[]; readonly isLast: boolean },
): readonly States[] | undefined {
  const after = [...states];
  for (const at of concerned) {
    const constraint = space.constraints[at];
    if (!constraint) continue;
    const open = lane & constraint.pieces;
    const next = statesBy(space, constraint, states[at] ?? new Set(), { due: 0n, open, isLast });
    if (next.size === 0) return undefined;
    after[at] = next;
  }
  return after;
}

/** @param turn what has to be made then; what may be, and has to be where it is the last one */
function statesBy(
  { mayStep }: Space,
  { allows }: Constraint,
  states: States,
  { due, open, isLast }: { readonly due: bigint; readonly open: bigint; readonly isLast: boolean },
): States {
  const after = new Set<bigint>();
  for (const made of states) {
    const rest = open & ~made;
    for (const part of isLast ? [rest] : [...partsOf(rest), 0n]) {
      if (!mayStep()) return new Set();
      const next = made | due | part;
      if (!after.has(next) && (next === made || allows(made, next))) after.add(next);
    }
  }
  return after;
}

/** What is made at which turn, constraints that have pieces in common taken together. */
function chosen(space: Space, lanes: readonly bigint[], turns: readonly number[]): Masks | undefined {
  const way: Way = { space, lanes, turns, last: new Map(turns.map((lane, at) => [lane, at])) };
  const turnsOfLane = lanes.map((_, at) => turns.flatMap((lane, turn) => (lane === at ? [turn] : [])));
  const free = lanes.reduce((all, lane, at) => ((turnsOfLane[at]?.length ?? 0) > 1 ? all | lane : all), 0n);
  let due: readonly bigint[] = turns.map((lane) => (lanes[lane] ?? 0n) & ~free);
  for (const group of together(space.constraints, free)) {
    const next = assigned(way, group, turnsOfLane, due);
    if (!next) return undefined;
    due = next;
  }
  let rest = free & ~due.reduce((all, some) => all | some, 0n);
  let made = space.start;
  return due.map((some, turn) => {
    const others = rest & (lanes[turns[turn] ?? 0] ?? 0n);
    rest &= ~others;
    made |= some | others;
    return made;
  });
}

interface Group {
  readonly pieces: bigint;
  readonly constraints: readonly Constraint[];
}

/** Constraints that have free pieces in common, directly or by others. */
function together(constraints: readonly Constraint[], free: bigint): readonly Group[] {
  let groups: readonly Group[] = [];
  for (const constraint of constraints) {
    const ours = constraint.pieces & free;
    if (ours === 0n) continue;
    const joined = groups.filter(({ pieces }) => (pieces & ours) !== 0n);
    const group = {
      pieces: joined.reduce((all, { pieces }) => all | pieces, ours),
      constraints: [...joined.flatMap((one) => one.constraints), constraint],
    };
    groups = [...groups.filter((one) => !joined.includes(one)), group];
  }
  return groups;
}

/** What is due at each turn, with the pieces of a group: each as early as the constraints allow. */
function assigned(
  way: Way,
  { pieces, constraints }: Group,
  turnsOfLane: readonly (readonly number[])[],
  due: readonly bigint[],
): readonly bigint[] | undefined {
  const [piece] = bitsOf(pieces);
  if (piece === undefined) return due;
  const concerned = constraints.filter((constraint) => (constraint.pieces & piece) !== 0n);
  const lane = way.lanes.findIndex((mask) => (mask & piece) !== 0n);
  for (const turn of turnsOfLane[lane] ?? []) {
    const next = due.with(turn, (due[turn] ?? 0n) | piece);
    if (!concerned.every((constraint) => canBeMet(way, constraint, next))) continue;
    const all = assigned(way, { pieces: pieces & ~piece, constraints }, turnsOfLane, next);
    if (all) return all;
  }
  return undefined;
}

/** Whether what has no turn yet can have one, as far as one constraint is concerned. */
function canBeMet({ space, lanes, turns, last }: Way, constraint: Constraint, due: readonly bigint[]): boolean {
  const open = constraint.pieces & ~due.reduce((all, some) => all | some, 0n);
  let states: States = new Set([space.start & constraint.pieces]);
  for (const [turn, lane] of turns.entries()) {
    const ours = (lanes[lane] ?? 0n) & constraint.pieces;
    if (ours === 0n) continue;
    const own = { due: (due[turn] ?? 0n) & ours, open: open & ours, isLast: last.get(lane) === turn };
    states = statesBy(space, constraint, states, own);
    if (states.size === 0) return false;
  }
  return true;
}

/** What is not made of each lane, in their order. */
function masksOf({ lanes, start }: Space): readonly bigint[] {
  const masks = wholeMasks.get(lanes) ?? wholeMasksOf(lanes);
  wholeMasks.set(lanes, masks);
  return masks.map((mask) => mask & ~start).filter((mask) => mask !== 0n);
}

/** The same pieces are searched for one stake after the other. */
const wholeMasks = new WeakMap<Space["lanes"], readonly bigint[]>();

function wholeMasksOf(lanes: Space["lanes"]): readonly bigint[] {
  const masks = new Map<number, bigint>();
  for (const [piece, lane] of lanes.entries()) masks.set(lane, (masks.get(lane) ?? 0n) | (1n << BigInt(piece)));
  return [...masks].sort(([a], [b]) => a - b).map(([, mask]) => mask);
}

/** All that can be taken of some bits, the most first. */
function partsOf(bits: bigint): readonly bigint[] {
  const parts = [0n];
  for (const bit of bitsOf(bits)) parts.push(...parts.map((part) => part | bit));
  return parts
    .slice(1)
    .map((part) => ({ part, size: sizeOf(part) }))
    .sort((a, b) => b.size - a.size)
    .map(({ part }) => part);
}

function bitsOf(bits: bigint): readonly bigint[] {
  const single: bigint[] = [];
  for (let bit = 1n; bit <= bits; bit <<= 1n) if (bits & bit) single.push(bit);
  return single;
}

/** How many pieces. */
export function sizeOf(bits: bigint): number {
  return bits.toString(2).replaceAll("0", "").length;
}
