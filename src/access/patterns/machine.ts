import { type Chars, end, everyCharacter, intersects } from "./chars.ts";
import { anyName, createChoice, createSequence, type Expression, isAnyName, measureLengths } from "./expression.ts";

/** A pattern as automata: a name matches it if it passes one of these. */
export type CompiledPattern = readonly Branch[];

/** Matches what `machine` accepts, and each of `also` (lookaheads and lookbehinds) accepts, or not, as `wanted`. */
export interface Branch {
  readonly machine: Machine;
  readonly also: readonly { readonly machine: Machine; readonly wanted: boolean }[];
}

/** A nondeterministic automaton without empty steps. */
export interface Machine {
  readonly places: readonly MachinePlace[];
  /** Where one is at first, ascending; `places.length` is the end. */
  readonly start: readonly number[];
}

export interface MachinePlace {
  readonly chars: Chars;
  /** Where one gets by one of `chars`, ascending. */
  readonly next: readonly number[];
  /** Of a place that takes whatever comes: from there on, what earlier places still match, this one matches as well. */
  readonly replaces?: number;
}

/** Undefined where it is too large, or lookarounds or possessive quantifiers make it more than an automaton. */
export function compileExpression(expression: Expression): CompiledPattern | undefined {
  const options = expression.kind === "choice" ? expression.options : [expression];
  const plain = options.filter((option) => !hasLook(option));
  const branches: (Apart | undefined)[] = options.filter(hasLook).map(takeLooksApart);
  if (plain.length > 0) branches.push({ own: createChoice(plain), also: [] });
  return allOrNone(branches.map((branch) => branch && createBranch(branch)));
}

function createBranch({ own, also }: Apart): Branch | undefined {
  const machine = createMachine(own);
  const others = allOrNone(also.map(({ of }) => createMachine(of)));
  if (!machine || !others) return undefined;
  return { machine, also: others.map((other, at) => ({ machine: other, wanted: also[at]?.wanted === true })) };
}

/** Undefined where one of them is. */
function allOrNone<T>(values: readonly (T | undefined)[]): readonly T[] | undefined {
  const found = values.filter((value) => value !== undefined);
  return found.length === values.length ? found : undefined;
}

function hasLook(expression: Expression): boolean {
  switch (expression.kind) {
    case "look":
      return true;
    case "repeat":
      return hasLook(expression.of);
    case "sequence":
      return expression.parts.some(hasLook);
    case "choice":
      return expression.options.some(hasLook);
    default:
      return false;
  }
}

interface Apart {
  readonly own: Expression;
  readonly also: readonly { readonly of: Expression; readonly wanted: boolean }[];
}

/**
 * A sequence without its lookarounds, and each of these as a pattern of whole names. That holds where they can be at
 * one place of a name only: for a lookahead what precedes it, for a lookbehind what follows it is of one length.
 */
function takeLooksApart(expression: Expression): Apart | undefined {
  const parts = expression.kind === "sequence" ? expression.parts : [expression];
  const also: { of: Expression; wanted: boolean }[] = [];
  const rest = (some: readonly Expression[]): Expression => createSequence(some.filter(({ kind }) => kind !== "look"));
  for (const [at, part] of parts.entries()) {
    if (part.kind !== "look") {
      if (hasLook(part)) return undefined;
      continue;
    }
    const { ahead, of, wanted } = part;
    const beside = rest(ahead ? parts.slice(0, at) : parts.slice(at + 1));
    if (hasLook(of) || !isOfOneLength(beside)) return undefined;
    // Java refuses these.
    if (!ahead && measureLengths(of)[1] === Number.POSITIVE_INFINITY) return undefined;
    also.push({ wanted, of: createSequence(ahead ? [beside, of, anyName] : [anyName, of, beside]) });
  }
  return { own: rest(parts), also };
}

function isOfOneLength(expression: Expression): boolean {
  const [least, most] = measureLengths(expression);
  return least === most;
}

const mostPlaces = 2000;
/** In places and steps between them. */
const mostWork = 50_000;

