import { allBut, type Chars, codeOf, everyCharacter, has, only, union } from "./chars.ts";
import { anyName, choiceOf, type Expression, oneOf, sequenceOf } from "./expression.ts";
import { type Compiled, compile } from "./machine.ts";

/** Which texts there are. */
export interface Alphabet {
  readonly admits: (code: number) => boolean;
  /** Characters that are easy to read, the easiest first. */
  readonly nice: readonly number[];
  /** Where in `nice` a character is. */
  readonly ranks: ReadonlyMap<number, number>;
  /** What each text is, its characters apart. */
  readonly shape: Compiled;
}

const hyphens = union(["-", "_", "+"].map(only));
const dot = only(".");

/** Texts of one line. */
export const anyText: Alphabet = alphabetOf(isOfText, anyName);

/** The same, but for the empty one: users, backend roles, actions and fields are all called something. */
export const names: Alphabet = alphabetOf(isOfText, sequenceOf([oneOf(everyCharacter), anyName]));

/** Names of an index. */
export const indexNames: Alphabet = alphabetOf(
  isOfIndexName,
  choiceOf([
    sequenceOf([oneOf(allBut(union([hyphens, dot]))), anyName]),
    sequenceOf([oneOf(dot), oneOf(allBut(dot)), anyName]),
    sequenceOf([oneOf(dot), oneOf(dot), oneOf(everyCharacter), anyName]),
  ]),
);

/** The character that reads best, and how well: less is better. Undefined where no text has any of these. */
export function nicest(alphabet: Alphabet, chars: Chars): readonly [code: number, rank: number] | undefined {
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
  const nice = [...wellKnown].map(codeOf).filter(admits);
  return { admits, shape: compile(shape) ?? [], nice, ranks: new Map(nice.map((code, rank) => [code, rank])) };
}

function isOfText(code: number): boolean {
  return !(code >= 0xd800 && code < 0xe000) && !"\n\r\u0085\u2028\u2029".includes(String.fromCodePoint(code));
}

function isOfIndexName(code: number): boolean {
  const char = String.fromCodePoint(code);
  return isOfText(code) && !'\\/*?"<>|, #:'.includes(char) && char.toLowerCase() === char;
}
