import { describe, expect, it } from "vitest";
import { createSourceFile, formatLocation } from "../../../src/diagnostics/source.ts";
import { parseDocuments, parseWholly, writeYaml } from "../../../src/load/yaml.ts";
import { findMapEntry, findNodeAt, getScalarSource, type Node, toValue } from "../../../src/model/node.ts";

function parse(text: string) {
  const { documents, diagnostics } = parseDocuments({ path: "a.yml", text });
  return {
    documents,
    values: documents.map(toValue),
    codes: diagnostics.map(({ code, range }) => `${code} ${range && formatLocation(range).replace("a.yml:", "")}`),
    diagnostics,
  };
}

/** The text gives these documents, and no complaint. */
function check(text: string, ...values: readonly unknown[]) {
  const parsed = parse(text);
  expect(parsed.codes).toEqual([]);
  expect(parsed.values).toEqual(values);
}

/** The text is complained about so, each code with its line and column. */
function complains(text: string, ...codes: readonly string[]) {
  expect(parse(text).codes).toEqual(codes);
}

const keysOf = (node: Node | undefined) => (node?.kind === "map" ? node.entries.map(({ key }) => key) : []);
const textOf = ({ file, start, end }: Node) => file.text.slice(start, end);

describe("values", () => {
  it("reads scalars by the core schema: yes, no, on, off and dates are text", () => {
    check("a: [yes, no, on, off, 2001-01-01, 0o17, 0x1f, 1.50, true, ~, .inf, 12:30]", {
      a: ["yes", "no", "on", "off", "2001-01-01", 15, 31, 1.5, true, null, ".inf", "12:30"],
    });
  });
  it("keeps to it under a directive of another version", () => check("%YAML 1.1\n---\na: yes\n", { a: "yes" }));
  it("reads JSON, with tabs and all", () => check('{\n\t"a": [1, "b"],\n\t"c": {}\n}', { a: [1, "b"], c: {} }));
  it("takes CRLF and a missing last line break", () => check("a: 1\r\nb: |\r\n  x\r\n  y", { a: 1, b: "x\ny" }));
  it("keeps ?kibana and other wildcards", () => check("'*': {a: ?kibana, b: '*'}", { "*": { a: "?kibana", b: "*" } }));
  it("gives every document of a file, empty ones left out", () =>
    check("a: 1\n---\n---\n# c\n---\nb: 2\n", { a: 1 }, { b: 2 }));
  it.each(["", "# only a comment", "---\n", "\n\n"])("finds nothing in %j", (text) => check(text));
});

describe("keys", () => {
  it("are the text that was written", () => {
    const [root] = parse('557: a\nnull: b\n"q\\tk": c\n1.10: d\ntrue: e\n2001-01-01: f\n').documents;
    expect(keysOf(root)).toEqual(["557", "null", "q\tk", "1.10", "true", "2001-01-01"]);
  });
  it("may be __proto__", () => {
    const [root] = parse("__proto__: {a: 1}\nconstructor: 2\n").documents;
    expect(keysOf(root)).toEqual(["__proto__", "constructor"]);
  });
  it("that are maps or missing are refused", () => {
    complains("- {{a: b}: c}\n", "key-not-text 1:4");
    complains("? [a]\n: b\nx: 1\n", "key-not-text 1:3");
    complains("a:\n  : b\n", "key-not-text 2:3");
  });
  it("that are written twice are reported with both places, and the first one counts", () => {
    const { codes, values, diagnostics } = parse("a: 1\nb: 2\na: 3\n'a': 4\n");
    expect(codes).toEqual(["duplicate-key 3:1", "duplicate-key 4:1"]);
    expect(values).toEqual([{ a: 1, b: 2 }]);
    expect(diagnostics[0]?.related?.map(({ range }) => formatLocation(range))).toEqual(["a.yml:1:1"]);
  });
  it("557 and '557' are the same", () => complains("557: a\n'557': b\n", "duplicate-key 2:1"));
});

describe("ranges", () => {
  const text = "roles:\n  hr: &x 'a b' # c\n  list: [ 1, {k: v} ]\n  block: |\n    x\n\n  last: {}\n\n";
  const [root = {} as Node] = parse(text).documents;
  it.each([
    [["roles", "hr"], "'a b'"],
    [["roles", "list"], "[ 1, {k: v} ]"],
    [["roles", "list", "1", "k"], "v"],
    [["roles", "block"], "|\n    x"],
  ])("of %j is %j", (path, expected) => expect(textOf(findNodeAt(root, path))).toBe(expected));
  it("of a key is the key", () => {
    const entry = findMapEntry(findNodeAt(root, ["roles"]), "list");
    expect(entry && text.slice(entry.keyRange.start, entry.keyRange.end)).toBe("list");
  });
  it("count in UTF-16 units", () => {
    const [emoji = root] = parse("a: '😀'\nb: x\n").documents;
    expect(formatLocation(findNodeAt(emoji, ["b"]))).toBe("a.yml:2:4");
  });
  it("of a plain scalar has its source", () => {
    const node = findNodeAt(parse("a: 0x1F").documents[0] ?? root, ["a"]);
    expect(node).toMatchObject({ value: 31 });
    expect(node.kind === "scalar" && getScalarSource(node)).toBe("0x1F");
  });
});

