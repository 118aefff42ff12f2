// Who may do what, as naively as it can be said: by what real servers were seen to do, sharing no code with src/access,
// whose second opinion it is. Not evaluated: cycles of action groups, which break a Search Guard; date math; names of
// hosts; regular expressions that only Java has; `exclude_…` permissions; the index of the security configuration.

import type { Access, Element, Fixture, Index, Mapping, Person } from "./evaluated.ts";
import { filled, isStarred, matches, patternsOf } from "./evaluator-patterns.ts";
import { rememberedByObject } from "./remembered.ts";

/** Actions of one request, each at its own level, on each of these indices: denied, or what is seen of each index. */
export function evaluate(
  fixture: Fixture,
  askedPerson: Person,
  actions: readonly string[],
  indices: readonly Index[] = [],
) {
  const { person, held } = holderIn(fixture, askedPerson);
  const may = (action: string, texts: readonly string[] = none) =>
    wholly(fixture, texts).some((text) => matches(text, action));
  const isMatched = (pattern: string, { name, aliases = [] }: Index) =>
    [name, ...aliases].some((n) => matches(pattern, n));
  const covering = (index: Index, roles = held) =>
    roles
      .flatMap((role) => role.index_permissions ?? [])
      .filter(({ index_patterns: patterns = [] }) => {
        // What there is no index of, `_all` does not cover.
        const those = index.missing ? patterns.filter((pattern) => pattern !== "_all") : patterns;
        return patternsOf(fixture, person, those).some((pattern) => isMatched(pattern, index));
      });
  const [ofCluster, ofIndex] = [actions.filter(isOfCluster), actions.filter((action) => !isOfCluster(action))];
  const isLetIn = ofCluster.every((action) => held.some((role) => may(action, role.cluster_permissions)));
  // Where permissions do not span roles, one role has to grant all that the request does to indices.
  const doesSpan = fixture.settings?.multi_rolespan_enabled ?? fixture.product !== "search-guard-6";
  const teams = doesSpan || fixture.product === "opensearch" ? [held] : held.map((role) => [role]);
  const all = indices.flatMap((index) => ofIndex.map((action) => ({ index, action })));
  const isGrantedOn = (index: Index, action: string, team: typeof held) =>
    covering(index, team).some((element) => may(action, element.allowed_actions));
  // On OpenSearch several patterns together may do, elsewhere one has to match everything.
  const isGrantedOnAll = (action: string, team: typeof held) =>
    fixture.product === "opensearch"
      ? anyNames.every((name) => isGrantedOn({ name }, action, team))
      : team
          .flatMap((role) => role.index_permissions ?? [])
          .filter(({ allowed_actions: granted }) => may(action, granted))
          .flatMap(({ index_patterns: patterns = [] }) => patternsOf(fixture, person, patterns))
          .some((pattern) => anyNames.every((name) => matches(pattern, name)));
  const isReduced = fixture.settings?.do_not_fail_on_forbidden === true;
  const isGranted = teams.some((team) =>
    all.every(({ index, action }) =>
      onAll[fixture.product]?.includes(action) && !(isReduced && action.startsWith("indices:data/read/"))
        ? isGrantedOnAll(action, team)
        : isGrantedOn(index, action, team),
    ),
  );
  if (isBlocked(fixture, person) || !isLetIn || (all.length > 0 && !isGranted)) return false;
  // Whatever covers an index restricts it, granting or not; `_all` does so even on OpenSearch, where it grants nothing.
  const ofAll = held.flatMap(({ index_permissions = [] }) =>
    index_permissions.filter(({ index_patterns: p }) => p?.includes("_all")),
  );
  return indices.map((index) => seenThrough(fixture, person, [...new Set([...covering(index), ...ofAll])]));
}

/** What these products ask for on all indices, whichever a request names. */
const onAll: Readonly<Record<string, readonly string[]>> = {
  opensearch: ["indices:admin/rollover", "indices:data/read/point_in_time/readall"],
  "search-guard-7": ["indices:admin/rollover", "indices:admin/resize"],
};
/** What matches all of these matches every index there may be. */
const anyNames = ["a", "ab", "xy", "u1", "2", "q-9.z", ".opendistro_security"];

/** With all roles, and what these hold. */
const holderIn = rememberedByObject((fixture: Fixture, askedPerson: Person) => {
  const person = { ...whole(fixture, askedPerson), roles: rolesOf(fixture, askedPerson) };
  return { person, held: person.roles.map((name) => fixture.roles[name] ?? {}) };
});

const none: readonly string[] = [];
const wholly = rememberedByObject((fixture: Fixture, texts: readonly string[]) => expanded(fixture, texts));

