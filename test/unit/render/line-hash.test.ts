import { describe, expect, test } from "vitest";
import { createLineHasher } from "../../../src/render/sarif/line-hash.ts";

// Texts and hashes are those of the tests of github/codeql-action, src/fingerprints.test.ts.
describe("the hash by which code scanning knows a line", () => {
  test.each([
    ["", ["c129715d7a2bc9a3:1"]],
    [" a\nb\n  \t\tc\n d", ["271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"]],
    [
      " hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End",
      [
        "8b7cf3e952e7aeb2:1",
        "b1ae1287ec4718d9:1",
        "bff680108adb0fcc:1",
        "c6805c5e1288b612:1",
        "b86d3392aea1be30:1",
        "e6ceba753e1a442:1",
      ],
    ],
  ])("is GitHub's own: %j", (text, hashes) => {
    const hashOf = createLineHasher({ path: "a.yml", text });
    expect(hashes.map((_, at) => hashOf(at + 1))).toEqual(hashes);
  });

  test("is the same whatever ends the lines, and counts lines that look alike", () => {
    const lines = ["a: 1", ...Array.from({ length: 60 }, () => "same: line"), "z: 2"];
    const [unix, dos] = ["\n", "\r\n"].map((end) => createLineHasher({ path: "a.yml", text: lines.join(end) }));
    expect(lines.map((_, at) => dos?.(at + 1))).toEqual(lines.map((_, at) => unix?.(at + 1)));
    expect(unix?.(3)).toBe(unix?.(2).replace(/:1$/, ":2"));
    expect(unix?.(2)).toMatch(/:1$/);
  });

  test("stays when lines are put before it", () => {
    const text = Array.from({ length: 40 }, (_, at) => `role_${at}: { reserved: false }`).join("\n");
    const before = createLineHasher({ path: "a.yml", text });
    const after = createLineHasher({ path: "a.yml", text: `# a comment\nnew: {}\n${text}` });
    expect(after(22)).toBe(before(20));
  });
});
