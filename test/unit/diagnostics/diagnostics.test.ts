import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { catalogue } from "../../../src/diagnostics/catalogue.ts";
import { createDiagnostic, sortDiagnostics } from "../../../src/diagnostics/diagnostic.ts";
import { formatLocation, getLine, getPosition } from "../../../src/diagnostics/source.ts";

describe("positions", () => {
  const file = { path: "a.yml", text: "one\r\ntwo\n\nfour" };
  const check = (offset: number, line: number, column: number) =>
    expect(getPosition(file, offset)).toEqual({ line, column });
  it("count from one", () => check(0, 1, 1));
  it("count CRLF as one line end", () => check(5, 2, 1));
  it("know empty lines", () => check(9, 3, 1));
  it("know the end of a file without a newline", () => check(14, 4, 5));
  it("show a line without its end", () => expect([getLine(file, 1), getLine(file, 4)]).toEqual(["one", "four"]));
  it("are written as editors read them", () => expect(formatLocation({ file, start: 5, end: 8 })).toBe("a.yml:2:1"));
});

describe("sorting", () => {
  const [a, b] = [
    { path: "a.yml", text: "x\ny" },
    { path: "b.yml", text: "x" },
  ];
  it("goes by file, then place, and says nothing twice", () => {
    const at = (file: typeof a, start: number) =>
      createDiagnostic({ file, start, end: start + 1 }, "syntax", { what: "No." });
    const sorted = sortDiagnostics([at(b, 0), at(a, 2), at(a, 0), at(a, 2)]);
    expect(sorted.map(({ range }) => range && formatLocation(range))).toEqual(["a.yml:1:1", "a.yml:2:1", "b.yml:1:1"]);
  });
});

describe("the catalogue", () => {
  it("has no code that nothing raises", () => {
    const src = fileURLToPath(new URL("../../../src", import.meta.url));
    const sources = readdirSync(src, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith("catalogue.ts"))
      .map((file) => readFileSync(join(src, file), "utf8"))
      .join("\n");
    expect(Object.keys(catalogue).filter((code) => !sources.includes(`"${code}"`))).toEqual([]);
  });
});

describe("a code with two severities", () => {
  it("says when it has the other", () => {
    const src = fileURLToPath(new URL("../../../src", import.meta.url));
    const codes = readdirSync(src, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => listWithOwnSeverity(readFileSync(join(src, file), "utf8")));
    expect(codes.length).toBeGreaterThan(6);
    const explained = Object.entries(catalogue).flatMap(([code, entry]) => ("otherwise" in entry ? [code] : []));
    expect(codes.filter((code) => !explained.includes(code))).toEqual([]);
  });
});

/** Codes of calls that say how grave it is, where that may be otherwise than the catalogue says. */
function listWithOwnSeverity(source: string): readonly string[] {
  const inLines = source.matchAll(/Diagnostic\(\n( +)\S.*\n\1"([\w-]+)",\n\1\{\n[\s\S]*?\n\1\},\n\1\S/g);
  const inOne = source.matchAll(/Diagnostic\(([^\n"{]*), "([\w-]+)", \w+, [^\n{}]+\)/g);
  return [...inLines, ...inOne].map(([, , code = ""]) => code);
}

describe("the same said twice", () => {
  it("counts once, and by the graver of the two", () => {
    const file = { path: "a.yml", text: "x" };
    const say = (severity: "error" | "warning") =>
      createDiagnostic({ file, start: 0, end: 1 }, "incomplete-mapping", { what: "It maps no one." }, severity);
    expect(sortDiagnostics([say("warning"), say("error")]).map(({ severity }) => severity)).toEqual(["error"]);
  });
});
