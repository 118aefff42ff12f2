// Who may do what, as naively as it can be said: by what real servers were seen to do, sharing no code with src/access,
// whose second opinion it is. Not judged: rings of action groups, which break a Search Guard; date math; names of
// hosts; regular expressions that only Java has; `exclude_…` permissions; the index of the security configuration.
import { filled, isBlocked, isLike, meets, patternsOf, rolesOf } from "./judge-who.ts";
import type { Access, Element, Index, Person, Role, World } from "./judged.ts";

/** Actions of one request, each at its own level, on each of these indices: denied, or what is seen of each index. */
export function judge(world: World, person: Person, actions: readonly string[], indices: readonly Index[] = []) {
  if (isBlocked(world, person)) return false;
  const roles = rolesOf(world, person).map((name) => world.roles[name] ?? {});
  const may = (held: readonly string[] | undefined, action: string) =>
    expanded(world, held).some((pattern) => meets(pattern, action));
  const covers = ({ index_patterns = [] }: Element, { name, aliases = [] }: Index) =>
    patternsOf(world, person, index_patterns).some((p) => [name, ...aliases].some((text) => meets(p, text)));
  const grants = (role: Role, index: Index, action: string) =>
    (role.index_permissions ?? []).some((element) => covers(element, index) && may(element.allowed_actions, action));

  const ofCluster = actions.filter(isOfCluster);
  if (!ofCluster.every((action) => roles.some((role) => may(role.cluster_permissions, action)))) return false;
  const ofIndex = actions.filter((action) => !isOfCluster(action));
  // Where permissions do not span roles, one role has to grant all that the request does to indices.
  const doesSpan = world.settings?.multi_rolespan_enabled ?? world.product !== "search-guard-6";
  const teams = doesSpan || world.product === "opensearch" ? [roles] : roles.map((role) => [role]);
  const isEnough = (team: readonly Role[]) =>
    ofIndex.every((action) => indices.every((index) => team.some((role) => grants(role, index, action))));
  if (ofIndex.length > 0 && indices.length > 0 && !teams.some(isEnough)) return false;
  // Whatever covers an index restricts it, granting or not.
  const elements = roles.flatMap((role) => role.index_permissions ?? []);
  const covering = (index: Index) => elements.filter((element) => covers(element, index));
  return indices.map((index) => seenThrough(world, person, covering(index)));
}

function seenThrough(world: World, person: Person, elements: readonly Element[]): Access {
  const doesLift = world.product === "opensearch" && world.settings?.dfm_empty_overrides_all === true;
  const of = (field: "dls" | "fls" | "masked_fields") => {
    const values = elements.map((element) => [element[field] ?? []].flat());
    return doesLift && values.some((list) => list.length === 0) ? [] : values.flat();
  };
  const queries = of("dls").map((query) => filled(world, person, query));
  const excluded = of("fls").flatMap((name) => (/^[~!]/.test(name) ? [name.slice(1)] : []));
  const included = excluded.length > 0 || of("fls").length === 0 ? ["*"] : of("fls");
  // A name is that of all below it, too.
  const isAmong = (names: readonly string[], path: string) =>
    path.split(".").some((_, i, steps) => names.some((name) => isLike(name, steps.slice(0, i + 1).join("."))));
  const field = (path: string) => {
    if (isAmong(excluded, path) || !isAmong(included, path)) return "hidden" as const;
    const mask = of("masked_fields")
      .map((text) => text.split("::"))
      .find(([name = ""]) => isLike(name, path));
    return mask ? { mask: mask.slice(1).join("::") } : ("shown" as const);
  };
  return { docs: queries.length > 0 ? queries : "all", field };
}

/** Names of groups become what is in them; OpenSearch takes the name itself for a pattern as well. */
function expanded(world: World, texts: readonly string[] = [], seen: readonly string[] = []): readonly string[] {
  return texts.flatMap((text) => {
    const group = Object.hasOwn(world.groups, text) && !seen.includes(text) ? (world.groups[text] ?? []) : [];
    const own = group.length === 0 || world.product === "opensearch" ? [text] : [];
    return [...own, ...expanded(world, group, [...seen, text])];
  });
}

function isOfCluster(action: string): boolean {
  const composite = /^indices:data\/(read\/(scroll.*|mget|msearch|mtv|m?search\/template)|write\/(bulk|reindex))$/;
  return !action.startsWith("indices:") || /^indices:admin\/(index_)?template\//.test(action) || composite.test(action);
}

/** Whether each tenant that is open to somebody may be written, too. */
export function tenantsOf(world: World, person: Person): ReadonlyMap<string, boolean> {
  const six = world.product === "search-guard-6";
  const writes = six ? "SGS_KIBANA_ALL_WRITE" : "kibana:saved_objects/*/write";
  const held = rolesOf(world, person);
  const found = held.flatMap((role) =>
    (world.roles[role]?.tenant_permissions ?? []).flatMap(({ tenant_patterns = [], allowed_actions }) => {
      const patterns = world.product === "opensearch" ? patternsOf(world, person, tenant_patterns) : tenant_patterns;
      const met = six ? patterns : (world.tenants ?? []).filter((tenant) => patterns.some((p) => meets(p, tenant)));
      return met.map((tenant) => [tenant, expanded(world, allowed_actions).includes(writes)] as const);
    }),
  );
  if (held.some((role) => role === "kibana_user" || role === "all_access")) found.push(["global_tenant", true]);
  if (held.some((role) => /^SGS_(KIBANA_USER|ALL_ACCESS)$/.test(role))) found.push(["SGS_GLOBAL_TENANT", true]);
  return new Map([...found.filter(([, isRw]) => !isRw), ...found.filter(([, isRw]) => isRw), [person.user, true]]);
}
