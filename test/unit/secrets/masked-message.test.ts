// What messages repeat of a file: names as the masked lines show them.
import { expect, test } from "vitest";
import { createDiagnostic } from "../../../src/diagnostics/diagnostic.ts";
import { RunError } from "../../../src/diagnostics/failure.ts";
import { maskDiagnostic, maskRunError } from "../../../src/secrets/masked-message.ts";

/** A diagnostic about the last line of a file. */
function about(text: string, what: string, more: { readonly why?: string; readonly fix?: string } = {}) {
  const start = text.lastIndexOf("\n") + 1;
  return createDiagnostic({ file: { path: "a.yml", text }, start, end: text.length }, "syntax", { what, ...more });
}

test.each([
  ["a key", "auth: { admin:hunter2 }", 'has no field "admin:hunter2".', 'has no field "admin:********".'],
  ["a tag", "password: !hunter2 x", "The tag !hunter2 has no meaning.", "The tag ******** has no meaning."],
  ["words of a value", "auth: [one, hunter2]", "Write [one, hunter2].", "Write [********]."],
  ["a value as it was read", 'password: "hunt\\u0065r2"', 'not "hunter2".', 'not "********".'],
  ["a value with quotes", `password: 'hun"ter"2'`, 'not "hun\\"ter\\"2".', 'not "********".'],
  ["a key above", "headers:\n  X-A:hunter2:\n    - [1]", 'An element of "X-A:hunter2"', 'An element of "X-A:********"'],
  ["a short value", "password: word", '"word" in words', '"********" in words'],
  ["no name of ours", "password: multi_enabled", "Known: multi_enabled, enabled.", "Known: multi_enabled, enabled."],
  ["no word of ours", "password: server", "The server refuses it; take it.", "The server refuses it; take it."],
  ["a word in quotes", "password: server", 'The server has no "server".', 'The server has no "********".'],
  [
    "a rest of a line",
    "password: a server",
    "This is not expected here: server",
    "This is not expected here: ********",
  ],
  [
    "no name that we suggest",
    "pasword: password",
    'No "pasword". Did you mean "password"? See "password".',
    'No "pasword". Did you mean "password"? See "********".',
  ],
  ["nothing of a line without secrets", "host: hunter2", "the text hunter2", "the text hunter2"],
])("%s", (_what, text, what, shown) => expect(maskDiagnostic(about(text, what)).what).toBe(shown));

test("all sentences, and those of other places", () => {
  const { range, ...rest } = about("password: hunter2", "1 hunter2", { why: "2 hunter2", fix: "3 hunter2" });
  if (!range) throw new Error("It has a place.");
  const other = { file: { path: "b.yml", text: "token: hunter3" }, start: 0, end: 3 };
  const masked = maskDiagnostic({ ...rest, range, related: [{ range: other, what: "4 hunter3" }] });
  expect([masked.what, masked.why, masked.fix, masked.related?.[0]?.what]).toEqual(
    [1, 2, 3, 4].map((sentence) => `${sentence} ********`),
  );
});

test("what ended a run repeats neither the lines of its diagnostics nor passwords of a command line", () => {
  const ofFiles = new RunError("invalid", { what: "hunter2", fix: "no hunter2" }, [about("password: hunter2", "x")]);
  expect(maskRunError(ofFiles).userMessage).toEqual({ what: "********", fix: "no ********" });
  const ofWords = new RunError("usage", { what: "No --target http://ci:hunter2@b.", fix: "Write password: x." });
  expect(maskRunError(ofWords).userMessage).toEqual({
    what: "No --target http://********@b.",
    fix: "Write password: x.",
  });
});
