// Edits in place as rows: the text before, what is wanted, the text after; with both line breaks.
import { describe, expect, test } from "vitest";
import { editYaml, type YamlEdit } from "../../src/edit/edit.ts";

export const set = (path: string, value?: YamlEdit["value"]): YamlEdit =>
  value === undefined ? { path: path.split("/") } : { path: path.split("/"), value };

type Row = readonly [what: string, before: string, edits: readonly YamlEdit[], after: string];

export const row = (what: string, before: string, edit: YamlEdit | readonly YamlEdit[], after: string): Row => [
  what,
  before,
  [edit].flat(),
  after,
];

export function testRows(name: string, rows: readonly Row[]): void {
  describe(name, () => {
    test.each(rows)("%s", (_, before, edits, after) => {
      expect(editYaml(before, edits)).toEqual({ text: after });
      const toCrlf = (text: string) => text.replaceAll("\n", "\r\n");
      expect(editYaml(toCrlf(before), edits)).toEqual({ text: toCrlf(after) });
    });
  });
}
