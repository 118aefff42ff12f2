import { describe, expect, test } from "vitest";
import { formatYaml } from "../../../src/edit/format.ts";

const rows: readonly (readonly [what: string, before: string, after: string])[] = [
  ["indentation", "a:\n     b:\n       c: 1\n", "a:\n  b:\n    c: 1\n"],
  ["lists beside their key", "a:\n- b\n- c:\n  - d\n", "a:\n  - b\n  - c:\n      - d\n"],
  ["what begins at a dash", "a:\n-   b: 1\n    c: 2\n-   -  d\n", "a:\n  - b: 1\n    c: 2\n  - - d\n"],
  ["a value in a line of its own", "a:\n     'b'\nc:\n      [d]\n", "a:\n  'b'\nc:\n  [d]\n"],
  ["space around colons", "a :   b\n'c' : d\n", "a: b\n'c': d\n"],
  ["space in brackets", "a: [ b,c ,  {d:  e} ]\nf: {   }\n", "a: [b, c, { d: e }]\nf: {}\n"],
  ["brackets over lines", "a:\n    b: [\n        c,  d\n    ]\n", "a:\n  b: [\n      c,  d\n  ]\n"],
  ["texts with |", "a:\n   b: |\n        c\n          d\n\n   e: f\n", "a:\n  b: |\n    c\n      d\n\n  e: f\n"],
  ["texts with a column", "a:\n    b: |2\n        c\n      d\n", "a:\n  b: |2\n      c\n    d\n"],
  ["texts over lines", "a:\n    b: c\n       d\n", "a:\n  b: c\n     d\n"],
  ["empty lines", "\n\na: 1\n\n\n\nb: 2\n\n\n", "a: 1\n\nb: 2\n"],
  ["space at ends of lines, and no last line break", "a: 1  \nb: 2\t", "a: 1\nb: 2\n"],
  ["comments behind values", "a: 1     # one\nbb: 2    # two\n", "a: 1     # one\nbb: 2    # two\n"],
  ["comments above", "a:\n    # of b\n    b: 1\n", "a:\n  # of b\n  b: 1\n"],
  ["comments at the end of a map", "a:\n    b: 1\n    # was: 2\nc: 3\n", "a:\n  b: 1\n  # was: 2\nc: 3\n"],
  ["comments at the margin", "a:\n    b: 1\n#   c: 2\n    d: 3\n", "a:\n  b: 1\n#   c: 2\n  d: 3\n"],
  ["comments below a list", "a:\n- b\n# on c\nc: 1\n", "a:\n  - b\n# on c\nc: 1\n"],
  ["comments deeper than what is around", "a:\n    b: 1\n         # x\n    c: 2\n", "a:\n  b: 1\n  # x\n  c: 2\n"],
  [
    "anchors, aliases and merge keys",
    "a: &x {b: 1}\nc:\n    <<:   *x\n    d: *x\n",
    "a: &x { b: 1 }\nc:\n  <<: *x\n  d: *x\n",
  ],
  ["several documents", "---\na:\n   b: 1\n---\n# c\n-  d\n", "---\na:\n  b: 1\n---\n# c\n- d\n"],
  ["quotes and numbers as they are", "a: 'b'\nc: \"d\"\ne: 0x1F\nf: 1.50\n", "a: 'b'\nc: \"d\"\ne: 0x1F\nf: 1.50\n"],
  ["mixed line breaks", "a: 1\r\nb: 2\nc: 3\r\n", "a: 1\r\nb: 2\r\nc: 3\r\n"],
  ["a comment alone", "#  x  \n", "#  x\n"],
  [
    "no-break spaces, which are characters",
    "# x\u00a0 \na: |\n \u00a0\n b\u00a0\n",
    "# x\u00a0\na: |\n  \u00a0\n  b\u00a0\n",
  ],
  ["nothing", "", ""],
];

describe("the one layout", () => {
  test.each(rows)("of %s", (_, before, after) => {
    expect(formatYaml(before)).toEqual({ text: after });
    expect(formatYaml(after)).toEqual({ text: after });
  });

  test.each([
    ["? a\n: b\n", "it has an explicit key (?)"],
    ["&k a: b\n", "it has a key that is no plain word or text"],
    ["a: b\rc: d\n", "it has line breaks that are a carriage return alone"],
  ])("is unknown of %j", (text, problem) => {
    expect(formatYaml(text)).toEqual({ problem });
  });
});
