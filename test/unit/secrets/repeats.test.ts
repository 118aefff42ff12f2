import { describe, expect, test } from "vitest";
import { repeatsEscapedText, repeatsText } from "../../../src/secrets/repeats.ts";

const secret = 'hunter2 "of" ünï/snarks';
const long = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9w";

describe("an answer repeats a secret", () => {
  test.each([
    ["as it is", `bad password ${secret}`, secret],
    ["in JSON", JSON.stringify({ message: secret }), secret],
    ["in JSON in JSON", JSON.stringify(JSON.stringify(secret)), secret],
    ["in a URL", encodeURIComponent(secret), secret],
    ["the first part of it", 'unexpected end after "hunter2', secret],
    ["a part of a long one", `cannot decode ${long.slice(10, 45)}...`, long],
    ["a short one", "bad pin: 1234", "1234"],
  ])("%s", (_how, text, of) => expect(repeatsText(text, of)).toBe(true));

  test.each([
    ["another text", "the license is expired", secret],
    ["a word of a few characters", "the list of users", secret],
    ["an empty secret", "anything", ""],
  ])("but not: %s", (_how, text, of) => expect(repeatsText(text, of)).toBe(false));
});

describe("an answer repeats a secret in base64", () => {
  const short = 'b8"Z+/%3';
  const inBase64 = (text: string) => Buffer.from(text, "utf8").toString("base64");

  test.each(["", "c", "ci", "ci:"])("wherever it begins: after %j", (before) => {
    const text = `bad login ${inBase64(`${before}${short} and more`)}`;
    expect(repeatsText(text, short)).toBe(false);
    expect(repeatsEscapedText(text, short)).toBe(true);
  });
  test("that is escaped in a URL", () =>
    expect(repeatsEscapedText(encodeURIComponent(inBase64(short)), short)).toBe(true));
  test("of URLs", () => {
    const odd = "\u00fb\u00fb\u00ff\u00ff\u00ff?>";
    expect(repeatsEscapedText(Buffer.from(odd, "utf8").toString("base64url"), odd)).toBe(true);
  });
  test("but not another one", () => expect(repeatsEscapedText(inBase64("b9'Y-_%4"), short)).toBe(false));
});
