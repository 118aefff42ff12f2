import { expect, test } from "vitest";
import { JsonFault, newVoice, oldVoice, parseJson } from "../../../../src/emulator/real/jackson.ts";
import { sortAsJava } from "../../../../src/emulator/real/java-order.ts";
import { fromTree } from "../../../../src/emulator/tree.ts";

function check(text: string, voice: typeof oldVoice, expected: unknown): void {
  try {
    expect(fromTree(parseJson(text, voice))).toEqual(expected);
  } catch (problem) {
    if (!(problem instanceof JsonFault)) throw problem;
    expect(problem.text).toBe(expected);
  }
}

test.each([
  ['{"a":[1,1.5,true,null,"\\u00e9\\n"],"10":{},"2":[]}', { a: [1, 1.5, true, null, "é\n"], "10": {}, "2": [] }],
  [
    "{",
    "Unexpected end-of-input: expected close marker for Object (start marker at [Source: {; line: 1, column: 1])\n at [Source: {; line: 1, column: 3]",
  ],
  [
    "not json",
    "Unrecognized token 'not': was expecting 'null', 'true', 'false' or NaN\n at [Source: not json; line: 1, column: 4]",
  ],
  [
    "oops",
    "Unrecognized token 'oops': was expecting ('true', 'false' or 'null')\n at [Source: oops; line: 1, column: 9]",
  ],
  ['{"a":1,"a":2}', 'Duplicate field \'a\'\n at [Source: {"a":1,"a":2}; line: 1, column: 11]'],
  ["", "No content to map due to end-of-input\n at [Source: ; line: 1, column: 0]"],
  [
    '{"a":1} x',
    "Unrecognized token 'x': was expecting ('true', 'false' or 'null')\n at [Source: {\"a\":1} x; line: 1, column: 19]",
  ],
])("the parser of Search Guard: %s", (text, expected) => check(text, oldVoice, expected));

test("the parser of OpenSearch stops where the value ends", () => check('{"a":1} x', newVoice, { a: 1 }));

test("the order of names is that of Java's hash map", () => {
  // As a real server listed its tenants.
  const listed = ["SGS_GLOBAL_TENANT", "admin_tenant", "real_plain", "real_reserved"];
  const order = sortAsJava(listed.toReversed().map((name) => [name, 0] as const));
  expect(order.map(([name]) => name)).toEqual(listed);
});
