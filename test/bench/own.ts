// What makes entries each their own, and says what it seems to: no permission at a level where it is not looked for, no
// restriction that another role removes, no unused group. Descriptions are no part of what is measured.
import { isList, type Json, type JsonObject } from "../../src/json/value.ts";
import type { ResourceFamily } from "../../src/model/names.ts";
import type { Random } from "../fixtures/index.ts";
import { clusterActions } from "../fixtures/values.ts";

/** What a list of permissions is for, and so what it may hold. */
export type Kind = "read" | "write" | "cluster";

export interface Known {
  readonly groups: Readonly<Record<Kind, readonly string[]>>;
  readonly tenants: readonly string[];
  /** How many there are to give roles to: as many as roles, so that each has a handful, and few names have hundreds. */
  readonly people: number;
  /** That of a mapping. */
  readonly role?: JsonObject | undefined;
}

/** Indices, people and groups of its own team, longer queries. The value has what `valueFor` draws, as much of it stays. */
export function own(
  family: ResourceFamily,
  name: string,
  value: JsonObject,
  random: Random,
  { groups, tenants, people, role }: Known,
): JsonObject {
  switch (family) {
    case "roles":
      return ownRole(name, value, random, { groups, tenants, people });
    case "role_mappings": {
      const isForAnyName = JSON.stringify(role?.index_permissions ?? []).includes(`-\${user.name}"`);
      // A user who can choose a name chooses the indices as well.
      const isKept = (who: Json): boolean => random.chance(0.01) && !(isForAnyName && /[*?]/.test(`${who}`));
      const drawn = (value.users as Json[]).map((who) => (isKept(who) ? who : person(people, random)));
      const hosts = (value.hosts as Json[]).map((host) => (isKept(host) ? host : address(random)));
      const users = [...new Set([...drawn, person(people, random)])];
      return { ...value, users, backend_roles: [`cn=${name},ou=groups,dc=example,dc=com`], hosts: [...new Set(hosts)] };
    }
    case "tenants":
      return { ...value, description: `${value.description}`.split("\n")[0] || `Dashboards of ${name}` };
    default:
      return value;
  }
}

/** As many actions as were drawn, of its kind, and as many of the groups of that kind. */
export function permitted(drawn: Json | undefined, kind: Kind, groups: Known["groups"], random: Random): string[] {
  const texts = isList(drawn) ? drawn.map(String) : [];
  const own = texts.filter((text) => text.includes(":")).length;
  const first = kind === "write" ? ["indices:data/write/bulk*"] : [];
  const others = random.some(actions[kind], own - first.length, own - first.length);
  return [...first, ...others, ...random.some(groups[kind], texts.length - own, texts.length - own)];
}

/** Each group that no other names is in a role. */
export function withEachGroupUsed(
  roles: ReadonlyMap<string, JsonObject>,
  groups: ReadonlyMap<string, JsonObject>,
  kindOf: (group: string) => Kind,
): ReadonlyMap<string, JsonObject> {
  const used = new Set<string>();
  const use = (value: Json | undefined): void => {
    if (isList(value)) for (const item of value) use(item);
    else if (typeof value === "object" && value !== null) for (const item of Object.values(value)) use(item);
    else if (typeof value === "string" && groups.has(value)) used.add(value);
  };
  for (const role of roles.values()) use(role);
  // Later ones name earlier ones.
  const unused = [...groups].reverse().flatMap(([name, value]) => {
    const isUnused = !used.has(name);
    use(value);
    return isUnused ? [name] : [];
  });
  const waiting = { read: [], write: [], cluster: [] } as Record<Kind, string[]>;
  for (const name of unused) waiting[kindOf(name)].push(name);
  return new Map([...roles].map(([name, role]) => [name, using(role, waiting)]));
}

function using(role: JsonObject, waiting: Record<Kind, string[]>): JsonObject {
  const cluster = role.cluster_permissions as Json[];
  const [element, ...elements] = role.index_permissions as JsonObject[];
  const kind = cluster.includes(bulk) ? "write" : "read";
  const [forCluster, onIndices] = [cluster.length > 0 ? waiting.cluster.pop() : undefined, waiting[kind].pop()];
  const allowed = [...((element?.allowed_actions ?? []) as Json[]), ...(onIndices ? [onIndices] : [])];
  return {
    ...role,
    cluster_permissions: forCluster ? [...cluster, forCluster] : cluster,
    index_permissions: [{ ...element, allowed_actions: allowed }, ...elements],
  };
}

