import { pairInOrder } from "../json/likeness.ts";
import { type Fields, isEqual, isObject, type Json } from "../json/value.ts";

export interface Alignment {
  /** Positions of items that are not wanted any more. */
  readonly removed: ReadonlySet<number>;
  /** New items, each run with the position that it is before. */
  readonly added: ReadonlyMap<number, readonly Json[]>;
  /** Maps that become others. */
  readonly paired: ReadonlyMap<number, Json>;
}

/** More comparisons than these, and what differs is replaced as a whole. */
const mostComparisons = 4_000_000;

/** Which items of a list stay where they are, and what is between them. */
export function alignLists(old: readonly Json[], now: readonly Json[]): Alignment {
  const keys = (list: readonly Json[]) => list.map((item) => (typeof item === "string" ? item : undefined));
  const [oldKeys, nowKeys] = [keys(old), keys(now)];
  const isSame = (i: number, j: number) =>
    oldKeys[i] === undefined && nowKeys[j] === undefined
      ? isEqual(old[i] as Json, now[j] as Json)
      : oldKeys[i] === nowKeys[j];
  let first = 0;
  while (first < old.length && first < now.length && isSame(first, first)) first++;
  let tail = 0;
  while (tail < old.length - first && tail < now.length - first && isSame(old.length - 1 - tail, now.length - 1 - tail))
    tail++;
  const [oldEnd, nowEnd] = [old.length - tail, now.length - tail];
  const steps = findCommon(first, oldEnd, nowEnd, isSame);
  const removed = new Set<number>();
  const added = new Map<number, readonly Json[]>();
  const paired = new Map<number, Json>();
  let [i, j] = [first, first];
  const closeRun = (nextI: number, nextJ: number) => {
    for (let at = i; at < nextI; at++) removed.add(at);
    if (j < nextJ) added.set(nextI, now.slice(j, nextJ));
    [i, j] = [nextI + 1, nextJ + 1];
  };
  for (const [nextI, nextJ] of [...steps, [oldEnd, nowEnd] as const]) {
    for (const [oldAt, nowAt] of pairMaps(old, now, [i, nextI], [j, nextJ])) {
      closeRun(oldAt, nowAt);
      paired.set(oldAt, now[nowAt] as Json);
    }
    closeRun(nextI, nextJ);
  }
  return { removed, added, paired };
}

/** Of two runs without an equal item: the maps that are most alike, in their order. */
function pairMaps(
  old: readonly Json[],
  now: readonly Json[],
  [oldStart, oldEnd]: readonly [number, number],
  [nowStart, nowEnd]: readonly [number, number],
): readonly (readonly [number, number])[] {
  const toFields = (item: Json): Fields => (isObject(item) ? item : {});
  const pairs = pairInOrder(
    old.slice(oldStart, oldEnd).map(toFields),
    now.slice(nowStart, nowEnd).map(toFields),
    mostComparisons,
  );
  return pairs.map(([left, right]) => [oldStart + left, nowStart + right]);
}

/** Positions of a longest common subsequence. */
function findCommon(
  first: number,
  oldEnd: number,
  nowEnd: number,
  isSame: (i: number, j: number) => boolean,
): readonly (readonly [number, number])[] {
  const [rows, columns] = [oldEnd - first, nowEnd - first];
  if (rows === 0 || columns === 0 || rows * columns > mostComparisons) return [];
  const lengths = Array.from({ length: rows + 1 }, () => new Uint32Array(columns + 1));
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--)
      (lengths[i] as Uint32Array)[j] = isSame(first + i, first + j)
        ? at(i + 1, j + 1) + 1
        : Math.max(at(i + 1, j), at(i, j + 1));
  const found: [number, number][] = [];
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    if (isSame(first + i, first + j)) found.push([first + i++, first + j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return found;
}
