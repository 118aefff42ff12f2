import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { createSourceFile } from "../../../src/diagnostics/source.ts";
import { maskLine } from "../../../src/secrets/masked-line.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

function measureHeap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

it("a file whose lines were shown is not kept for a key of it, however long", () => {
  const before = measureHeap();
  for (let key = 0; key < 100; key++) {
    for (const [name, length] of [
      ["short", 8],
      ["longer", 14],
      ["long", 40],
    ] as const) {
      const own = `${key}${name}`.padEnd(length, "-x");
      // Read from a buffer, as files are: a text that is put together is kept in parts.
      const text = Buffer.from(`roles:\n  ${own}: {}\n# ${"x".repeat(100_000)}\n`).toString();
      expect(maskLine(createSourceFile("roles.yml", text), 2)).toBe(`  ${own}: {}`);
    }
  }
  // Of 30 MB.
  expect(measureHeap() - before).toBeLessThan(5_000_000);
});
