import { nowhere, type Places } from "../../access/questions/steps.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { DesiredResource, DesiredState } from "../../model/desired.ts";
import type { ResourceFamily } from "../../model/names.ts";
import {
  grantedPermissionsOf,
  placeOf,
  tenantPermissionsOf,
  textsUnder,
  type WrittenTenants,
  type WrittenText,
} from "../../validate/written.ts";

/** Where the files say what an answer goes by. */
export function placesIn({ resources }: DesiredState): Places {
  const find = (family: ResourceFamily, name: string): DesiredResource | undefined => resources.get(family)?.get(name);
  return {
    ...nowhere,
    way(role, { field, entries: [entry = ""] }) {
      const mapping = find("role_mappings", role);
      if (!mapping) return undefined;
      const spelt =
        field === "backend_roles" ? ["backendroles"] : field === "and_backend_roles" ? ["and_backendroles"] : [];
      return textsUnder(mapping.node, field, ...spelt).find(({ value }) => value === entry) ?? mapping.origin;
    },
    grant(name, text, pattern) {
      const role = find("roles", name);
      return role && grantIn(role, text, pattern);
    },
    group: (name) => find("action_groups", name)?.origin,
    block: (name) => find("blocks", name)?.origin,
  };
}

function grantIn(
  { node, origin }: DesiredResource,
  text: string | undefined,
  pattern: string | undefined,
): SourceRange {
  const isNamed = (texts: readonly WrittenText[], name: string) => texts.find(({ value }) => value === name);
  if (pattern === undefined) {
    const cluster = textsUnder(node, "cluster_permissions", "cluster");
    return (text !== undefined ? isNamed(cluster, text) : undefined) ?? origin;
  }
  const elements: readonly WrittenTenants[] = [...grantedPermissionsOf(node), ...tenantPermissionsOf(node)];
  const about = elements.filter(({ patterns }) => isNamed(patterns, pattern));
  const meant = about.find(({ actions }) => text === undefined || isNamed(actions, text)) ?? about[0];
  return (meant && isNamed(meant.patterns, pattern)) ?? placeOf(node, pattern) ?? origin;
}
