import { describe, expect, test } from "vitest";
import { repeats } from "../../../../src/live/client/repeats.ts";

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
  ])("%s", (_how, text, of) => expect(repeats(text, of)).toBe(true));

  test.each([
    ["another text", "the license is expired", secret],
    ["a word of a few letters", "the list of users", secret],
    ["an empty secret", "anything", ""],
  ])("but not: %s", (_how, text, of) => expect(repeats(text, of)).toBe(false));
});
