import { nowhere, type Places } from "../access/explain/grant-path.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import type { DesiredResource, DesiredState } from "../model/desired.ts";
import type { ResourceFamily } from "../model/names.ts";
import {
  findWrittenPlace,
  listGrantedPermissions,
  listTenantPermissions,
  listTextsUnder,
  type WrittenTenants,
  type WrittenText,
} from "../validate/written.ts";

/** Finds the places in the files of what explains an answer: members of mappings, permissions of roles, blocks. */
export function findAnswerPlaces({ resources }: DesiredState): Places {
  const find = (family: ResourceFamily, name: string): DesiredResource | undefined => resources.get(family)?.get(name);
  return {
    ...nowhere,
    member(role, { field, entries: [entry = ""] }) {
      const mapping = find("role_mappings", role);
      if (!mapping) return undefined;
      const written =
        field === "backend_roles" ? ["backendroles"] : field === "and_backend_roles" ? ["and_backendroles"] : [];
      const member = listTextsUnder(mapping.node, field, ...written).find(({ value }) => value === entry);
      return member ? withBase(member, mapping) : mapping.origin;
    },
    grant(name, text, pattern) {
      const role = find("roles", name);
      return role && withBase(grantIn(role, text, pattern), role);
    },
    group: (name) => find("action_groups", name)?.origin,
    block: (name) => find("blocks", name)?.origin,
  };
}

/**
 * Of an entry that is overridden: where it is declared, and where the part in question is laid over it. Of one that is generated
 * each part has the place of its item.
 */
function withBase(place: SourceRange, { origin, node }: DesiredResource): SourceRange {
  if (!origin.overriddenAt || place === origin) return place;
  const isOfBase = place.file === node.file && node.start <= place.start && place.end <= node.end;
  return isOfBase ? { ...place, overriddenAt: origin.overriddenAt } : { ...origin, overriddenAt: [place] };
}

function grantIn(
  { node, origin }: DesiredResource,
  text: string | undefined,
  pattern: string | undefined,
): SourceRange {
  const isNamed = (texts: readonly WrittenText[], name: string) => texts.find(({ value }) => value === name);
  if (pattern === undefined) {
    const cluster = listTextsUnder(node, "cluster_permissions", "cluster");
    return (text !== undefined ? isNamed(cluster, text) : undefined) ?? origin;
  }
  const elements: readonly WrittenTenants[] = [...listGrantedPermissions(node), ...listTenantPermissions(node)];
  const about = elements.filter(({ patterns }) => isNamed(patterns, pattern));
  const meant = about.find(({ actions }) => text === undefined || isNamed(actions, text)) ?? about[0];
  return (meant && isNamed(meant.patterns, pattern)) ?? findWrittenPlace(node, pattern) ?? origin;
}
