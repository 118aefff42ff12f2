import { type Chars, createChars, excludeChars, getCharCode, uniteChars } from "./chars.ts";

function rangeOf(first: string, last: string): Chars {
  return [getCharCode(first), getCharCode(last) + 1];
}

const digits = rangeOf("0", "9");
const lower = rangeOf("a", "z");
const upper = rangeOf("A", "Z");
const alphabetics = uniteChars([lower, upper]);
const words = uniteChars([digits, alphabetics, createChars("_")]);
const spaces = uniteChars([rangeOf("\t", "\r"), createChars(" ")]);
const horizontal = uniteChars(
  [" ", "\t", "\u00a0", "\u1680", "\u180e", "\u202f", "\u205f", "\u3000"].map(createChars).concat([[0x2000, 0x200b]]),
);
const vertical = uniteChars([rangeOf("\n", "\r"), createChars("\u0085"), rangeOf("\u2028", "\u2029")]);

/** As java.util.regex.Pattern has them, without the flag U. */
export const classEscapes: Readonly<Record<string, Chars>> = {
  d: digits,
  D: excludeChars(digits),
  w: words,
  W: excludeChars(words),
  s: spaces,
  S: excludeChars(spaces),
  h: horizontal,
  H: excludeChars(horizontal),
  v: vertical,
  V: excludeChars(vertical),
};

/** What follows the backslash in the escapes of control characters in Java, and the character. */
export const controls: Readonly<Record<string, string>> = {
  t: "\t",
  n: "\n",
  r: "\r",
  f: "\f",
  a: "\u0007",
  e: "\u001b",
};

const visible: Chars = [0x21, 0x7f];
/** The classes that `\p{NAME}` names in Java, by their names. */
export const propertyClasses: ReadonlyMap<string, Chars> = new Map(
  Object.entries({
    Lower: lower,
    Upper: upper,
    ASCII: [0, 0x80],
    Alpha: alphabetics,
    Digit: digits,
    Alnum: uniteChars([digits, alphabetics]),
    Punct: uniteChars([rangeOf("!", "/"), rangeOf(":", "@"), rangeOf("[", "`"), rangeOf("{", "~")]),
    Graph: visible,
    Print: [0x20, 0x7f],
    Blank: uniteChars([createChars(" "), createChars("\t")]),
    Cntrl: [0, 0x20, 0x7f, 0x80],
    XDigit: uniteChars([digits, rangeOf("a", "f"), rangeOf("A", "F")]),
    Space: spaces,
  }),
);

/** With the other case of its ASCII characters: Java adds no others without the flag u. */
export function withOtherCase(set: Chars): Chars {
  const moved: Chars[] = [];
  for (let at = 0; at < set.length; at += 2) {
    const [from = 0, to = 0] = [set[at], set[at + 1]];
    for (const [[first = 0, last = 0], shift] of [[lower, -32] as const, [upper, 32] as const]) {
      const [low, high] = [Math.max(from, first), Math.min(to, last)];
      if (low < high) moved.push([low + shift, high + shift]);
    }
  }
  return uniteChars([set, ...moved]);
}
