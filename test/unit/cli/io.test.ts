import { describe, expect, it } from "vitest";
import { writeBlocks } from "../../../src/cli/io.ts";

/** Writes so many blocks of so many characters; how long what was written at once was. */
async function check(count: number, size: number, space?: (soFar: number) => boolean): Promise<readonly number[]> {
  const written: string[] = [];
  const blocks = Array.from({ length: count }, (_, index) => String(index % 10).repeat(size));
  await writeBlocks(
    {
      write: (text) => void written.push(text),
      isTTY: false,
      columns: 80,
      ...(space && { space: async () => space(written.length) }),
    },
    blocks,
  );
  expect(blocks.join("").startsWith(written.join(""))).toBe(true);
  return written.map((text) => text.length);
}

describe("long output", () => {
  it("is written in pieces, whole", async () => {
    expect(await check(3, 10)).toEqual([30]);
    expect(await check(0, 10)).toEqual([]);
    expect(await check(10, 30_000)).toEqual([90_000, 90_000, 90_000, 30_000]);
    expect(await check(2, 70_000, () => true)).toEqual([70_000, 70_000]);
  });
  it("ends where its output is no longer read", async () => {
    expect(await check(1000, 30_000, (soFar) => soFar < 2)).toEqual([90_000, 90_000]);
  });
});
