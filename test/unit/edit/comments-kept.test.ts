// Comments stay beside what they are about, and go with it.
import { expect, test } from "vitest";
import { editYaml } from "../../../src/edit/edit.ts";
import { row, set, testRows } from "../../support/edit-rows.ts";

const grant = "p:\n  - a: [x]\n    b: [read] # SEC-1\n";

testRows("a comment above an item of a list", [
  row(
    "goes with a map",
    "a:\n  # logs\n  - { b: logs }\n  # HR, by legal\n  - { b: hr }\n",
    set("a", [{ b: "logs" }, { c: "pay" }]),
    "a:\n  # logs\n  - { b: logs }\n  - c: pay\n",
  ),
  row(
    "goes with the first of two maps",
    "a:\n  # logs\n  - { b: logs }\n  - { b: hr }\n",
    set("a", [{ b: "hr" }]),
    "a:\n  - { b: hr }\n",
  ),
  row(
    "goes with a single value",
    "a:\n  # monitoring\n  - m\n  # until March,\n  # OPS-12\n  - s\n  # all\n  - c\n",
    set("a", ["m", "c"]),
    "a:\n  # monitoring\n  - m\n  # all\n  - c\n",
  ),
  row(
    "goes with the last, and not with what comes",
    "a:\n  # monitoring\n  - m\n  # backups\n  - s\n",
    set("a", ["m", "z"]),
    "a:\n  # monitoring\n  - m\n  - z\n",
  ),
  row("stays where others are below it", "a:\n  # HR\n  - b\n  - c\n", set("a", ["c"]), "a:\n  # HR\n  - c\n"),
  row("goes with all that are below it", "a:\n  # HR\n  - b\n  - c\n\n  - d\n", set("a", ["d"]), "a:\n\n  - d\n"),
  row(
    "stays above it where another comes before",
    "a:\n  # of b\n  - b\n",
    set("a", ["z", "b"]),
    "a:\n  - z\n  # of b\n  - b\n",
  ),
  row("goes where all are replaced", "a:\n  # backups\n  - b\n", set("a", ["c"]), "a:\n  - c\n"),
  row(
    "goes where a whole file is replaced",
    "# Of security.\n\n# of a\na: 1\n",
    [set("a"), set("b", 2)],
    "# Of security.\n\nb: 2\n",
  ),
  row(
    "stays where it is of the item before",
    "a:\n  - x: 1\n    # of x\n  - b: 1\n",
    [set("a/1/b"), set("a/1/c", 2)],
    "a:\n  - x: 1\n    # of x\n  - c: 2\n",
  ),
  row("goes where nothing is left", "a: # of a\n  # backups\n  - b\n", set("a", []), "a: [] # of a\n"),
  row("stays at the top of a file", "# of b\n- b\n", { path: [], value: ["c"] }, "# of b\n- c\n"),
  row(
    "of a map that becomes another one goes, too",
    "a:\n  # of b\n  b: 1\nz: 1\n",
    [set("a/b"), set("a/c", 2)],
    "a:\n  c: 2\nz: 1\n",
  ),
]);

testRows("a changed map in a list", [
  row(
    "next to a new one is changed in place",
    grant,
    set("p", [
      { a: ["x"], b: ["read", "get"] },
      { a: ["z"], b: ["*"] },
    ]),
    'p:\n  - a: [x]\n    b: [read, get] # SEC-1\n  - a:\n      - z\n    b:\n      - "*"\n',
  ),
  row(
    "behind a new one is changed in place",
    grant,
    set("p", [{ a: ["z"] }, { a: ["x"], b: ["read", "get"] }]),
    "p:\n  - a:\n      - z\n  - a: [x]\n    b: [read, get] # SEC-1\n",
  ),
  row(
    "next to a removed one is changed in place",
    `${grant}  - a: [tmp]\n    b: [read]\n`,
    set("p", [{ a: ["x"], b: ["read", "get"] }]),
    "p:\n  - a: [x]\n    b: [read, get] # SEC-1\n",
  ),
  row(
    "behind a removed one is changed in place",
    "p:\n  - a: [tmp]\n    b: [read]\n  - a: [x]\n    b: [read] # SEC-1\n",
    set("p", [{ a: ["x"], b: ["read", "get"] }]),
    "p:\n  - a: [x]\n    b: [read, get] # SEC-1\n",
  ),
  row(
    "keeps anchors and references",
    'p:\n  # pay\n  - a: ["$' + '{v}-*"] # team\n    b: &ro ["$' + '{w}"] # vars\nq: *ro\n',
    set("p", [{ a: ["$" + "{v}-*", "x"], b: ["$" + "{w}"] }, { a: ["z"] }]),
    'p:\n  # pay\n  - a: ["$' + '{v}-*", "x"] # team\n    b: &ro ["$' + '{w}"] # vars\n  - a:\n      - z\nq: *ro\n',
  ),
  row(
    "with nothing in common is another one",
    "p:\n  - a: x\n    b: y # SEC-1\n  - c: z\n",
    set("p", [{ d: "w" }, { c: "z" }]),
    "p:\n  - d: w\n  - c: z\n",
  ),
]);