describe("anchors, aliases and merge keys", () => {
  it("an alias is the anchor's node", () => {
    const [root] = parse("a: &x [1]\nb: *x\n").documents;
    expect(findMapEntry(root, "b")?.value).toBe(findMapEntry(root, "a")?.value);
  });
  it("explicit keys win over merged ones, and the first merged map over the second", () => {
    check("a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc:\n  <<: [*a, *b]\n  x: 0\n", {
      a: { x: 1, y: 1 },
      b: { y: 2, z: 2 },
      c: { x: 0, y: 1, z: 2 },
    });
  });
  it("a quoted << is a key", () => check("'<<': 1", { "<<": 1 }));
  it("an unquoted pattern is distinguished from an alias", () => {
    complains("users: *logs\n", "syntax 1:8");
    expect(parse("users: *logs\n").diagnostics[0]?.fix).toContain("'*logs'");
    complains("users:\n  - *\n", "syntax 2:5");
  });
  it("one that refers to itself is refused", () => complains("a: &x [*x]\n", "syntax 1:8"));
  it("one of another document is unknown", () => complains("a: &x 1\n---\nb: *x\n", "syntax 3:4"));
  it("a bomb of ten levels is refused at once, and not expanded", () => {
    const levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
    for (let n = 1; n < 10; n++)
      levels.push(
        `a${n}: &a${n} [${Array(10)
          .fill(`*a${n - 1}`)
          .join(", ")}]`,
      );
    const begun = performance.now();
    const { codes, values } = parse(levels.join("\n"));
    expect(performance.now() - begun).toBeLessThan(500);
    expect(codes.map((code) => code.split(" ")[0])).toEqual(["alias-bomb"]);
    expect(JSON.stringify(values).length).toBeLessThan(2_000_000);
  });
  it("merging is counted as well", () => {
    const keys = Array.from({ length: 200 }, (_, n) => `k${n}: v`).join(", ");
    const uses = Array.from({ length: 600 }, (_, n) => `m${n}: {<<: *b}`).join("\n");
    expect(parse(`b: &b {${keys}}\n${uses}\n`).codes.map((code) => code.split(" ")[0])).toEqual(["alias-bomb"]);
  });
});

describe("what is not YAML", () => {
  it.each([
    ["a:\n\t- x\n", "tab-indentation 2:1"],
    ["a:\n  b: 1\n\tc: 2\n", "tab-indentation 3:1"],
    ["a:\n  - x\n  = y\n", "syntax 3:3"],
    ["a:\n  '?x'\n    '*':\n      - ALL\n", "syntax 3:5"],
    ["a:\n  b: 1\n   c: 2\n", "syntax 3:4"],
    ["a\nb: 1\n", "syntax 1:1"],
    ["a: b: c\n", "syntax 1:4"],
    ['a: "/\\S*/"\n', "syntax 1:6"],
    ['a: "foo\nb: c\n', "syntax 1:4"],
    ["a: @foo\n", "syntax 1:4"],
    ["a: [1, 2\nb: 3\n", "syntax 1:4"],
    ["a: {b: [1, 2]\n", "syntax 1:4"],
    ["a:\n  b:\n\t\t- c\n", "tab-indentation 3:1"],
    ['{"a": 1 "b": 2}', "syntax 1:7"],
    ["a: !vault x\n", "unknown-tag 1:4"],
    ["a: !!timestamp 2001-01-01\n", "unknown-tag 1:4"],
  ])("%j: %s", (text, code) => complains(text, code));
  it.each([
    ["hr:\n  users:[ana]\n  hosts: [x]\n", 2, 'the colon of "users:"'],
    ["hr:{users: [ana]}\n", 1, 'the colon of "hr:"'],
    ["a:\n- b: [x]\n  c:[y]\n", 3, 'the colon of "c:"'],
    ["a:\n  -b: [x]\n   c: [y]\n", 2, 'the dash of "-b:"'],
  ])("%j: a space is missing on line %i", (text, line, where) => {
    expect(parse(text)).toMatchObject({ codes: [expect.stringContaining(`syntax ${line}:`)] });
    expect(parse(text).diagnostics[0]?.what).toContain(`No space is after ${where}`);
  });
  it("reports independent mistakes one by one, but not what follows from one", () => {
    complains('{\n"a": [1]\n"b": [2],\n"c": 3,\n"d": [1]\n"e": 5}', "syntax 3:1", "syntax 6:1");
    complains("- a\nb: c\n", "syntax 2:1");
  });
  it("gives no document for a broken one, and goes on with the next", () => {
    expect(parse("a: b: c\n---\nd: 1\n").values).toEqual([{ d: 1 }]);
  });
  it.each([
    ["flow", "[".repeat(50_000)],
    ["closed flow", "[".repeat(5_000) + "]".repeat(5_000)],
    ["block", Array.from({ length: 500 }, (_, n) => `${" ".repeat(n)}a:`).join("\n")],
    ["control characters", "\u0000\u0007a: \u001b"],
    ["a lone surrogate", "a: \ud800"],
  ])("never throws: %s", (_, text) => expect(() => parse(text)).not.toThrow());
  it("refuses what is nested too deep", () => {
    for (const text of ["[", "- ", "{a: ", "? "]) {
      const [first] = parseWholly(createSourceFile("a.yml", text.repeat(3_000))).diagnostics;
      expect([first?.what, first?.range?.start]).toEqual([expect.stringContaining("deep"), 0]);
    }
    complains(`${"[".repeat(150)}${"]".repeat(150)}`, "syntax 1:102");
  });
});

