import { type Chars, createChars, everyCharacter, excludeChars, getCharCode, has, uniteChars } from "./chars.ts";
import { anyName, createChoice, createOneOf, createSequence, type Expression } from "./expression.ts";
import { type CompiledPattern, compileExpression } from "./machine.ts";

/** Which texts there are. */
export interface Alphabet {
  readonly admits: (code: number) => boolean;
  /** Characters that are easy to read, the easiest first. */
  readonly nice: readonly number[];
  /** Where in `nice` a character is. */
  readonly ranks: ReadonlyMap<number, number>;
  /** What each text is, its characters apart. */
  readonly shape: CompiledPattern;
}

const hyphens = uniteChars(["-", "_", "+"].map(createChars));
const dot = createChars(".");

/** Texts of one line. */
export const anyText: Alphabet = alphabetOf(isOfText, anyName);

/** The same, but for the empty one: users, backend roles, actions and fields are all called something. */
export const names: Alphabet = alphabetOf(isOfText, createSequence([createOneOf(everyCharacter), anyName]));

/** Names of an index. */
export const indexNames: Alphabet = alphabetOf(
  isOfIndexName,
  createChoice([
    createSequence([createOneOf(excludeChars(uniteChars([hyphens, dot]))), anyName]),
    createSequence([createOneOf(dot), createOneOf(excludeChars(dot)), anyName]),
    createSequence([createOneOf(dot), createOneOf(dot), createOneOf(everyCharacter), anyName]),
  ]),
);

/** The character that reads best, and how well: less is better. Undefined where no text has any of these. */
export function pickReadableChar(alphabet: Alphabet, chars: Chars): readonly [code: number, rank: number] | undefined {
  const { nice, ranks, admits } = alphabet;
  const [from = 0, to = 0] = chars;
  const rank = to - from > 1 || chars.length > 2 ? nice.findIndex((code) => has(chars, code)) : (ranks.get(from) ?? -1);
  if (rank >= 0) return [nice[rank] ?? 0, rank];
  const code = firstFrom(firstPrintable) ?? firstFrom(0);
  return code === undefined ? undefined : [code, nice.length + code];

  function firstFrom(least: number): number | undefined {
    for (let at = 0; at < chars.length; at += 2)
      for (let code = Math.max(least, chars[at] ?? 0); code < (chars[at + 1] ?? 0); code++)
        if (admits(code)) return code;
    return undefined;
  }
}

/** Beyond ASCII. */
const firstPrintable = 0xa1;

function alphabetOf(admits: (code: number) => boolean, shape: Expression): Alphabet {
  const wellKnown = "abcdefghijklmnopqrstuvwxyz0123456789-_.ABCDEFGHIJKLMNOPQRSTUVWXYZ@:/,=+ ;~%!'&#()[]{}<>|$^*?\"\\`";
  const nice = [...wellKnown].map(getCharCode).filter(admits);
  return {
    admits,
    shape: compileExpression(shape) ?? [],
    nice,
    ranks: new Map(nice.map((code, rank) => [code, rank])),
  };
}

function isOfText(code: number): boolean {
  return !(code >= 0xd800 && code < 0xe000) && !"\n\r\u0085\u2028\u2029".includes(String.fromCodePoint(code));
}

function isOfIndexName(code: number): boolean {
  const char = String.fromCodePoint(code);
  return isOfText(code) && !'\\/*?"<>|, #:'.includes(char) && char.toLowerCase() === char;
}
