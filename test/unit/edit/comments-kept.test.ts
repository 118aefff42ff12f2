// Comments stay beside what they are about, and go with it.
import { describe, expect, test } from "vitest";
import { editYaml, type YamlEdit } from "../../../src/edit/edit.ts";

const set = (path: string, value?: YamlEdit["value"]): YamlEdit =>
  value === undefined ? { path: path.split("/") } : { path: path.split("/"), value };

const row = (what: string, before: string, edit: YamlEdit | readonly YamlEdit[], after: string) =>
  [what, before, [edit].flat(), after] as const;

type Row = ReturnType<typeof row>;

function testRows(name: string, rows: readonly Row[]): void {
  describe(name, () => {
    test.each(rows)("%s", (_, before, edits, after) => {
      expect(editYaml(before, edits)).toEqual({ text: after });
      const toCrlf = (text: string) => text.replaceAll("\n", "\r\n");
      expect(editYaml(toCrlf(before), edits)).toEqual({ text: toCrlf(after) });
    });
  });
}

const grant = "p:\n  - a: [x]\n    b: [read] # SEC-1\n";

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
