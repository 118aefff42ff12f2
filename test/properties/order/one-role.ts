// Every state of one role with two permissions, two principals and a group: what the order of writes is proved on.
import type { Fixture, Mapping, Role } from "../../support/evaluated.ts";

const search = "indices:data/read/search";
const write = "indices:data/write/index";
const direct = { index_patterns: ["a*"], allowed_actions: [search] };
/** What it grants may be the same. */
const byGroup = { index_patterns: ["a*"], allowed_actions: ["g"] };

/** 5 × 4 × 5 = 100 of them. */
export function fixturesOfProof(product: Fixture["product"]): readonly Fixture[] {
  const roles: readonly (Role | undefined)[] = [
    undefined,
    {},
    { index_permissions: [direct] },
    { index_permissions: [byGroup] },
    { index_permissions: [direct, byGroup] },
  ];
  const [users, backend_roles] = [["u1"], ["b1"]];
  const mappings: readonly (Mapping | undefined)[] = [
    undefined,
    { users },
    { backend_roles },
    { users, backend_roles },
  ];
  const groups: readonly (readonly string[] | undefined)[] = [undefined, [], [search], [write], [search, write]];
  return roles.flatMap((role) =>
    mappings.flatMap((mapping) =>
      groups.map(
        (group): Fixture => ({
          product,
          roles: role ? { r: role } : {},
          mappings: mapping ? { r: mapping } : {},
          groups: group ? { g: group } : {},
        }),
      ),
    ),
  );
}
