import { findPatternDroppedByAliases } from "../../access/evaluate/covering-places.ts";
import { getPatternHead } from "../../access/patterns/syntax.ts";
import { coversPlainly } from "../plainly.ts";
import type { LintPermission, LintRule } from "../rule.ts";

/** Reproduced on OpenSearch 2.19.1: test/conformance/suite/aliases.test.ts. */
export const aliasDropsRestriction: LintRule = {
  code: "alias-drops-restriction",
  where: ({ aliasesDropRestrictions }) => aliasesDropRestrictions,
  find: ({ semantics, restricting }) => {
    const mayBeDropped = (pattern: string): boolean =>
      findPatternDroppedByAliases([pattern], semantics, { backendRoles: [] }) !== undefined;
    return restricting.flatMap(({ indices }) =>
      indices.flatMap((permission) => {
        const kinds = kindsOf(permission);
        if (kinds.length === 0) return [];
        const dropped = permission.patterns.filter(({ value }) => mayBeDropped(value));
        const others = permission.patterns.filter((pattern) => !dropped.includes(pattern));
        return dropped
          .filter(({ value }) => !others.some((other) => coversPlainly(other.value, value)))
          .map((pattern) => ({
            at: pattern,
            what: `The ${kinds.join(" and ")} of ${JSON.stringify(pattern.value)} stops applying as soon as an alias has a name that this pattern matches.`,
            why: "OpenSearch then restricts only the indices of such aliases: all other indices that match are shown whole.",
            fix: `Restrict by names, or by a pattern with * alone, such as ${JSON.stringify(`${getPatternHead(pattern.value)}*`)}.`,
          }));
      }),
    );
  },
};

function kindsOf({ dls, fls, masks }: LintPermission): readonly string[] {
  return [...(dls ? ["DLS"] : []), ...(fls.length > 0 ? ["FLS"] : []), ...(masks.length > 0 ? ["masking"] : [])];
}
