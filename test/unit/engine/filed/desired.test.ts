import { expect, test } from "vitest";
import { locationOf } from "../../../../src/diagnostics/source.ts";
import { rangeOf } from "../../../../src/engine/filed/desired.ts";

test.each([
  [1, 1],
  [12, 7],
  [3e8, 1],
  [1e10, 1e10],
])("the place %d:%d of a plan file is that place, however far down", (line, column) => {
  expect(locationOf(rangeOf({ path: "a.yml", line, column }))).toBe(`a.yml:${line}:${column}`);
});