const bulk = "indices:data/write/bulk";

const reads = [
  "indices:data/read/search",
  "indices:data/read/get",
  "indices:data/read/field_caps*",
  "indices:data/read/mget[shard]",
  "indices:data/read/explain",
  "indices:admin/mappings/get",
  "indices:monitor/*",
];

const actions: Readonly<Record<Kind, readonly string[]>> = {
  read: reads,
  write: ["indices:data/write/index", "indices:data/write/delete", "indices:admin/create", "indices:admin/refresh*"],
  cluster: clusterActions.filter((action) => action !== bulk),
};

function ownRole(name: string, value: JsonObject, random: Random, { groups, tenants }: Known): JsonObject {
  const elements = value.index_permissions as JsonObject[];
  const cluster = permitted(value.cluster_permissions, "cluster", groups, random);
  // A query guards no write, and each write takes a permission of the cluster too.
  const writes = cluster.length > 0 && elements.every(({ dls }) => dls === undefined) && random.chance(0.7);
  return {
    ...value,
    cluster_permissions: writes ? [bulk, ...cluster.slice(1)] : cluster,
    index_permissions: elements.map((element, index) => ({
      ...element,
      index_patterns: ownPatterns(name, index, element, random),
      ...(typeof element.dls === "string" && random.chance(0.5) && { dls: longQuery(random) }),
      fls: ofOneKind(element.fls as string[]),
      allowed_actions: permitted(element.allowed_actions, writes ? "write" : "read", groups, random),
    })),
    tenant_permissions: (value.tenant_permissions as JsonObject[]).map((each) => ({
      ...each,
      tenant_patterns: (each.tenant_patterns as string[]).map((pattern) =>
        pattern === "team_*" && tenants.length > 0 ? random.pick(tenants).replace(/_.*/, "_*") : pattern,
      ),
      allowed_actions: (each.allowed_actions as string[]).map((group) => savedObjects[group] ?? group),
    })),
  };
}

/** What is restricted is in indices that no other element has: a user with several roles has all of them. */
function ownPatterns(name: string, place: number, element: JsonObject, random: Random): string[] {
  const drawn = (element.index_patterns as string[]).filter((pattern) => pattern !== "*");
  const { dls, fls, masked_fields: masks } = element;
  const isRestricted = dls !== undefined || (fls as Json[]).length > 0 || (masks as Json[]).length > 0;
  const team = `${name.replace(/_.*/, "")}-${random.below(1000)}`;
  if (!isRestricted) return [`${team}-*`, ...drawn.map((pattern) => (pattern === "audit*" ? "auditlog-*" : pattern))];
  const stem = `${name}-${place}`;
  return [`${stem}-*`, ...drawn.map((pattern) => `${/[a-z]+/.exec(pattern)?.[0]}-${stem}-*`)];
}

/** Included or excluded as the first is. */
function ofOneKind([first, ...others]: readonly string[]): string[] {
  if (first === undefined) return [];
  const sign = first.startsWith("~") ? "~" : "";
  return [first, ...others.map((field) => sign + field.replace("~", ""))];
}

/** As actions: `gate` ships no groups. */
const savedObjects: Readonly<Record<string, string>> = {
  kibana_all_read: "kibana:saved_objects/*/read",
  kibana_all_write: "kibana:saved_objects/*/write",
};

function longQuery(random: Random): string {
  const departments = Array.from({ length: 3 + random.below(5) }, () => `d-${random.below(1000)}`);
  const query = { bool: { must: [{ terms: { department: departments } }, { term: { archived: false } }] } };
  return JSON.stringify(query, null, 2);
}

function person(people: number, random: Random): string {
  return `${random.pick(firstNames)}.${random.pick(lastNames)}${random.below(Math.ceil(people / 100))}`;
}

function address(random: Random): string {
  return `10.${random.below(64)}.${random.below(256)}.${random.below(256)}`;
}

const firstNames = ["ana", "ben", "chen", "dora", "emil", "fatma", "goran", "hana", "ivan", "jo"];
const lastNames = ["adler", "berg", "castro", "dietz", "engel", "fischer", "garcia", "huber", "ito", "jansen"];
