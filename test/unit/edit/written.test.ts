import { expect, test } from "vitest";
import { parse } from "yaml";
import { writeFlow } from "../../../src/edit/written.ts";

const texts = [
  "{{ a }}",
  "{% a %}",
  "<% a %>",
  "a\u00a0b",
  'a"b\\',
  "é\u200b\n",
  "##[a]",
  "${x}",
  "\u0007",
  "\u{1f600}",
];

test.each(texts)("%j in JSON is read as it was", (text) => {
  expect(JSON.parse(writeFlow({ [text]: [text] }, "json", true))).toEqual({ [text]: [text] });
  for (const quotes of ["plain", "single", "double"] as const)
    expect(parse(writeFlow([text], quotes, true))).toEqual([text]);
});
