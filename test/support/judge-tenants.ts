// The naive judge on tenants.
import { expanded, rolesOf } from "./judge.ts";
import { filled, meets } from "./judge-patterns.ts";
import type { Person, World } from "./judged.ts";

/** Whether each tenant that is open to somebody may be written, too. */
export function tenantsOf(world: World, somebody: Person): ReadonlyMap<string, boolean> {
  const six = world.product === "search-guard-6";
  const writes = six ? "SGS_KIBANA_ALL_WRITE" : "kibana:saved_objects/*/write";
  const held = rolesOf(world, somebody);
  const person = { ...somebody, roles: held };
  const found = held.flatMap((role) =>
    (world.roles[role]?.tenant_permissions ?? []).flatMap(({ tenant_patterns = [], allowed_actions }) => {
      const isFilled = (p: string) => world.product === "opensearch" && p.startsWith("${attr");
      const isMet = (p: string, name: string) => (isFilled(p) ? filled(world, person, p) === name : meets(p, name));
      const existing = (world.tenants ?? []).filter((tenant) => tenant_patterns.some((p) => isMet(p, tenant)));
      const met = six ? tenant_patterns : existing;
      return met.map((tenant) => [tenant, expanded(world, allowed_actions).includes(writes)] as const);
    }),
  );
  // Open to be written with these roles, but only where no entry says anything of it.
  const [builtIn, globalTenant] =
    world.product === "opensearch"
      ? [["kibana_user", "all_access"], "global_tenant"]
      : [["SGS_KIBANA_USER", "SGS_ALL_ACCESS"], "SGS_GLOBAL_TENANT"];
  const isNamed = found.some(([tenant]) => tenant === globalTenant);
  if (!six && !isNamed && held.some((role) => builtIn.includes(role))) found.push([globalTenant, true]);
  return new Map([...found.filter(([, isRw]) => !isRw), ...found.filter(([, isRw]) => isRw), [person.user, true]]);
}
