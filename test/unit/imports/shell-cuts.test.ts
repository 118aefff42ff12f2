import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { createPlaceholder } from "../../../src/imports/placeholders.ts";
import { cutValue } from "../../../src/imports/shell-cuts.ts";

const operators = ["#", "##", "%", "%%"] as const;
const values = ["", "a", "ab", "a:b", "a:b:c", ":a:", "aXb.c|d", "a.b+(c)", "x/y/z.tar.gz", "a\nb:c", "^a$", "a*b?c"];
const patterns = [
  "*",
  "?",
  "a",
  ":*",
  "*:",
  "*/",
  ".*",
  "?*",
  "*?",
  "*b*",
  "a?",
  "*:*",
  "X*",
  "+",
  "(c)",
  "|",
  ".",
  "^*",
];

test("is what a shell makes of it", () => {
  const cases = operators.flatMap((operator) =>
    values.flatMap((value) => patterns.map((pattern) => ({ operator, value, pattern }))),
  );
  const lines = cases.map(
    ({ operator, value, pattern }) =>
      `v=$'${value.replaceAll("\n", "\\n")}'; printf '%s\\0' "\${v${operator}${pattern}}"`,
  );
  const { stdout } = spawnSync("bash", { input: lines.join("\n"), encoding: "utf8" });
  const found = cases.map(({ operator, value, pattern }) => cutValue(value, operator, pattern));
  expect(stdout.split("\0").slice(0, -1)).toHaveLength(864);
  expect(found).toEqual(stdout.split("\0").slice(0, -1));
});

test.each([
  ["a value that is not known as a whole", createPlaceholder("PAIR", "shell"), ":*"],
  ["a part of it that is not known", `ana:${createPlaceholder("PW", "shell")}`, ":*"],
  ["a long value", "a:".repeat(101), ":*"],
  ["no pattern", "a:b", ""],
  ["a pattern with many stars", "a:b", "*a*b*"],
])("is not known for %s", (_, value, pattern) => {
  expect(cutValue(value, "%%", pattern)).toBeUndefined();
});
