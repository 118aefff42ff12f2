/** Batches, each of one sequence; a request makes some batches of one sequence. Sets of batches are bits. */
export interface Space {
  /** The sequence of each batch. */
  readonly sequences: readonly number[];
  /** What is made before anything is chosen. */
  readonly start: bigint;
  readonly constraints: readonly Constraint[];
  /** Asked before each step: whether there is time for it. Where there is none, nothing is found any more. */
  readonly mayStep: () => boolean;
}

/** What the order of some batches must meet, whatever is made of the others. */
export interface Constraint {
  readonly batches: bigint;
  /** Whether a request may lead from some of its batches to more of them. */
  readonly allows: (made: bigint, next: bigint) => boolean;
}

/** The sequences by position, and which of them each request takes from. */
interface SearchSettings {
  readonly space: Space;
  readonly sequences: readonly bigint[];
  readonly positions: readonly number[];
  /** The last position of each sequence. */
  readonly last: ReadonlyMap<number, number>;
}

type States = ReadonlySet<bigint>;

/** What is made after each request. */
type Masks = readonly bigint[];

/**
 * The batches that are made after each of so many requests, until all are; undefined where no choice is allowed to
 * the end. Sequences come in their order, and as much of a sequence as possible is made at its first position: the
 * first result is nearest to the usual order.
 */
export function searchRoute(space: Space, requests: number): Masks | undefined {
  const sequences = masksOf(space);
  const most = sequences.map(countFragments);
  for (const positions of positionsOf(most, requests)) {
    if (!space.mayStep()) return undefined;
    const route = searchInOrder(space, sequences, positions);
    if (route) return route;
  }
  return undefined;
}

/** Whether one constraint alone can be met by any number of requests. */
export function isFeasible(space: Space, { batches, allows }: Constraint): boolean {
  const sequences = masksOf(space);
  const reached = new Set([space.start & batches]);
  for (const made of reached) {
    for (const sequence of sequences) {
      for (const part of partsOf(sequence & batches & ~made)) {
        if (!space.mayStep()) return true;
        if (!reached.has(made | part) && allows(made, made | part)) reached.add(made | part);
      }
    }
  }
  return reached.has(batches);
}

/** How many positions each sequence has: at least one, and no more than it has batches. */
function* positionsOf(most: readonly number[], requests: number): Generator<readonly number[]> {
  const [first, ...rest] = most;
  if (first === undefined) {
    if (requests === 0) yield [];
    return;
  }
  for (let positions = 1; positions <= Math.min(first, requests - rest.length); positions++) {
    for (const others of positionsOf(rest, requests - positions)) yield [positions, ...others];
  }
}

/**
 * Puts the positions in an order that each constraint by itself allows, and then chooses the batches of each
 * position.
 */
function searchInOrder(space: Space, sequences: readonly bigint[], positions: readonly number[]): Masks | undefined {
  const failed = new Set<string>();
  let tried = 0;
  const repeated = sequences.reduce((all, sequence, at) => ((positions[at] ?? 0) > 1 ? all | sequence : all), 0n);
  const from = (left: readonly number[], states: readonly States[], taken: readonly number[]): Masks | undefined => {
    if (left.every((position) => position === 0)) {
      tried += 1;
      return chosen(space, sequences, taken);
    }
    // Where each sequence has one position, the remaining batches show what is made.
    const triedBefore = tried;
    const shown = states.filter((_, at) => ((space.constraints[at]?.batches ?? 0n) & repeated) !== 0n);
    const key = [left, ...shown.map((some) => [...some].sort())].join(" ");
    if (failed.has(key)) return undefined;
    for (const [at, sequence] of sequences.entries()) {
      const position = left[at] ?? 0;
      if (position === 0) continue;
      if (!space.mayStep()) return undefined;
      const next = statesAfter(space, states, sequence, { concerned: concerned[at] ?? [], isLast: position === 1 });
      const route = next && from(left.with(at, position - 1), next, [...taken, at]);
      if (route) return route;
    }
    // The choice depends on all positions: its failure says nothing about others with the same rest.
    if (tried === triedBefore) failed.add(key);
    return undefined;
  };
  const concerned = sequences.map((sequence) =>
    space.constraints.flatMap(({ batches }, at) => ((batches & sequence) === 0n ? [] : [at])),
  );
  const start = space.constraints.map(({ batches }) => new Set([space.start & batches]));
  return from(positions, start, []);
}

/**
 * For each constraint, which of its batches may be made after a position of a sequence; undefined where none may.
 *
 * @param turn the indexes of the constraints with batches of the sequence, and whether it is its last position
 */
function statesAfter(
  space: Space,
  states: readonly States[],
  sequence: bigint,
  { concerned, isLast }: { readonly concerned: readonly number[]; readonly isLast: boolean },
): readonly States[] | undefined {
  const after = [...states];
  for (const at of concerned) {
    const constraint = space.constraints[at];
    if (!constraint) continue;
    const open = sequence & constraint.batches;
    const next = statesBy(space, constraint, states[at] ?? new Set(), { due: 0n, open, isLast });
    if (next.size === 0) return undefined;
    after[at] = next;
  }
  return after;
}

/** @param turn what has to be made then; and what may be, which has to be at the last position */
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