testRows("a new item in brackets", [
  row(
    "comes behind the comment of the last",
    "a: [\n  ana   # break glass\n]\n",
    set("a", ["ana", "bob"]),
    "a: [\n  ana,   # break glass\n  bob\n]\n",
  ),
  row(
    "has a comma where the last had one",
    'a:\n  [\n    "b",\n    "c", # cc\n  ]\n',
    set("a", ["b", "c", "d", "e"]),
    'a:\n  [\n    "b",\n    "c", # cc\n    "d",\n    "e",\n  ]\n',
  ),
  row(
    "comes before a comma in the next line",
    "a: [\n  a # c\n  , b]\n",
    set("a", ["a", "x", "b"]),
    "a: [\n  a, # c\n  x\n  , b]\n",
  ),
  row(
    "goes between two",
    "a: [ana, # boss\n    bob] # all\n",
    set("a", ["ana", "eve", "bob"]),
    "a: [ana, # boss\n    eve,\n    bob] # all\n",
  ),
  row("comes before all", "a: [\n  b # c\n]\n", set("a", ["a", "b"]), "a: [\n  a,\n  b # c\n]\n"),
  row(
    "of a map comes behind the comment of the last",
    "a: {\n  b: 1 # one\n}\n",
    set("a/c", { d: 2 }),
    "a: {\n  b: 1, # one\n  c: { d: 2 }\n}\n",
  ),
  row(
    "takes the place of one with its comment",
    "a: [\n  admins, # platform\n  root # break glass\n]\n",
    set("a", ["admins", "interns"]),
    "a: [\n  admins, # platform\n  interns,\n]\n",
  ),
  row("takes the place of the first", "a: [x, y]\n", set("a", ["z", "y"]), "a: [z, y]\n"),
  row(
    "is in double quotes, as the keys of the others are",
    '{ "a": { "b": ["x"] } }\n',
    [set("a/c", { d: ["yes", "w"] }), set("e", "f")],
    '{ "a": { "b": ["x"], "c": { "d": ["yes", "w"] } }, "e": "f" }\n',
  ),
]);

testRows("an item in brackets that goes", [
  row(
    "takes its comment with it, whatever quotes are in it",
    "a: {\n  it's: [x], # it's the only one\n  b: {} # bb\n}\n",
    set("a/it's"),
    "a: {\n  b: {} # bb\n}\n",
  ),
  row("leaves the comment of the next", "a: [\n  b,\n  # of c\n  c]\n", set("a", ["c"]), "a: [\n  # of c\n  c]\n"),
  row("may have # in its quotes", `a: ["b # c", d, 'it''s # e', "f\\" # g"]\n`, set("a", ["d"]), "a: [d]\n"),
  row("may have # in its words", "a: [b, it's#x, c's]\n", set("a", ["b"]), "a: [b]\n"),
]);

test.each([
  ["a: [b's, # it's b's\n  c]\n", ["c"]],
  ["a: [b,\n  c, d # of d\n]\n", ["b", "c"]],
  ["a: [b\n  # of c\n  , c]\n", ["b"]],
])("%j is left as it is, where a comment would come beside something else", (text, value) => {
  expect(editYaml(text, [set("a", value)])).toEqual({ problem: "a comment is among what is to be removed" });
});
