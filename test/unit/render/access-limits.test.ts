import { expect, test } from "vitest";
import { listLimitRows } from "../../../src/render/views/access-share.ts";

test.each([
  ["a pattern that matches _source", { not: ["*e"], masks: [] }, true],
  ["one that does not", { not: ["salar*"], masks: [] }, false],
  ["a name", { not: ["_source"], masks: [] }, false],
  [
    "a pattern of OpenSearch 3, where the fields alone are matched",
    { not: ["*e"], masks: [], arePatterns: true },
    false,
  ],
] as const)("excluded fields: %s", (_about, fields, hidesAll) => {
  const texts = listLimitRows({ fields, unsure: [], restricted: "yes" }).map(({ text }) => text);
  expect(texts.some((text) => text.startsWith("documents are shown without any field"))).toBe(hidesAll);
});
