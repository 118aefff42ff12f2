import { diagnosticAt } from "../../diagnostics/diagnostic.ts";
import type { Trap } from "./trap.ts";

/** Roles come by mappings; what users carry, and nodes that take backend roles for roles, nobody can see. */
export const unmappedRole: Trap = {
  code: "unmapped-role",
  find: ({ roles, known: { mappings } }) =>
    mappings === undefined
      ? []
      : roles
          .filter(({ name }) => !mappings.has(name))
          .map(({ origin }) =>
            diagnosticAt(origin, "unmapped-role", {
              what: "No role mapping names this role.",
              why: "Nobody has it, unless internal users carry it or the nodes take backend roles for roles.",
              fix: "Map it, or take it out.",
            }),
          ),
};
