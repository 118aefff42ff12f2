import type { LintRule } from "../rule.ts";

/**
 * Roles come by mappings, and internal users have some of their own, where these are known; nodes that take backend roles
 * for roles are not visible here.
 */
export const unmappedRole: LintRule = {
  code: "unmapped-role",
  find: ({ roles, heldByUsers, known: { mappings } }) =>
    mappings === undefined
      ? []
      : roles
          .filter(({ name }) => !mappings.has(name) && !heldByUsers.has(name))
          .map(({ origin }) => ({
            at: origin,
            what: "No role mapping names this role.",
            why: "It has no members, unless internal users have it or the nodes take backend roles for roles.",
            fix: "Map it, or take it out.",
          })),
};