/** The batches of each position; constraints with common batches are solved together. */
function chosen(space: Space, sequences: readonly bigint[], positions: readonly number[]): Masks | undefined {
  const settings: SearchSettings = {
    space,
    sequences,
    positions,
    last: new Map(positions.map((sequence, at) => [sequence, at])),
  };
  const positionsOfSequence = sequences.map((_, at) =>
    positions.flatMap((sequence, position) => (sequence === at ? [position] : [])),
  );
  const free = sequences.reduce(
    (all, sequence, at) => ((positionsOfSequence[at]?.length ?? 0) > 1 ? all | sequence : all),
    0n,
  );
  let due: readonly bigint[] = positions.map((sequence) => (sequences[sequence] ?? 0n) & ~free);
  for (const group of together(space.constraints, free)) {
    const next = assigned(settings, group, positionsOfSequence, due);
    if (!next) return undefined;
    due = next;
  }
  let rest = free & ~due.reduce((all, some) => all | some, 0n);
  let made = space.start;
  return due.map((some, position) => {
    const others = rest & (sequences[positions[position] ?? 0] ?? 0n);
    rest &= ~others;
    made |= some | others;
    return made;
  });
}

interface Group {
  readonly batches: bigint;
  readonly constraints: readonly Constraint[];
}

/** Groups constraints that have free batches in common, directly or by others. */
function together(constraints: readonly Constraint[], free: bigint): readonly Group[] {
  let groups: readonly Group[] = [];
  for (const constraint of constraints) {
    const relevant = constraint.batches & free;
    if (relevant === 0n) continue;
    const joined = groups.filter(({ batches }) => (batches & relevant) !== 0n);
    const group = {
      batches: joined.reduce((all, { batches }) => all | batches, relevant),
      constraints: [...joined.flatMap((one) => one.constraints), constraint],
    };
    groups = [...groups.filter((one) => !joined.includes(one)), group];
  }
  return groups;
}

/** The batches of a group that are due at each position: each as early as the constraints allow. */
function assigned(
  settings: SearchSettings,
  { batches, constraints }: Group,
  positionsOfSequence: readonly (readonly number[])[],
  due: readonly bigint[],
): readonly bigint[] | undefined {
  const [batch] = bitsOf(batches);
  if (batch === undefined) return due;
  const concerned = constraints.filter((constraint) => (constraint.batches & batch) !== 0n);
  const sequence = settings.sequences.findIndex((mask) => (mask & batch) !== 0n);
  for (const position of positionsOfSequence[sequence] ?? []) {
    const next = due.with(position, (due[position] ?? 0n) | batch);
    if (!concerned.every((constraint) => canBeMatched(settings, constraint, next))) continue;
    const all = assigned(settings, { batches: batches & ~batch, constraints }, positionsOfSequence, next);
    if (all) return all;
  }
  return undefined;
}

/** Whether the batches without a position can still get one, as far as one constraint is concerned. */
function canBeMatched(
  { space, sequences, positions, last }: SearchSettings,
  constraint: Constraint,
  due: readonly bigint[],
): boolean {
  const open = constraint.batches & ~due.reduce((all, some) => all | some, 0n);
  let states: States = new Set([space.start & constraint.batches]);
  for (const [position, sequence] of positions.entries()) {
    const relevant = (sequences[sequence] ?? 0n) & constraint.batches;
    if (relevant === 0n) continue;
    const own = {
      due: (due[position] ?? 0n) & relevant,
      open: open & relevant,
      isLast: last.get(sequence) === position,
    };
    states = statesBy(space, constraint, states, own);
    if (states.size === 0) return false;
  }
  return true;
}

/** The batches of each sequence that are not made, in their order. */
function masksOf({ sequences, start }: Space): readonly bigint[] {
  const masks = wholeMasks.get(sequences) ?? wholeMasksOf(sequences);
  wholeMasks.set(sequences, masks);
  return masks.map((mask) => mask & ~start).filter((mask) => mask !== 0n);
}

/** The same batches are searched for one constraint after the other. */
const wholeMasks = new WeakMap<Space["sequences"], readonly bigint[]>();

function wholeMasksOf(sequences: Space["sequences"]): readonly bigint[] {
  const masks = new Map<number, bigint>();
  for (const [batch, sequence] of sequences.entries())
    masks.set(sequence, (masks.get(sequence) ?? 0n) | (1n << BigInt(batch)));
  return [...masks].sort(([a], [b]) => a - b).map(([, mask]) => mask);
}

/** All that can be taken of some bits, the most first. */
function partsOf(bits: bigint): readonly bigint[] {
  const parts = [0n];
  for (const bit of bitsOf(bits)) parts.push(...parts.map((part) => part | bit));
  return parts
    .slice(1)
    .map((part) => ({ part, size: countFragments(part) }))
    .sort((a, b) => b.size - a.size)
    .map(({ part }) => part);
}

function bitsOf(bits: bigint): readonly bigint[] {
  const single: bigint[] = [];
  for (let bit = 1n; bit <= bits; bit <<= 1n) if (bits & bit) single.push(bit);
  return single;
}

/** The number of batches. */
export function countFragments(bits: bigint): number {
  return bits.toString(2).replaceAll("0", "").length;
}
