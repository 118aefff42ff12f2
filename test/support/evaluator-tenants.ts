// The naive evaluator on tenants.

import type { Fixture, Person } from "./evaluated.ts";
import { expanded, rolesOf } from "./evaluator.ts";
import { filled, matches } from "./evaluator-patterns.ts";

/** Whether each tenant that is open to a user may be written, too. */
export function tenantsOf(fixture: Fixture, askedPerson: Person): ReadonlyMap<string, boolean> {
  const six = fixture.product === "search-guard-6";
  const writes = six ? "SGS_KIBANA_ALL_WRITE" : "kibana:saved_objects/*/write";
  const held = rolesOf(fixture, askedPerson);
  const person = { ...askedPerson, roles: held };
  const found = held.flatMap((role) =>
    (fixture.roles[role]?.tenant_permissions ?? []).flatMap(({ tenant_patterns = [], allowed_actions }) => {
      const isFilled = (p: string) => fixture.product === "opensearch" && p.startsWith("${attr");
      const isMatched = (p: string, name: string) =>
        isFilled(p) ? filled(fixture, person, p) === name : matches(p, name);
      const existing = (fixture.tenants ?? []).filter((tenant) => tenant_patterns.some((p) => isMatched(p, tenant)));
      const matched = six ? tenant_patterns : existing;
      return matched.map((tenant) => [tenant, expanded(fixture, allowed_actions).includes(writes)] as const);
    }),
  );
  // Open to be written with these roles, but only where no entry says anything of it.
  const [builtIn, globalTenant] =
    fixture.product === "opensearch"
      ? [["kibana_user", "all_access"], "global_tenant"]
      : [["SGS_KIBANA_USER", "SGS_ALL_ACCESS"], "SGS_GLOBAL_TENANT"];
  const isNamed = found.some(([tenant]) => tenant === globalTenant);
  if (!six && !isNamed && held.some((role) => builtIn.includes(role))) found.push([globalTenant, true]);
  return new Map([...found.filter(([, isRw]) => !isRw), ...found.filter(([, isRw]) => isRw), [person.user, true]]);
}
