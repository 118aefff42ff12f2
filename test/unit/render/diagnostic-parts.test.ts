// What becomes of thousands of diagnostics: all are counted, none of the more severe is hidden.
import { describe, expect, it } from "vitest";
import type { Code } from "../../../src/diagnostics/catalogue.ts";
import { createDiagnostic, type Diagnostic, sortDiagnostics } from "../../../src/diagnostics/diagnostic.ts";
import { listDiagnosticParts } from "../../../src/render/views/diagnostic-parts.ts";
import { diagnosticsText } from "../../support/rendered.ts";
import { fileOf, plain } from "./plans.ts";

const file = fileOf("roles/a.yml", "\n".repeat(6000));
const summary = { files: 2, consequence: "" };

/** So many, one on a line. */
function messages(count: number, code: Code, what: (index: number) => string, from = 0): readonly Diagnostic[] {
  return Array.from({ length: count }, (_, index) =>
    createDiagnostic({ file, start: from + index, end: from + index }, code, { what: what(index) }),
  );
}

const same = () => "There is no such group.";
const different = (index: number) => `There is no group ${index}.`;

function check(diagnostics: readonly Diagnostic[], lines: readonly string[], full = false): void {
  expect(diagnosticsText(diagnostics, summary, { ...plain, full }).split("\n")).toEqual(lines);
}

/** The first lines of what is shown. */
function headings(diagnostics: readonly Diagnostic[], full = false): readonly string[] {
  const text = diagnosticsText(diagnostics, summary, { ...plain, full });
  return text.split("\n").filter((line) => /^\S.* {2}\S/.test(line));
}

describe("diagnostics that say the same", () => {
  it("are shown one by one where they are few", () => {
    expect(headings(messages(20, "unknown-role", same))).toHaveLength(20);
  });
  it("are shown once where they are many, with some of their places", () =>
    check(messages(2504, "unknown-action-group", same), [
      "roles/a.yml:1:1  warning  unknown-action-group",
      "  There is no such group.",
      "  and 2503 more places: roles/a.yml:2:1, roles/a.yml:3:1, roles/a.yml:4:1,",
      "    roles/a.yml:5:1, ... 2499 more (--full)",
      "",
      "2504 warnings in 2 files.",
      "More: gate-sync explain unknown-action-group",
    ]));
  it("are shown with all places where these are few, and a lone diagnostic as ever", () => {
    const pair = [
      ...messages(2, "unknown-role", () => "Twice.", 30),
      ...messages(1, "unknown-role", () => "Once.", 40),
    ];
    const text = diagnosticsText([...messages(20, "unknown-tenant", same), ...pair], summary, plain);
    expect(text).toContain(
      "  Twice.\n  and 1 more place: roles/a.yml:32:1\n\nroles/a.yml:41:1  warning  unknown-role\n  Once.\n\n",
    );
  });
  it("are all shown where all is asked for", () => {
    expect(headings(messages(2504, "unknown-role", same), true)).toHaveLength(2504);
  });
  it("are not the same with another reason or severity", () => {
    const [userMessage] = messages(1, "unknown-role", same, 50);
    const others = [
      { ...userMessage, why: "w" },
      { ...userMessage, fix: "f" },
      { ...userMessage, severity: "error" },
    ] as Diagnostic[];
    expect(listDiagnosticParts([...messages(30, "unknown-role", same), ...others], plain)).toHaveLength(4);
  });
});

describe("very many different diagnostics", () => {
  it("are counted by their code after the first", () => {
    const found = [...messages(500, "unknown-tenant", different), ...messages(3, "unknown-role", different, 10)];
    const shown = headings(found);
    expect(shown).toHaveLength(20 + 3 + 1);
    expect(shown.at(-1)).toBe("480 more  warning  unknown-tenant");
    expect(diagnosticsText(found, summary, plain)).toContain(
      "  at: roles/a.yml:21:1, roles/a.yml:22:1, roles/a.yml:23:1, roles/a.yml:24:1,\n    ... 476 more (--full)\n\n503 warnings",
    );
  });
  it("never hide an error: errors come before all warnings", () => {
    const found = [...messages(5000, "unknown-role", different), ...messages(2, "syntax", different, 5500)];
    expect(headings(found).slice(0, 3)).toEqual([
      "roles/a.yml:5501:1  error  syntax",
      "roles/a.yml:5502:1  error  syntax",
      "roles/a.yml:1:1  warning  unknown-role",
    ]);
    expect(diagnosticsText(found, summary, plain)).toMatch(
      /\n2 errors, 5000 warnings in 2 files\.\nMore: gate-sync explain syntax$/,
    );
  });
  it("are each in exactly one part", () => {
    const found = sortDiagnostics([
      ...messages(900, "unknown-role", (index) => `No ${index % 70}.`),
      ...messages(90, "syntax", different, 400),
    ]);
    const parts = listDiagnosticParts(found, plain);
    expect(new Set(parts.flatMap(({ items }) => items))).toEqual(new Set(found));
    expect(parts.reduce((sum, part) => sum + part.items.length, 0)).toBe(990);
    expect(parts.map(({ kind }) => kind).join(" ")).toBe(`${"one ".repeat(20)}more ${"alike ".repeat(20)}more`);
  });
});

describe("a file of one line", () => {
  it("is shown around the spot, with nothing of its secrets, however long it is", () => {
    const part = '{"a": {"password": "hunter2", "grant": "READ"}}, ';
    const long = fileOf("a.json", `[${part.repeat(20_000)}]`);
    const start = long.text.indexOf("READ", 500_000);
    const text = diagnosticsText(
      [createDiagnostic({ file: long, start, end: start + 4 }, "syntax", { what: "x" })],
      summary,
      plain,
    );
    expect(text.split("\n").slice(2, 4)).toEqual([
      `1| ...*****, "grant": "READ"}}, {"a": {"password": ********, "grant": "READ"}...`,
      " |                     ^^^^",
    ]);
  });
});
