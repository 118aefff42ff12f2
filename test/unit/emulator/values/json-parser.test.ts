import { expect, test } from "vitest";
import { sortAsJava } from "../../../../src/emulator/values/java-order.ts";
import { openSearchParser, readJson, searchGuardParser } from "../../../../src/emulator/values/json-parser.ts";
import { fromTree } from "../../../../src/emulator/values/tree.ts";

function check(text: string, parser: typeof searchGuardParser, expected: unknown): void {
  const read = readJson(text, parser);
  expect("tree" in read ? fromTree(read.tree) : read.fault.text).toEqual(expected);
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
  ['{"a":{"b":2},"c":[{"a":1},{"a":2}],"d":"\\"a\\":1"}', { a: { b: 2 }, c: [{ a: 1 }, { a: 2 }], d: '"a":1' }],
  [
    '{"a":{"b":1,"c":[{}],"b":2}}',
    'Duplicate field \'b\'\n at [Source: {"a":{"b":1,"c":[{}],"b":2}}; line: 1, column: 25]',
  ],
  ['{"a":1,"\\u0061":2}', 'Duplicate field \'a\'\n at [Source: {"a":1,"\\u0061":2}; line: 1, column: 16]'],
  ["", "No content to map due to end-of-input\n at [Source: ; line: 1, column: 0]"],
  [
    '{"a":1} x',
    "Unrecognized token 'x': was expecting ('true', 'false' or 'null')\n at [Source: {\"a\":1} x; line: 1, column: 19]",
  ],
])("the parser of Search Guard: %s", (text, expected) => check(text, searchGuardParser, expected));

test("the parser of OpenSearch stops where the value ends", () => check('{"a":1} x', openSearchParser, { a: 1 }));

test("the order of names is that of Java's hash map", () => {
  // As a real server listed its tenants.
  const listed = ["SGS_GLOBAL_TENANT", "admin_tenant", "real_plain", "real_reserved"];
  const order = sortAsJava(listed.toReversed().map((name) => [name, 0] as const));
  expect(order.map(([name]) => name)).toEqual(listed);
});
