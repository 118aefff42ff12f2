import { getMaskedFieldPattern } from "../../access/evaluate/fields.ts";
import { overlapPlainly } from "../plainly.ts";
import type { LintPermission, LintRule } from "../rule.ts";

/** FLS knows `*` alone; masks know `?` and expressions as well. Tried on OpenSearch 2.19.1 and Search Guard 7.5.1-38. */
export const plainFieldRule: LintRule = {
  code: "plain-field-rule",
  where: ({ excludesWin, fieldPatterns }) => excludesWin && !fieldPatterns,
  find: (state) =>
    state.restricting.flatMap(({ indices }) =>
      indices.flatMap(({ fls }) =>
        fls
          .filter(({ value }) => /\?|^[~!]?\/.*\/$/s.test(value))
          .map((rule) => ({
            at: rule,
            what: `FLS takes ${JSON.stringify(rule.value)} as plain text in documents: * is its only wildcard.`,
            why: /^[~!]/.test(rule.value)
              ? "It hides no field of the documents that are returned."
              : "It shows no field of the documents that are returned.",
            fix: "Write the names of the fields, or a pattern with *.",
          })),
      ),
    ),
};

/** Two masks of one field with different algorithms. Tried on OpenSearch 2.19.1. */
export const twoMasks: LintRule = {
  code: "two-masks",
  where: ({ failsOnTwoMasks }) => failsOnTwoMasks,
  find: (state) =>
    state.restricting.flatMap(({ indices }) =>
      indices.flatMap((permission, at) => {
        const before = [...indices.slice(0, at).filter((other) => areOnSame(other, permission))];
        const others = before.flatMap(({ masks }) => masks);
        return permission.masks.flatMap((mask, place) => {
          const other = [...others, ...permission.masks.slice(0, place)].find(
            ({ value }) => value !== mask.value && getMaskedFieldPattern(value) === getMaskedFieldPattern(mask.value),
          );
          if (!other) return [];
          return [
            {
              at: mask,
              what: `The field ${JSON.stringify(getMaskedFieldPattern(mask.value))} is masked twice, differently, on the same indices: ${JSON.stringify(other.value)} and ${JSON.stringify(mask.value)}.`,
              why: "The server then refuses to read these documents (400), or leaves them out of an answer.",
              fix: "Keep one of the two masks.",
              related: [{ range: other, what: "the other mask" }],
            },
          ];
        });
      }),
    ),
};

function areOnSame(one: LintPermission, other: LintPermission): boolean {
  const patternsOf = ({ patterns }: LintPermission) => patterns.map(({ value }) => value);
  return overlapPlainly(patternsOf(one), patternsOf(other));
}
