// What is shown of a bug: where it is, and nothing of what it says.
import { expect, test } from "vitest";
import { formatCrash } from "../../../src/cli/crash.ts";
import { assert } from "../../../src/diagnostics/failure.ts";

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return expect.unreachable("it should have thrown");
}

/** Where, and of which kind; and no word of the message. */
function check(error: unknown, kind: string): void {
  const explained = formatCrash(error);
  expect(explained).toContain("This is a bug in gate-sync");
  expect(explained).toContain(`\n    ${kind}\n    at `);
  expect(explained).toContain("crash.test.ts");
  expect(explained).not.toContain("hunter2");
}

test("a failed assertion", () =>
  check(
    thrownBy(() => assert(false, "No hunter2.")),
    "Error",
  ));
test("what JSON.parse quotes", () =>
  check(
    thrownBy(() => JSON.parse("hunter2")),
    "SyntaxError",
  ));
test("an error of Node, which has a code in its stack", () =>
  check(
    thrownBy(() => Buffer.alloc("hunter2" as never)),
    "TypeError",
  ));
test("a message of several lines that look like a stack", () =>
  check(
    thrownBy(() => assert(false, "No\n    at hunter2 (hunter2:1:1)\n    at hunter2")),
    "Error",
  ));
test("causes and other members", () => {
  const error = Object.assign(new TypeError("hunter2", { cause: new Error("hunter2") }), { value: "hunter2" });
  check(error, "TypeError");
});
test("a message that was changed later is not searched for", () => {
  const error = new Error("hunter2 was here");
  error.message = "other";
  expect(formatCrash(error)).not.toContain("hunter2");
});
test.each([["hunter2"], [{ hunter2: 1 }], [undefined]])("what is no error: %j", (thrown) => {
  expect(formatCrash(thrown)).toContain(`a thrown ${typeof thrown}`);
  expect(formatCrash(thrown)).not.toContain("hunter2");
});
