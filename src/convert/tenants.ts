import type { AccessState } from "../access/model/state.ts";
import type { AccessDifferences, TenantDifference } from "../model/access.ts";

/**
 * The differences without those that are a name alone: the tenant of all users is called otherwise in another product. It stays
 * where one of the two levels is unknown.
 */
export function joinRenamedTenants(
  access: AccessDifferences,
  { semantics: { globalTenant: old } }: AccessState,
  { semantics: { globalTenant: now } }: AccessState,
): AccessDifferences {
  if (old === now) return access;
  const statements = access.statements.flatMap((statement) => {
    const tenants = joinPair(statement.tenants, old, now);
    return tenants.length + statement.differences.length === 0 ? [] : [{ ...statement, tenants }];
  });
  return { ...access, statements };
}

function joinPair(tenants: readonly TenantDifference[], old: string, now: string): readonly TenantDifference[] {
  const [was, is] = [old, now].map((name) => tenants.find(({ tenant }) => tenant === name));
  if (!was && !is) return tenants;
  const [before, after] = [was?.before ?? "nothing", is?.after ?? "nothing"];
  const others = tenants.filter((one) => one !== was && one !== is);
  const isSame = before === after && before !== "unknown";
  return isSame ? others : [...others, { tenant: now, before, after }].sort((a, b) => (a.tenant < b.tenant ? -1 : 1));
}
