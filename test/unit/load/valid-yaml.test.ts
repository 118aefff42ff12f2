import { expect, it } from "vitest";
import { parseValid } from "../../../src/load/valid-yaml.ts";
import { parseWholly } from "../../../src/load/yaml.ts";

function parse(text: string) {
  return parseValid({ path: "a.yml", text });
}

it.each([
  ["a list where its key is", "a:\n- b\n- c: d\n  e: f\n"],
  ["values that are missing", "a:\nb: # c\nc:  \nd:\n  - # e\n  -\n  - &f\n  - g\nh: &i # j\n"],
  ["line breaks of Windows", "a: b\r\nc:\r\n  - d # e\r\nf: |\r\n  g\r\n\r\nh: 'i\r\n\r\n  j'\r\n"],
  ["tabs between words and in comments", "a:\tb\t# c\td\ne: [ f ]\t\ng:\t# h\n- i\tj\n#\tk\n"],
  ["JSON indented by tabs", '{\n\t"a": [\n\t\t1,\n\t\t{"b": null}\n\t]\n}\n'],
  ["several documents", "a: b\n---\n--- # c\n- d\n...\n---\ne: f\n...\n"],
  ["anchors, aliases and merge keys", "a: &x {b: 1}\nc: &y\n  <<: *x\n  d: *x\ne: {<<: [*x, *y], b: 2}\nf: *y\n"],
  ["an anchor of the document", "--- &x\na: b\n"],
  ["block texts", "a: |\n  b\n\n  c\n\nd: >-\n  e\n  f\n\n   g\nh: |+ # i\n  j\n\nk: l\n"],
  ["a block text that the file ends in", "a:\n  - |\n    b\n    c"],
  ["a block text and blank lines at the end", "a: |\n  b\n  \n\n"],
  ["a block text and spaces at the end", "a: |\n  b\n    "],
  ["a block text behind a key with its sign", "a|b: |\n  c\n'>': >\n  d\n"],
  ["texts over lines", "a: b\n  c\n\n  d\ne: 'f\n  g'\nh: \"i\\\n  j \\\n  k\n\n  l\"\n"],
  ["brackets over lines", "a: [b, # c\n  {d: e,\n   f: [g]\n  },\n  ]\nh: { }\ni: [ ]\n"],
  ["numbers and words", "[1, -0, +2, 1.50, .5, 5., 1e3, 0o17, 0x1F, 1_0, 0b1, .inf, 1e999, ~, null, True, FALSE, yes]"],
  ["keys that are no text", "557: a\nnull: b\n1.10: c\ntrue: d\n__proto__: e\n'<<': f\n"],
  ["escapes", '"a\\tb": "\\u00e9\\x41\\"\\\\ \\/ \\ud83d\\ude00"\nc: \'it\'\'s\'\n'],
  ["nothing", "# a\n\n---\n# b\n"],
])("reads %s as yaml does", (_, text) => {
  const documents = parse(text);
  expect(documents).toBeDefined();
  expect({ documents, diagnostics: [] }).toEqual(parseWholly({ path: "a.yml", text }));
});

it.each([
  ["syntax errors", "a: b: c\n"],
  ["tags", "a: !b c\n"],
  ["directives", "%YAML 1.2\n---\na: b\n"],
  ["unknown directives", "# c\n%x\n---\na: b\n"],
  ["keys that are twice in a map", "a: b\nc: d\n'a': e\n"],
  ["keys that are twice in a large map", `${Array.from({ length: 20 }, (_, n) => `k${n}: a`).join("\n")}\nk3: b\n`],
  ["keys that are maps", "{a: b}: c\n"],
  ["keys with an anchor", "{&a b: c}\n"],
  ["keys that are missing", "a:\n  : b\n"],
  ["explicit keys", "? a\n: b\n"],
  ["long keys", `${"a".repeat(1025)}: b\n`],
  ["aliases of nothing", "a: *b\n"],
  ["aliases of another document", "a: &x 1\n---\nb: *x\n"],
  ["aliases of what they are in", "a: &x [*x]\n"],
  ["many aliases", `a: &x [${"b, ".repeat(999)}]\nc: [${"*x, ".repeat(101)}]\n`],
  ["names of anchors with a colon", "a: &x: b\n"],
  ["anchors without a space behind", "a: &x[b]\n"],
  ["anchors behind a dash and a tab", "-\t &x\n"],
  ["plain values behind a comment in a later line", "a:\n\n# b\n  c\nd: e\n"],
  ["merge keys without a map", "a: {<<: b}\n"],
  ["merge keys with lists of lists", "a: &x {b: c}\nd: {<<: [[*x]]}\n"],
  ["pairs in lists", "[a: b]\n"],
  ["entries behind a value in its line", "a:\n- '*'  b:\n  c: d\n"],
  ["a document that begins with an indented mark", " ---\na: b\n"],
  ["an indented mark later on", "a: |\n  b\n ---\n"],
  ["text behind the end of a document", "... a\n"],
  ["text behind the end of a later document", "a\n...\n... b\n"],
  ["carriage returns alone", "a:\n \r - b\n"],
  ["byte order marks", "\n\ufeff\n\ufeff\ufeff\ufeff"],
  ["tabs in the indentation", "a: |\n  b\n \t\n"],
  ["tabs before a second document", "{a: b}\n---\nc: |\n d\n\t# e\n"],
  ["block texts with a given indentation", "--- |1\n a\n"],
  ["block texts without text", "a: |\n\nb: c\n"],
  ["kept line breaks in an indented end", "a: |+\n\n  "],
  ["an escaped line break before an empty line", 'a: "b\\\n\n  c"\n'],
  ["control characters", "a: '\u0007'\n"],
])("leaves %s to yaml", (_, text) => {
  expect(parse(text)).toBeUndefined();
});