describe("writeYaml", () => {
  it("quotes what YAML 1.1 would read otherwise, and keeps the order", () => {
    expect(writeYaml({ b: ["yes", "010", "=", "2001-01-01", "1_0", "READ"], a: {}, c: [] })).toBe(
      'b:\n  - "yes"\n  - "010"\n  - "="\n  - "2001-01-01"\n  - "1_0"\n  - READ\na: {}\nc: []\n',
    );
  });
  it("keeps names in the order of a map", () => {
    expect(
      writeYaml(
        new Map([
          ["b", 1],
          ["557", 2],
          ["__proto__", 3],
        ]),
      ),
    ).toBe('b: 1\n"557": 2\n__proto__: 3\n');
  });
  it("leaves queries readable and on one line", () => {
    const dls = `{"bool": {"must": [{"term": {"dept": "hr"}}, {"terms": {"level": [${"1, ".repeat(40)}2]}}]}}`;
    expect(writeYaml({ dls })).toBe(`dls: '${dls}'\n`);
  });
  it("leaves the lines of a query, indented as they are", () => {
    const dls = '{\n  "term": {\n    "owner": "${user.name}"\n  }\n}';
    const written = writeYaml({ r: [{ dls }] });
    expect(written).toBe(
      'r:\n  - dls: |-\n      {\n        "term": {\n          "owner": "${user.name}"\n        }\n      }\n',
    );
    check(written, { r: [{ dls }] });
  });
  it("writes no opening of a template, and is read back as it was all the same", () => {
    const value = { "{{ a }}": ["{{{b}}}", "<% c %>", "{% d %}", '\\{{ "e" }}'], f: { "{": "{" } };
    expect(writeYaml(value)).not.toMatch(/\{\{|\{%|<%/);
    check(writeYaml(value), value);
  });
  it("is read back as it was", () => {
    const texts = [
      "",
      " a ",
      "a\nb\n",
      "\n",
      " x\ny ",
      "a\t",
      "\u0085",
      "\u2028",
      "\ufeffx",
      "\r\n",
      'it\'s "q"',
      "- a",
      "a: b",
      "a #b",
      "<<",
      "~",
      "null",
      "*x",
      "&x",
      "!x",
      "%x",
      "@x",
      "`x`",
      "\\S*",
      "/\\S*/",
      "---",
      "...",
      "? a",
      "\u0000",
      "x".repeat(500),
      "é😀",
      "| a",
      "> b",
      "{a}",
      "[b]",
      "1e3",
      "0x1f",
      "12:30:45",
      "#",
      "a\n\n b\n\n",
      "a \nb",
      "a\n  b\n\tc",
      "a\n  b\n",
      "a\n  \n  b",
      "a\n  ::b",
      "a\n  ---\n  # b\n...",
    ];
    const value = {
      texts,
      names: Object.fromEntries(texts.filter((text) => text !== "__proto__").map((text) => [text, 1])),
    };
    check(writeYaml(value), value);
  });
});

it("says of a colon in a text between braces how it would be written there", () => {
  const { diagnostics } = parseDocuments({ path: "a.yml", text: "a: { b: Payments. Cost: high }\n" });
  expect(diagnostics.map(({ fix }) => fix)).toEqual([expect.stringContaining("put the text in quotes")]);
});
