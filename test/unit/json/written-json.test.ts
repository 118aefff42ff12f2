import { expect, test } from "vitest";
import { canonicaliseJson } from "../../../src/json/written-json.ts";

test.each([
  ['{"b": 1, "a": [1, {"d": "x", "c": null}]}', '{"a":[1,{"c":null,"d":"x"}],"b":1}'],
  ["9007199254740993", "9007199254740993"],
  ["[1.0, 1e2, -0, 1e999]", "[1.0,1e2,-0,1e999]"],
  ['{"__proto__": {"a": 1}, "1": {}}', '{"1":{},"__proto__":{"a":1}}'],
  ['"\\u0061\\/\\u00e9\\n"', '"a/é\\n"'],
  [' "x" ', '"x"'],
  ["[]", "[]"],
  ["{}", "{}"],
])("%s in one form", (text, form) => {
  expect(canonicaliseJson(text)).toBe(form);
  expect(canonicaliseJson(form)).toBe(form);
});

test("escapes stay that hide a variable from the server", () => {
  const hidden = '{"term":{"a":"\\u0024{user.name}"}}';
  expect(canonicaliseJson(hidden)).toBe(hidden);
});

test.each([
  '{"a":1,"a":1}',
  '[{"a":{"b":1,"\\u0062":2}}]',
  '{"__proto__":1,"__proto__":2}',
  "",
  "{",
  '{"a":01}',
  "[1] 2",
])("%s has no other form", (text) => {
  expect(canonicaliseJson(text)).toBeUndefined();
});

test("nested deeper than any stack", () => {
  const deep = `${'{"a": ['.repeat(50_000)}${"]}".repeat(50_000)}`;
  expect(canonicaliseJson(deep)).toBe(deep.replaceAll(" ", ""));
});
