import type { AccessState } from "../access/model/state.ts";
import { matchesPattern } from "../access/patterns/matches.ts";
import { type Fields, isObject, listTexts, listValues } from "../json/value.ts";
import type { AccessDifferences, TenantDifference } from "../model/access.ts";
import type { NewName } from "./names.ts";

/** Of each tenant that is called otherwise in the other product, its new name. */
export type RenamedTenants = ReadonlyMap<string, string>;

export function listRenamedTenants(
  names: Iterable<string>,
  find: (name: string) => Pick<NewName, "kind" | "name">,
): RenamedTenants {
  return new Map(
    [...names].flatMap((name): readonly [string, string][] => {
      const found = find(name);
      return found.kind === "own" && found.name !== name ? [[name, found.name]] : [];
    }),
  );
}

/** A pattern with the new names of what it matches by their old ones. */
export function addRenamedTenants(pattern: string, renamed: RenamedTenants): readonly string[] {
  const now = renamed.get(pattern);
  if (now !== undefined) return [now];
  const more = [...renamed].flatMap(([old, name]) =>
    matchesPattern(pattern, old) === "yes" && matchesPattern(pattern, name) !== "yes" ? [name] : [],
  );
  return [pattern, ...more];
}

/** The state with its tenants called as they are afterwards: they are compared by their names. */
export function withRenamedTenants(
  state: AccessState,
  find: (name: string) => Pick<NewName, "kind" | "name">,
): AccessState {
  const elementsOf = ({ tenant_permissions: elements }: Fields) => listValues(elements).filter(isObject);
  const named = state.semantics.tenantsAreNames
    ? [...state.roles.values()].flatMap((role) => elementsOf(role).flatMap((one) => listTexts(one.tenant_patterns)))
    : state.tenants.keys();
  const renamed = listRenamedTenants(named, find);
  if (renamed.size === 0) return state;
  const rename = (role: Fields): Fields => {
    const elements = elementsOf(role);
    if (elements.length === 0) return role;
    const renamedElements = elements.map((one) => ({
      ...one,
      tenant_patterns: listTexts(one.tenant_patterns).flatMap((pattern) => addRenamedTenants(pattern, renamed)),
    }));
    return { ...role, tenant_permissions: renamedElements };
  };
  return {
    ...state,
    tenants: new Map([...state.tenants].map(([name, tenant]) => [renamed.get(name) ?? name, tenant])),
    roles: new Map([...state.roles].map(([name, role]) => [name, rename(role)])),
  };
}

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