/** Thompson's construction, then without its empty steps. Undefined if it is too large. */
function createMachine(expression: Expression): Machine | undefined {
  /** Empty steps, by node; some may be taken at one end of the name only. */
  const steps: { readonly to: number; readonly only?: "start" | "end" }[][] = [[]];
  const places: { readonly from: number; readonly to: number; readonly chars: Chars; readonly replaces?: number }[] =
    [];
  /** Behind a possessive quantifier nothing may begin with what it takes: to give it back would change nothing then. */
  const possessive: { readonly node: number; readonly chars: Chars }[] = [];
  let work = 0;

  const final = build(expression, 0);
  if (isTooLarge()) return undefined;
  const placesAt = new Map<number, number[]>();
  for (const [at, { from }] of places.entries()) placesAt.set(from, [...(placesAt.get(from) ?? []), at]);
  for (const { node, chars } of possessive)
    for (const atStart of [true, false])
      if (reachedFrom(node, atStart).some((at) => intersects(places[at]?.chars ?? [], chars))) return undefined;
  const machine = {
    start: reachedFrom(0, true),
    places: places.map(({ to, chars, replaces }) => ({
      chars,
      next: reachedFrom(to, false),
      ...(replaces !== undefined && { replaces }),
    })),
  };
  return isTooLarge() ? undefined : machine;

  function isTooLarge(): boolean {
    return work > mostWork || places.length > mostPlaces;
  }

  function node(): number {
    work++;
    return steps.push([]) - 1;
  }

  function step(from: number, to: number, only?: "start" | "end"): void {
    steps[from]?.push({ to, ...(only && { only }) });
  }

  /** From a node on; gives the node behind it, to which nothing leads from elsewhere. */
  function build(part: Expression, from: number): number {
    if (isTooLarge()) return from;
    work++;
    switch (part.kind) {
      case "one":
        return place(part.chars, from, node());
      case "anchor": {
        const to = node();
        step(from, to, part.at);
        return to;
      }
      case "sequence": {
        const first = places.length;
        return part.parts.reduce((at, one) => (isAnyName(one) ? everything(at, first) : build(one, at)), from);
      }
      case "choice": {
        const to = node();
        for (const option of part.options) step(build(option, from), to);
        return to;
      }
      case "units":
        return units(part.count, part.open, from);
      case "repeat":
        return isAnyName(part) ? everything(from, places.length) : repeated(part, from);
      case "look":
        throw new Error("bug: a lookaround within an automaton");
    }
  }

  function place(chars: Chars, from: number, to: number, replaces?: number): number {
    places.push({ from, to, chars, ...(replaces !== undefined && { replaces }) });
    return to;
  }

  function everything(from: number, replaces: number): number {
    const loop = node();
    step(from, loop);
    return place(everyCharacter, loop, loop, replaces);
  }

  function repeated(
    { of, least, most, possessive: keeps }: Extract<Expression, { kind: "repeat" }>,
    from: number,
  ): number {
    let at = from;
    for (let time = 0; time < least && !isTooLarge(); time++) at = build(of, at);
    const exit = node();
    if (most === Number.POSITIVE_INFINITY) {
      const loop = node();
      step(at, loop);
      step(build(of, loop), loop);
      at = loop;
    }
    for (let time = least; time < most && most < Number.POSITIVE_INFINITY && !isTooLarge(); time++) {
      step(at, exit);
      at = build(of, at);
    }
    step(at, exit);
    if (keeps && of.kind === "one") possessive.push({ node: exit, chars: of.chars });
    return exit;
  }

  /** Beyond U+FFFF a character is two units. */
  function units(count: number, open: boolean, from: number): number {
    const nodes = [from, ...Array.from({ length: Math.min(count, mostPlaces) }, node)];
    const to = nodes.at(-1) ?? from;
    for (const [at, here] of nodes.slice(0, -1).entries()) {
      const [one = to, two] = [nodes[at + 1], nodes[at + 2]];
      if (two === undefined && open) place(everyCharacter, here, one);
      else {
        place(ofOneUnit, here, one);
        if (two !== undefined) place(ofTwoUnits, here, two);
      }
    }
    return to;
  }

  /** The places to which a node leads by empty steps, ascending, and the end if it does. */
  function reachedFrom(first: number, atStart: boolean): number[] {
    const found = new Set<number>();
    const seen = new Set<number>();
    const open: { readonly at: number; readonly ended: boolean }[] = [{ at: first, ended: false }];
    for (const { at, ended } of open) {
      if (work > mostWork) break;
      work++;
      if (at === final) found.add(places.length);
      if (!ended) for (const one of placesAt.get(at) ?? []) found.add(one);
      for (const { to, only } of steps[at] ?? []) {
        if (only === "start" && !atStart) continue;
        const next = { at: to, ended: ended || only === "end" };
        const key = 2 * next.at + Number(next.ended);
        if (!seen.has(key)) open.push(next);
        seen.add(key);
      }
    }
    work += found.size;
    return [...found].sort((a, b) => a - b);
  }
}

const ofOneUnit: Chars = [0, 0x10000];
const ofTwoUnits: Chars = [0x10000, end];
