import { encodeCanonical } from "../../json/canonical.ts";
import { groupItems } from "../../json/collections.ts";
import type { Change } from "../../model/change.ts";
import { type Address, createAddress } from "../../model/names.ts";

/**
 * The old name by the address under which the same fields are created, and the new name by the one that is deleted, where
 * no other entry has these fields. A mapping counts as renamed only with its role: that two roles have the same members
 * says nothing. Tenants are never renamed, as what users saved in one is not moved.
 */
export function findRenamed(changes: readonly Change[]): ReadonlyMap<Address, string> {
  const names = new Map<Address, string>();
  const moved = changes.filter(({ action, unknown }) => (action === "create" || action === "delete") && !unknown);
  const add = (come: Change, gone: Change): void => {
    names.set(createAddress(come.family, come.name), gone.name);
    names.set(createAddress(gone.family, gone.name), come.name);
  };
  for (const family of ["roles", "action_groups", "role_mappings"] as const) {
    const own = moved.filter((change) => change.family === family);
    if (new Set(own.map(({ action }) => action)).size < 2) continue;
    for (const [one, other, ...more] of groupItems(own, listFields)) {
      const [come, gone] = one.action === "create" ? [one, other] : [other, one];
      if (come?.action !== "create" || gone?.action !== "delete" || more.length > 0) continue;
      const isWithRole = names.get(createAddress("roles", come.name)) === gone.name;
      if (family !== "role_mappings" || isWithRole) add(come, gone);
    }
  }
  return names;
}

function listFields({ action, before = {}, after = {} }: Change): string {
  return encodeCanonical(action === "delete" ? before : after);
}
