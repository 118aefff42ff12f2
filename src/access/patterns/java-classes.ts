import { allBut, type Chars, codeOf, only, union } from "./chars.ts";

function rangeOf(first: string, last: string): Chars {
  return [codeOf(first), codeOf(last) + 1];
}

const digits = rangeOf("0", "9");
const lower = rangeOf("a", "z");
const upper = rangeOf("A", "Z");
const letters = union([lower, upper]);
const words = union([digits, letters, only("_")]);
const spaces = union([rangeOf("\t", "\r"), only(" ")]);
const horizontal = union(
  [" ", "\t", "\u00a0", "\u1680", "\u180e", "\u202f", "\u205f", "\u3000"].map(only).concat([[0x2000, 0x200b]]),
);
const vertical = union([rangeOf("\n", "\r"), only("\u0085"), rangeOf("\u2028", "\u2029")]);

/** As java.util.regex.Pattern has them, without the flag U. */
export const classEscapes: Readonly<Record<string, Chars>> = {
  d: digits,
  D: allBut(digits),
  w: words,
  W: allBut(words),
  s: spaces,
  S: allBut(spaces),
  h: horizontal,
  H: allBut(horizontal),
  v: vertical,
  V: allBut(vertical),
};

export const controls: Readonly<Record<string, string>> = {
  t: "\t",
  n: "\n",
  r: "\r",
  f: "\f",
  a: "\u0007",
  e: "\u001b",
};

const visible: Chars = [0x21, 0x7f];
export const properties: ReadonlyMap<string, Chars> = new Map(
  Object.entries({
    Lower: lower,
    Upper: upper,
    ASCII: [0, 0x80],
    Alpha: letters,
    Digit: digits,
    Alnum: union([digits, letters]),
    Punct: union([rangeOf("!", "/"), rangeOf(":", "@"), rangeOf("[", "`"), rangeOf("{", "~")]),
    Graph: visible,
    Print: [0x20, 0x7f],
    Blank: union([only(" "), only("\t")]),
    Cntrl: [0, 0x20, 0x7f, 0x80],
    XDigit: union([digits, rangeOf("a", "f"), rangeOf("A", "F")]),
    Space: spaces,
  }),
);

/** With the letters of ASCII of which the other case is among them: no others, without the flag u. */
export function withOtherCase(set: Chars): Chars {
  const moved: Chars[] = [];
  for (let at = 0; at < set.length; at += 2) {
    const [from = 0, to = 0] = [set[at], set[at + 1]];
    for (const [[first = 0, last = 0], shift] of [[lower, -32] as const, [upper, 32] as const]) {
      const [low, high] = [Math.max(from, first), Math.min(to, last)];
      if (low < high) moved.push([low + shift, high + shift]);
    }
  }
  return union([set, ...moved]);
}
