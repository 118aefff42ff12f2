import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { quoteForShell } from "../../../src/json/quoted.ts";
import { randomFrom } from "../../fixtures/random.ts";

const characters = [
  "'",
  '"',
  "$",
  "`",
  "\\",
  "\n",
  "\r",
  "\t",
  "\u001b",
  "\u0085",
  "\u00a0",
  "\u2028",
  " ",
  "-",
  "*",
  "[",
  "]",
  "~",
  "!",
  "7",
  "é",
  "🙂",
  "a",
];

test.each(["C.UTF-8", "C"])("a shell takes every word as it was, and what is printed is one line: %s", (locale) => {
  const random = randomFrom("quoted");
  const drawn = Array.from({ length: 300 }, () =>
    Array.from({ length: 1 + random.below(6) }, () => random.pick(characters)).join(""),
  );
  const words = ["roles=a\nb", "-x", "--allow", "$(id)", "", ...characters, ...drawn];
  const printed = words.map(quoteForShell);
  expect(printed.filter((word) => /\p{Cc}/u.test(word))).toEqual([]);
  const script = `printf '%s\\0' ${printed.join(" ")}`;
  expect(
    execFileSync("bash", ["-c", script], { env: { ...process.env, LC_ALL: locale } })
      .toString()
      .split("\0")
      .slice(0, -1),
  ).toEqual(words);
});
