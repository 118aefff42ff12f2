import { describe, expect, it } from "vitest";
import { escapeAsJson } from "../../../src/json/invisible.ts";
import { writeYaml } from "../../../src/load/yaml.ts";
import { escapeInvisible, formatName, joinNames } from "../../../src/render/escape.ts";
import { encodeJson } from "../../../src/render/json/encode.ts";
import { flowItems, measureWidth, spreadLine, wrap } from "../../../src/render/layout.ts";
import { invisibles } from "../../fixtures/invisible.ts";

describe("names and values of others", () => {
  it.each([
    ["hr_reader", "hr_reader"],
    ["/\\S*/", "/\\S*/"],
    ["人事部 🦊", "人事部 🦊"],
    ["", '""'],
    [" x", '" x"'],
    ["x ", '"x "'],
    ['"x"', '"\\"x\\""'],
    ["(secret live)", '"(secret live)"'],
    ["a\u001b[31mb", '"a\\u001b[31mb"'],
    ["a\nb\tc", '"a\\nb\\tc"'],
    ["a\u007fb\u009bc", '"a\\u007fb\\u009bc"'],
    ["a\u202eb\u200bc\u2028d", '"a\\u202eb\\u200bc\\u2028d"'],
    ["a\u00a0b", '"a\\u00a0b"'],
    ["half \ud800", '"half \\ud800"'],
    ["tag \u{e0041}", '"tag \\u{e0041}"'],
  ])("%j is shown as %s", (text, shown) => expect(formatName(text)).toBe(shown));

  it.each(invisibles.map((one) => [`U+${one.codePointAt(0)?.toString(16)}`, one]))(
    "%s is nowhere as it is",
    (_code, one) => {
      const name = `a${one}b`;
      for (const shown of [formatName(name), escapeInvisible(name), joinNames([name])]) {
        expect(shown).toMatch(/^"?a\\[^\\]+(\\u[0-9a-f]+)?b"?$/);
        expect(shown).not.toContain(one);
      }
      const json = encodeJson({ [name]: [name] });
      expect(json.replaceAll("\n", "")).not.toContain(one);
      expect(JSON.parse(json)).toEqual({ [name]: [name] });
      expect(writeYaml({ [name]: [name] }).replace(/\n|\t/g, "")).not.toContain(one);
    },
  );
  it.each(["人事部", "Ωmega", "каталог", "naïve", "e\u0301", "नमस्ते", "עברית", "🦊", "👩🏽", "−½€", "a b"])(
    "%s stays",
    (text) => {
      expect(formatName(text)).toBe(text);
      expect(escapeAsJson(text)).toBe(text);
    },
  );

  it("sentences are escaped without being quoted", () => {
    expect(escapeInvisible('role "a\u001b[0m" is\nodd')).toBe('role "a\\u001b[0m" is\\nodd');
  });
  it("a comma in a name cannot make two of it", () => expect(joinNames(["a", "b, c"])).toBe('a, "b, c"'));
});

describe("columns", () => {
  it.each([
    ["abc", 3],
    ["人事", 4],
    ["🦊", 2],
    ["e\u0301", 1],
    ["ü", 1],
    ["\u001b[31mred\u001b[39m", 3],
  ])("%j takes %i", (text, width) => expect(measureWidth(text)).toBe(width));

  it("puts two things at the ends of a line, or on two lines", () => {
    expect(spreadLine("a", "b", 8)).toEqual(["a      b"]);
    expect(spreadLine("aaaaaa", "b", 8)).toEqual(["aaaaaa b".slice(0, 6), "       b"]);
  });
  it("wraps at spaces and breaks no word", () => {
    expect(wrap("one two threefourfive six", 8, 2)).toEqual(["one two", "  threefourfive", "  six"]);
  });
  it("a separator ends the line that goes on, within the width", () => {
    expect(flowItems(["aaa", "bbb", "ccc"], ", ", 9)).toEqual(["aaa, bbb,", "ccc"]);
    expect(flowItems(["aaa", "bbb", "ccc"], ", ", 8)).toEqual(["aaa,", "bbb, ccc"]);
  });
});
