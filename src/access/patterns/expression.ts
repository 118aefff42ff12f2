import { type Chars, createChars, end, everyCharacter, uniteChars } from "./chars.ts";

/** What a pattern says of names, whichever syntax it is written in. */
export type Expression = OneChar | Sequence | Choice | Repeat | Units | Anchor | Look;

/** One character. */
export interface OneChar {
  readonly kind: "one";
  readonly chars: Chars;
}

export interface Sequence {
  readonly kind: "sequence";
  readonly parts: readonly Expression[];
}

export interface Choice {
  readonly kind: "choice";
  readonly options: readonly Expression[];
}

export interface Repeat {
  readonly kind: "repeat";
  readonly of: Expression;
  readonly least: number;
  /** May be Infinity. */
  readonly most: number;
  /** Once taken, never given back: `of` is one character then. */
  readonly possessive: boolean;
}

/** So many UTF-16 code units, as `?` of a glob counts them; `open`: or more. */
export interface Units {
  readonly kind: "units";
  readonly count: number;
  readonly open: boolean;
}

export interface Anchor {
  readonly kind: "anchor";
  readonly at: "start" | "end";
}

/** A lookahead or lookbehind: what follows or precedes matches `of`, or must not. */
export interface Look {
  readonly kind: "look";
  readonly ahead: boolean;
  readonly wanted: boolean;
  readonly of: Expression;
}

/** What no name has: line breaks as Java knows them, unpaired surrogates. */
const neverInNames: readonly Chars[] = [
  [0x0a, 0x0b],
  [0x0d, 0x0e],
  [0x85, 0x86],
  [0x2028, 0x202a],
  [0xd800, 0xe000],
];

/** One of `chars`; what is left out of names does not count, so that `[\s\S]` and `[^\n]` are any character. */
export function createOneOf(chars: Chars): OneChar {
  // Hardly any class begins with the first character there is.
  const [from, to, ...more] = chars[0] === 0 ? uniteChars([chars, ...neverInNames]) : chars;
  const isEvery = from === 0 && to === end && more.length === 0;
  return { kind: "one", chars: isEvery ? everyCharacter : chars };
}

export function createSequence(parts: readonly Expression[]): Expression {
  const flat = parts.flatMap((part) => (part.kind === "sequence" ? part.parts : [part]));
  const [first] = flat;
  return flat.length === 1 && first ? first : { kind: "sequence", parts: flat };
}

export function createChoice(options: readonly Expression[]): Expression {
  const [first] = options;
  if (options.length === 1 && first) return first;
  const sets = options.flatMap((option) => (option.kind === "one" ? [option.chars] : []));
  return sets.length === options.length ? createOneOf(uniteChars(sets)) : { kind: "choice", options };
}

export function createRepeat(of: Expression, least: number, most: number, possessive = false): Repeat {
  return { kind: "repeat", of, least, most, possessive };
}

export const anyName: Repeat = createRepeat({ kind: "one", chars: everyCharacter }, 0, Number.POSITIVE_INFINITY);

export function isAnyName(expression: Expression): boolean {
  if (expression.kind !== "repeat" || expression.possessive) return false;
  const { of, least, most } = expression;
  return least === 0 && most === Number.POSITIVE_INFINITY && of.kind === "one" && of.chars === everyCharacter;
}

export function createLiteral(text: string): Expression {
  return createSequence([...text].map((char): OneChar => ({ kind: "one", chars: createChars(char) })));
}

/** `*` for any characters, `?` for one UTF-16 code unit: as servers count. */
export function parseGlob(pattern: string): Expression {
  const runs = pattern.match(/[*?]+|[^*?]+/g) ?? [];
  return createSequence(
    runs.flatMap((run): readonly Expression[] => {
      if (!/^[*?]/.test(run)) return [createLiteral(run)];
      const count = run.replaceAll("*", "").length;
      const open = count < run.length;
      return [...(count > 0 ? [{ kind: "units", count, open } as const] : []), ...(open ? [anyName] : [])];
    }),
  );
}

/** How many characters what it matches has, at least and at most. */
export function measureLengths(expression: Expression): readonly [least: number, most: number] {
  switch (expression.kind) {
    case "one":
      return [1, 1];
    case "anchor":
    case "look":
      return [0, 0];
    case "units":
      return [0, Number.POSITIVE_INFINITY];
    case "repeat": {
      const [least, most] = measureLengths(expression.of);
      const unbounded = Math.max(most, expression.most) === Number.POSITIVE_INFINITY;
      return [least * expression.least, unbounded ? Number.POSITIVE_INFINITY : most * expression.most];
    }
    case "sequence": {
      const lengths = expression.parts.map(measureLengths);
      return [sum(lengths.map(([least]) => least)), sum(lengths.map(([, most]) => most))];
    }
    case "choice": {
      const lengths = expression.options.map(measureLengths);
      return [Math.min(...lengths.map(([least]) => least)), Math.max(...lengths.map(([, most]) => most))];
    }
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The characters that all that it matches begins with. */
export function getExpressionHead(expression: Expression): string {
  const parts = expression.kind === "sequence" ? expression.parts : [expression];
  let head = "";
  for (const part of parts) {
    if (part.kind === "anchor" && part.at === "start" && head === "") continue;
    if (part.kind !== "one") break;
    const [from = 0, to = 0, ...more] = part.chars;
    if (to !== from + 1 || more.length > 0) break;
    head += String.fromCodePoint(from);
  }
  return head;
}
