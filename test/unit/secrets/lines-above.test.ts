import { describe, expect, it } from "vitest";
import { createSourceFile, getLine } from "../../../src/diagnostics/source.ts";
import { listKeysAbove, listLinesAbove } from "../../../src/secrets/lines-above.ts";

/** Line by line upwards, as the words have it. */
function searchUpwards(lines: readonly string[], line: number): number[] {
  const found: number[] = [];
  const indentOf = (text: string) => text.length - text.trimStart().length;
  let depth = indentOf(lines[line - 1] ?? "");
  for (let at = line - 1; at > 0 && at >= line - 200; at--) {
    const text = lines[at - 1] ?? "";
    if (text.trim() === "" || indentOf(text) >= depth) continue;
    depth = indentOf(text);
    found.push(at);
  }
  return found;
}

/** All texts of up to so many of these lines. */
function listTexts(lines: readonly string[], most: number): string[][] {
  if (most === 0) return [[]];
  const shorter = listTexts(lines, most - 1);
  return [
    ...shorter,
    ...shorter.filter(({ length }) => length === most - 1).flatMap((one) => lines.map((line) => [...one, line])),
  ];
}

describe("the lines that a line is below", () => {
  it("are those that a search upwards finds, whatever is indented how", () => {
    const texts = listTexts(["a:", " b:", "  - c: x", "   d", "", "  ", "\t"], 4);
    for (const lines of texts) {
      const file = createSourceFile("roles.yml", lines.join("\n"));
      for (const at of lines.keys())
        expect(listLinesAbove(file, at + 1), JSON.stringify(lines)).toEqual(searchUpwards(lines, at + 1));
    }
    expect(texts.length).toBe(7 ** 4 + 7 ** 3 + 7 ** 2 + 7 + 1);
  });

  it("are near", () => {
    const lines = ["roles:", ...Array.from({ length: 300 }, (_, at) => `  r${at}: {}`)];
    const file = createSourceFile("roles.yml", lines.join("\n"));
    for (const line of [1, 2, 201, 202, 301]) expect(listLinesAbove(file, line)).toEqual(searchUpwards(lines, line));
    expect(listLinesAbove(file, 201)).toEqual([1]);
    expect(listLinesAbove(file, 202)).toEqual([]);
  });

  it("give their keys, with any line ends", () => {
    const file = createSourceFile("roles.yml", "roles:\r\n  r:\r\r\n\r\n    - x: 1\r\n");
    expect(listKeysAbove(file, 4)).toEqual(["r", "roles"]);
    expect([1, 2, 3, 4, 5].map((line) => getLine(file, line))).toEqual(["roles:", "  r:", "", "    - x: 1", ""]);
  });
});
