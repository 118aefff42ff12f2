import { allBut, type Chars, codeOf, everyCharacter, only, union } from "./chars.ts";

/** One character of `chars`; `optional` if none will do, too; `many` if more will, and none. */
export interface Item {
  readonly chars: Chars;
  readonly optional: boolean;
  readonly many: boolean;
}

/** Items one after the other; a pattern is one or more of these, any of which may meet a text. */
export type Sequence = readonly Item[];

/** Whether nothing can be worked out about a pattern: its variables have no values here, or its regex is not a common one. */
export function isOpaque(pattern: string): boolean {
  return sequencesOf(pattern) === undefined;
}

/**
 * What a pattern is made of, undefined if it is opaque. Texts have no line breaks: no name has, and `.` and `*` mean the
 * same then. A pattern that spells one out, or half a character, is opaque.
 */
export function sequencesOf(pattern: string): readonly Sequence[] | undefined {
  if (known.has(pattern)) return known.get(pattern);
  if (known.size >= mostKnown) known.clear();
  const sequences = pattern.includes("${") || noText.test(pattern) ? undefined : parsed(pattern);
  known.set(pattern, sequences);
  return sequences;
}

export function isLiteral(pattern: string): boolean {
  return !/[*?]/.test(pattern) && expressionOf(pattern) === undefined;
}

/** What a pattern begins with that is spelt out: all that it meets begins so. */
export function headOf(pattern: string): string {
  return expressionOf(pattern) === undefined ? (/^[^*?]*/.exec(pattern)?.[0] ?? "") : "";
}

/** Of a pattern that meets all that begins so, and nothing else. */
export function stemOf(pattern: string): string | undefined {
  const stem = headOf(pattern);
  return stem !== pattern && /^\*+$/.test(pattern.slice(stem.length)) ? stem : undefined;
}

export function literal(text: string): Sequence {
  return [...text].map((char) => once(only(char)));
}

/**
 * What stands between the slashes of a pattern that is a regular expression. `^` and `$` at the ends of its alternatives
 * are left out: whole texts are held against it, so that they change nothing.
 */
export function expressionOf(pattern: string): string | undefined {
  return /^\/(.*)\/$/s.exec(pattern)?.[1]?.replace(/(?<=^|\|)\^|(?<!\\)\$(?=\||$)/g, "");
}

/** Whether Java and JavaScript read an expression alike, if it is one at all. */
function isCommon(expression: string): boolean {
  return expression.length <= longest && common.test(expression);
}

export function once(chars: Chars): Item {
  return { chars, optional: false, many: false };
}

export const everyText: Sequence = [{ chars: everyCharacter, optional: true, many: true }];

/** What no text has: line breaks as Java knows them, halves of surrogate pairs. */
const noText = /[\n\r\u0085\u2028\u2029]|\p{Cs}/u;

const known = new Map<string, readonly Sequence[] | undefined>();
const mostKnown = 10_000;

const longest = 100;

/** Plain characters, `.`, escaped punctuation, plain classes; each may be repeated. Alternatives at the top alone. */
const common = /^(?:(?:[\w @:,;=~%!"'<>-]|\.|\\[./\\-]|\\[dw]|\[\^?[\w @.:-]+\])[*+?]?|\|)*$/;
const token = /(?<one>\\.|\[[^\]]*\]|[^|])(?<times>[*+?]?)|\|/g;

const digits = [codeOf("0"), codeOf("9") + 1];
const letters = [codeOf("a"), codeOf("z") + 1];
const capitals = [codeOf("A"), codeOf("Z") + 1];
const escapes: Readonly<Record<string, Chars>> = {
  d: digits,
  w: union([digits, letters, capitals, only("_")]),
};

function parsed(pattern: string): readonly Sequence[] | undefined {
  const expression = expressionOf(pattern);
  if (expression === undefined) return [globOf(pattern)];
  if (!isCommon(expression)) return undefined;
  const sequences: Item[][] = [[]];
  for (const { groups: { one, times = "" } = {} } of expression.matchAll(token)) {
    if (one === undefined) {
      sequences.push([]);
      continue;
    }
    const chars = charsOf(one);
    if (!chars) return undefined;
    if (times === "" || times === "+") sequences.at(-1)?.push(once(chars));
    if (times !== "") sequences.at(-1)?.push({ chars, optional: true, many: times !== "?" });
  }
  return sequences;
}

function globOf(pattern: string): Sequence {
  return [...pattern.replace(/\*+/g, "*")].flatMap((char) => {
    if (char === "*") return everyText;
    return [once(char === "?" ? everyCharacter : only(char))];
  });
}

function charsOf(one: string): Chars | undefined {
  if (one === ".") return everyCharacter;
  if (one.startsWith("[")) return classOf(one.slice(1, -1));
  const [, escaped] = /^\\(.)$/.exec(one) ?? [];
  return escapes[escaped ?? ""] ?? only(escaped ?? one);
}

/** What stands in brackets; undefined if a range of it is the wrong way round. */
function classOf(inside: string): Chars | undefined {
  const [, negated, members = ""] = /^(\^?)(.*)$/.exec(inside) ?? [];
  const ranges = [...members.matchAll(/(.)-(.)|./g)].map(([char, from = char, to = char]) => [
    codeOf(from),
    codeOf(to) + 1,
  ]);
  if (ranges.some(([from = 0, to = 0]) => from >= to)) return undefined;
  return negated ? allBut(union(ranges)) : union(ranges);
}
