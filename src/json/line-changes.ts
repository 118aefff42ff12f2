/** Lines of the one text that became lines of the other; both counted from 0, ends exclusive. */
export interface LineChange {
  readonly from: number;
  readonly to: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** More lines that differ are shown as one change. */
const mostDifferences = 1_000;

/** The least lines to remove and add (Myers' algorithm), from the first to the last. */
export function findLineChanges(before: readonly string[], after: readonly string[]): readonly LineChange[] {
  let first = 0;
  while (first < before.length && first < after.length && before[first] === after[first]) first++;
  let [last, newLast] = [before.length, after.length];
  while (last > first && newLast > first && before[last - 1] === after[newLast - 1]) {
    last--;
    newLast--;
  }
  const [old, now] = [before.slice(first, last), after.slice(first, newLast)];
  if (old.length === 0 && now.length === 0) return [];
  const paths = findPaths(old, now);
  if (!paths) return [{ from: first, to: last, newFrom: first, newTo: newLast }];
  return joinSteps(walkBack(paths, old.length, now.length)).map(({ from, to, newFrom, newTo }) => ({
    from: from + first,
    to: to + first,
    newFrom: newFrom + first,
    newTo: newTo + first,
  }));
}

/** By number of differences: how far each diagonal gets. Undefined where there are too many. */
function findPaths(old: readonly string[], now: readonly string[]): readonly Map<number, number>[] | undefined {
  const furthest = new Map<number, number>([[1, 0]]);
  const paths: Map<number, number>[] = [];
  for (let count = 0; count <= Math.min(old.length + now.length, mostDifferences); count++) {
    const kept = new Map<number, number>();
    for (let diagonal = -count; diagonal <= count; diagonal += 2) {
      let at = stepOn(furthest, count, diagonal);
      while (at < old.length && at - diagonal < now.length && old[at] === now[at - diagonal]) at++;
      furthest.set(diagonal, at);
      kept.set(diagonal, at);
      if (at >= old.length && at - diagonal >= now.length) return [...paths, kept];
    }
    paths.push(kept);
  }
  return undefined;
}

function stepOn(furthest: ReadonlyMap<number, number>, count: number, diagonal: number): number {
  const [below, above] = [furthest.get(diagonal - 1) ?? -1, furthest.get(diagonal + 1) ?? -1];
  return diagonal === -count || (diagonal !== count && below < above) ? above : below + 1;
}

/** Each line that is removed or added, from the last to the first. */
function walkBack(paths: readonly Map<number, number>[], oldLength: number, newLength: number): readonly LineChange[] {
  const steps: LineChange[] = [];
  let [at, newAt] = [oldLength, newLength];
  for (let count = paths.length - 1; count > 0; count--) {
    const furthest = paths[count - 1] as Map<number, number>;
    const diagonal = at - newAt;
    const [below, above] = [furthest.get(diagonal - 1) ?? -1, furthest.get(diagonal + 1) ?? -1];
    const isAdded = diagonal === -count || (diagonal !== count && below < above);
    const from = isAdded ? above : below;
    const newFrom = from - (isAdded ? diagonal + 1 : diagonal - 1);
    steps.push({ from, to: isAdded ? from : from + 1, newFrom, newTo: isAdded ? newFrom + 1 : newFrom });
    [at, newAt] = [from, newFrom];
  }
  return steps.reverse();
}

function joinSteps(steps: readonly LineChange[]): readonly LineChange[] {
  const joined: LineChange[] = [];
  for (const step of steps) {
    const last = joined.at(-1);
    if (last && last.to === step.from && last.newTo === step.newFrom)
      joined[joined.length - 1] = { ...last, to: step.to, newTo: step.newTo };
    else joined.push(step);
  }
  return joined;
}
