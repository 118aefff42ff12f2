import { expect, test } from "vitest";
import { decodeOrigin } from "../../../src/artifacts/desired.ts";
import { formatLocation } from "../../../src/diagnostics/source.ts";

test.each([
  [1, 1],
  [12, 7],
  [3e8, 1],
  [1e10, 1e10],
])("the place %d:%d of a plan file is that place, however far down", (line, column) => {
  expect(formatLocation(decodeOrigin({ path: "a.yml", line, column }))).toBe(`a.yml:${line}:${column}`);
});
