// Names that lead to other names: action groups that hold groups, variables that refer to variables.

/** All names that some lead to, these included, in the order in which they are found. */
export function collectReached(starts: Iterable<string>, next: (name: string) => Iterable<string>): Set<string> {
  const reached = new Set(starts);
  // A set that grows is read to its end.
  for (const name of reached) for (const other of next(name)) reached.add(other);
  return reached;
}

interface Step {
  readonly name: string;
  readonly left: Iterator<string>;
  /** The last place on the path, at or before this one, that is part of a cycle found already; -1 without any. */
  lastFound: number;
}

export interface FoundCycle {
  /** The names from a start to the first of the cycle, without it. */
  readonly listLead: () => readonly string[];
  /** Without the repetition of its first name. */
  readonly cycle: readonly string[];
}

/**
 * Cycles that share no name, at least one for all names that reach each other. Each name is looked at once. The path
 * is not the machine's stack: a chain of groups may be longer.
 */
export function findCycles(starts: Iterable<string>, next: (name: string) => Iterable<string>): readonly FoundCycle[] {
  const cycles: FoundCycle[] = [];
  const done = new Set<string>();
  const path: Step[] = [];
  const placeOf = new Map<string, number>();
  const cameFrom = new Map<string, string>();
  const enter = (name: string): void => {
    const above = path.at(-1);
    if (above) cameFrom.set(name, above.name);
    placeOf.set(name, path.length);
    path.push({ name, left: next(name)[Symbol.iterator](), lastFound: above?.lastFound ?? -1 });
  };
  for (const start of starts) {
    if (!done.has(start)) enter(start);
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const { done: isEnd, value: name } = last.left.next();
      if (isEnd) {
        done.add(last.name);
        placeOf.delete(last.name);
        path.pop();
        continue;
      }
      const place = placeOf.get(name);
      if (place === undefined) {
        if (!done.has(name)) enter(name);
      } else if (last.lastFound < place) {
        const steps = path.slice(place);
        cycles.push({ listLead: () => listAbove(name, cameFrom), cycle: steps.map((step) => step.name) });
        for (const [at, step] of steps.entries()) step.lastFound = place + at;
      }
    }
  }
  return cycles;
}

/** All names, each after those that it leads to; there are no cycles. The path is not the machine's stack here, either. */
export function sortAfterNext(starts: Iterable<string>, next: (name: string) => Iterable<string>): Iterable<string> {
  const sorted = new Set<string>();
  for (const start of starts) {
    const path = sorted.has(start) ? [] : [{ name: start, left: next(start)[Symbol.iterator]() }];
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const { done: isEnd, value: name } = last.left.next();
      if (isEnd) {
        sorted.add(last.name);
        path.pop();
      } else if (!sorted.has(name)) {
        path.push({ name, left: next(name)[Symbol.iterator]() });
      }
    }
  }
  return sorted;
}

function listAbove(name: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const above: string[] = [];
  for (let one = cameFrom.get(name); one !== undefined; one = cameFrom.get(one)) above.push(one);
  return above.reverse();
}
