import { headOf } from "../../access/patterns/syntax.ts";
import { patternDroppedByAliases } from "../../access/places.ts";
import { diagnosticAt } from "../../diagnostics/diagnostic.ts";
import { coversPlainly } from "./plainly.ts";
import type { Trap, TrapPermission } from "./trap.ts";

/** Reproduced on OpenSearch 2.19.1: test/conformance/suite/aliases.test.ts. */
export const aliasDropsRestriction: Trap = {
  code: "alias-drops-restriction",
  where: ({ aliasesDropRestrictions }) => aliasesDropRestrictions,
  find: ({ judging, roles }) => {
    const mayBeDropped = (pattern: string): boolean =>
      patternDroppedByAliases([pattern], judging, { backendRoles: [] }) !== undefined;
    return roles.flatMap(({ indices }) =>
      indices.flatMap((permission) => {
        const kinds = kindsOf(permission);
        if (kinds.length === 0) return [];
        const dropped = permission.patterns.filter(({ value }) => mayBeDropped(value));
        const others = permission.patterns.filter((pattern) => !dropped.includes(pattern));
        return dropped
          .filter(({ value }) => !others.some((other) => coversPlainly(other.value, value)))
          .map((pattern) =>
            diagnosticAt(pattern, "alias-drops-restriction", {
              what: `The ${kinds.join(" and ")} of ${JSON.stringify(pattern.value)} stops applying as soon as an alias has a name that this pattern matches.`,
              why: "OpenSearch then restricts only the indices of such aliases: all other indices that match are shown whole.",
              fix: `Restrict by names, or by a pattern with * alone, such as ${JSON.stringify(`${headOf(pattern.value)}*`)}.`,
            }),
          );
      }),
    );
  },
};

function kindsOf({ dls, fls, masks }: TrapPermission): readonly string[] {
  return [...(dls ? ["DLS"] : []), ...(fls.length > 0 ? ["FLS"] : []), ...(masks.length > 0 ? ["masking"] : [])];
}
