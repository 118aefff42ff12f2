// Values in the place of others: block texts stay block texts, and comments go with what they are about.
import { row, set, testRows } from "../../support/edit-rows.ts";

testRows("all items that are replaced take the comment behind the last with them", [
  row("in a list", "u:\n  - ana # break glass only\nv: 1\n", set("u", ["bob"]), "u:\n  - bob\nv: 1\n"),
  row("behind the key", "u: # about u\n  - ana # boss\n", set("u", ["bob"]), "u: # about u\n  - bob\n"),
  row(
    "with lines below",
    "u:\n  - ana # boss\n    # till June\n  # of u\n",
    set("u", ["bob"]),
    "u:\n  - bob\n  # of u\n",
  ),
  row("in a map", "u:\n  a: 1 # one\n", set("u", { b: 2 }), "u:\n  b: 2\n"),
  row("in a whole file", "# u\na: 1 # one\n# end\n", [set("a"), set("b", 2)], "# u\nb: 2\n# end\n"),
  row("by none", "u: # about u\n  - ana # boss\nv: 1\n", set("u", []), "u: [] # about u\nv: 1\n"),
  row("in a map of a list", "u:\n  - a: 1 # one\n  - b: 2\n", set("u/0", {}), "u:\n  - {}\n  - b: 2\n"),
  row("in a list of a list", "u:\n  - - ana # boss\n    # end\n", set("u/0", ["b"]), "u:\n  - - b\n    # end\n"),
]);

const dls = '{\n  "term": {\n\n    "a": 1\n  }\n}\n';
const indent = (text: string, by: string) => text.replace(/^(?=.)/gm, by);

testRows("a block text", [
  row(
    "stays one, with the columns of its lines",
    `r:\n  d: |\n      ${indent(dls, "      ").trim()}\n  e: 1\n`,
    set("r/d", dls.replace("1", "2")),
    `r:\n  d: |\n      ${indent(dls, "      ").trim().replace("1", "2")}\n  e: 1\n`,
  ),
  row("may be one line", "d: |\n  one\n", set("d", "two\n"), "d: |\n  two\n"),
  row("has no last line break", "d: |\n  one\ne: 1\n", set("d", "two\nx"), "d: |-\n  two\n  x\ne: 1\n"),
  row("has one", "d: >-\n  one\n\n\ne: 1\n", set("d", "two\nx\n"), "d: |\n  two\n  x\n\n\ne: 1\n"),
  row("has one at the end of a file", "d: |\n  one", set("d", "two\n"), "d: |\n  two\n"),
  row("loses the digit of its header", "d: |4\n      one\n", set("d", "a\n b\n"), "d: |\n  a\n   b\n"),
  row("keeps its comment", "d: | # kept short\n  one\n", set("d", "two"), "d: |- # kept short\n  two\n"),
  row("keeps its comment in one line", "d: | # short\n  one\ne: 1\n", set("d", " two"), 'd: " two" # short\ne: 1\n'),
  row("keeps its comment as a number", "d: |- # short\n  one\n", set("d", 1), "d: 1 # short\n"),
  ...["", "\na", "a \nb", "a\t\nb", "a\n  \nb", "a\n\n", "a\r\nb", "a\u0007\nb", "{{ a\nb", "##[a]\nb", "\ta\nb"].map(
    (text) =>
      row(
        `is none where it cannot be: ${JSON.stringify(text)}`,
        "d: |\n  one\n",
        set("d", text),
        `d: ${JSON.stringify(text).replace("{{", "\\u007b{")}\n`,
      ),
  ),
]);

testRows("a single value that becomes a list", [
  row(
    "in its own line stays there with all comments",
    "u: # who\n    # really\n    ana # boss\n",
    set("u", ["ana"]),
    "u: # who\n    # really\n    - ana # boss\n",
  ),
  row(
    "in its own line keeps its comment among others",
    "u:\n  'b'   # boss\nv: 1\n",
    set("u", ["a", "b", "c"]),
    "u:\n  - 'a'\n  - 'b'   # boss\n  - 'c'\nv: 1\n",
  ),
  row("in its own line goes with its comment", "u: # who\n  ana # boss\n", set("u", ["bob"]), "u: # who\n  - bob\n"),
  row("in its own line gets empty", "u: # who\n  ana # boss\n", set("u", []), "u: # who\n  []\n"),
  row("keeps its quotes", "u: 'x, y' # why\n", set("u", ["x, y"]), "u: # why\n  - 'x, y'\n"),
  row("keeps its quotes in braces", "a: {u: 'b c', v: \"d\"}\n", set("a/u", ["b c"]), "a: {u: ['b c'], v: \"d\"}\n"),
  row("keeps the comment of a block text", "u: | # lit\n    abc\n", set("u", ["abc\n"]), 'u: # lit\n  - "abc\\n"\n'),
  row("in a list", "u:\n  - 'ana' # boss\n  - b\n", set("u/0", ["ana"]), "u:\n  - - 'ana' # boss\n  - b\n"),
  row("over several lines", "u: a\n  b # c\n", set("u", ["a b"]), "u: # c\n  - a b\n"),
]);

testRows("comments below an entry that are indented deeper", [
  row(
    "stay with it where a new one comes",
    "r:\n  a:\n    d: x\n    # to do\n\n    # later\n\n  # of r\n",
    set("r/b", 1),
    "r:\n  a:\n    d: x\n    # to do\n\n    # later\n  b: 1\n\n  # of r\n",
  ),
  row(
    "stay with an item of a list",
    "r:\n- a\n  # why a\n# of r\n",
    set("r", ["a", "b"]),
    "r:\n- a\n  # why a\n- b\n# of r\n",
  ),
  row("go with it", "r:\n  a: 1\n    # to do\n  # of b\n  b: 1\n", set("r/a"), "r:\n  # of b\n  b: 1\n"),
  row("go with it at the end", "r:\n  b: 1\n  a:\n    c: 1\n    # to do", set("r/a"), "r:\n  b: 1"),
  row("stay behind an empty line", "r:\n  a: 1\n\n    # to do\n  b: 1\n", set("r/a"), "r:\n\n    # to do\n  b: 1\n"),
]);
