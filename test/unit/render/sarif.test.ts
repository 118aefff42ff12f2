import { expect, it } from "vitest";
import { renderSarif } from "../../../src/render/sarif/log.ts";
import { at } from "./plans.ts";

const link = "[a](https://search.example)";

/** Every text of a log whose finding, place beside it, rule and failure hold a text. */
function textsWith(text: string): readonly string[] {
  const texts: string[] = [];
  const log = renderSarif({
    command: "validate",
    target: "a",
    findings: [
      {
        rule: "r",
        level: "warning",
        sentences: [text],
        range: at("a.yml", 1),
        related: [{ range: at("b.yml", 1), sentence: text }],
      },
    ],
    places: { toForgePath: (path: string) => path } as never,
    rules: new Map([["r", { title: text, why: text, fix: text }]]),
    failure: [text],
  });
  JSON.parse(JSON.stringify(log), (key, value) => {
    if (key === "text" || key === "markdown") texts.push(value);
    return value;
  });
  return texts;
}

it.each([
  [link, "\\[a\\](https://search.example)"],
  [`\\${link}`, "\\\\\\[a\\](https://search.example)"],
  ["[a\\](https://search.example)", "\\[a\\\\\\](https://search.example)"],
  ["index_permissions[0] \\S", "index_permissions\\[0\\] \\S"],
])("no text makes a link of %s", (text, shown) => {
  const texts = textsWith(text);
  expect(texts.length).toBeGreaterThan(5);
  for (const one of texts) {
    expect(one).toContain(shown);
    // An even number of backslashes before a bracket escapes none.
    expect(one).not.toMatch(/(?<!\\)(?:\\\\)*[[\]]/);
  }
});