/** With all that the internal user of that name has. */
function whole({ users = {} }: Fixture, person: Person): Person {
  const own = Object.hasOwn(users, person.user) ? users[person.user] : undefined;
  if (!own) return person;
  return {
    ...person,
    backendRoles: [...new Set([...person.backendRoles, ...own.backendRoles])],
    roles: [...(person.roles ?? []), ...own.roles],
    attributes: { ...own.attributes, ...person.attributes },
  };
}

/** Sorted; names that no role has are among them. */
export const rolesOf = rememberedByObject((fixture: Fixture, askedPerson: Person): readonly string[] => {
  const { product, mappings, settings } = fixture;
  const person = whole(fixture, askedPerson);
  const any = (patterns: readonly string[] = [], texts: readonly (string | undefined)[]) =>
    patterns.some((pattern) => texts.some((text) => text !== undefined && matches(pattern, text)));
  // On OpenSearch a star matches even users without any backend role.
  const has = (p: string) => any([p], person.backendRoles) || (product === "opensearch" && p === "*");
  const isMapped = ({ users, hosts, backend_roles = [], and_backend_roles: all = [] }: Mapping) =>
    any(users, [person.user]) || any(hosts, [person.host]) || backend_roles.some(has) || (all[0] && all.every(has));
  const mode = settings?.roles_mapping_resolution ?? "MAPPING_ONLY";
  const mapped = Object.entries(mappings).flatMap(([name, mapping]) => (isMapped(mapping) ? [name] : []));
  const byName = mode === "MAPPING_ONLY" ? [] : person.backendRoles;
  return [...new Set([...(mode === "BACKENDROLES_ONLY" ? [] : mapped), ...byName, ...(person.roles ?? [])])].sort();
});

/** Each type of block by itself: who is kept out, or not let in. Masks are of IPv4, as `10.0.0.0/8`. */
export function isBlocked({ blocks = [] }: Pick<Fixture, "blocks">, { user, host = "" }: Person): boolean {
  const number = (ip = "") => ip.split(".").reduce((n, byte) => n * 256 + Number(byte), 0);
  const net = (ip = "", bits = "32") => Math.floor(number(ip) / 2 ** (32 - Number(bits)));
  const within = (mask: string) => net(...mask.split("/")) === net(host, mask.split("/")[1]);
  const hits = { ip: (text: string) => text === host, net_mask: within, name: (text: string) => matches(text, user) };
  return (["ip", "net_mask", "name"] as const).some((type) => {
    const values = (word: string) => blocks.flatMap((b) => (b.type === type && b.verdict === word ? b.value : []));
    const allowed = values("allow");
    return values("disallow").some(hits[type]) || (allowed.length > 0 && !allowed.some(hits[type]));
  });
}

function seenThrough(fixture: Fixture, person: Person, elements: readonly Element[]): Access {
  const doesWaive = fixture.product === "opensearch" && fixture.settings?.dfm_empty_overrides_all === true;
  const of = (field: "dls" | "fls" | "masked_fields") => {
    const values = elements.map((element) => [element[field] ?? []].flat());
    return doesWaive && values.some((list) => list.length === 0) ? [] : values.flat();
  };
  const queries = of("dls").map((query) => filled(fixture, person, query));
  const excluded = of("fls").flatMap((name) => (/^[~!]/.test(name) ? [name.slice(1)] : []));
  const included = excluded.length > 0 || of("fls").length === 0 ? ["*"] : of("fls");
  // A name is that of all below it, too.
  const isAmong = (names: readonly string[], path: string) =>
    path.split(".").some((_, i, steps) => names.some((name) => isStarred(name, steps.slice(0, i + 1).join("."))));
  const field = (path: string) => {
    const mask = of("masked_fields").find((text) => matches(text.split("::")[0] ?? "", path));
    if (isAmong(excluded, path) || !isAmong(included, path)) return "hidden" as const;
    return mask === undefined ? ("shown" as const) : { mask: mask.split("::").slice(1).join("::") };
  };
  const isRestricted = (["dls", "fls", "masked_fields"] as const).some((kind) => of(kind).length > 0);
  return { docs: queries.length > 0 ? queries : "all", field, isRestricted };
}

/** Names of groups become what is in them; OpenSearch takes the name itself for a pattern as well. */
export function expanded(
  fixture: Fixture,
  texts: readonly string[] = [],
  above: readonly string[] = [],
): readonly string[] {
  return texts.flatMap((text) => {
    const group = Object.hasOwn(fixture.groups, text) && !above.includes(text) ? (fixture.groups[text] ?? []) : [];
    const own = group.length === 0 || fixture.product === "opensearch" ? [text] : [];
    return [...own, ...expanded(fixture, group, [...above, text])];
  });
}

export function isOfCluster(action: string): boolean {
  const composite =
    /^indices:data\/(read\/(scroll.*|mget|msearch|mtv|msearch\/template|search\/template\/render)|write\/(bulk|reindex))$/;
  return !action.startsWith("indices:") || /^indices:admin\/(index_)?template\//.test(action) || composite.test(action);
}
