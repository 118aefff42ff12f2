import type { Json, JsonObject } from "../../src/json/value.ts";
import type { Family, ResourceFamily } from "../../src/model/names.ts";
import type { Expected, World } from "./world.ts";

export interface FewChange {
  readonly family: Family;
  readonly action: "create" | "update" | "delete";
}

/** Every choice of one to so many of these changes, each as often as wished; of config and license there is but one. */
export function* fewChanges(kinds: readonly FewChange[], most = 3): Generator<readonly FewChange[], void, undefined> {
  for (const [index, kind] of kinds.entries()) {
    yield [kind];
    if (most === 1) continue;
    const isSingle = kind.family === "config" || kind.family === "license";
    for (const rest of fewChanges(kinds.slice(isSingle ? index + 1 : index), most - 1)) yield [kind, ...rest];
  }
}

/** The license texts are the caller's. */
export interface FewWorld extends World {
  readonly changes: readonly FewChange[];
  readonly changesLicense: boolean;
}

/**
 * A world with just these changes, and in each family of theirs one entry that is declared and in sync, and one that
 * somebody else owns. What can refer to one another does: roles to groups and tenants, mappings to roles, groups to groups.
 */
export function fewWorld(changes: readonly FewChange[]): FewWorld {
  const seed = changes.map(({ family, action }) => `${action} ${family}`).join(" + ");
  const entries = entriesOf(changes);
  const families = [...new Set(entries.map(({ family }) => family))];
  const bySide = (side: Side) => families.map((family) => [family, new Map(namedBy(side, family, entries))] as const);
  const fates = families.map((family) => {
    const own = entries.filter((entry) => entry.family === family).map(({ name, fate }) => [name, fate] as const);
    return [family, new Map<string, Expected>([...own, [foreign, "unmanaged"]])] as const;
  });
  const changesConfig = changes.some(({ family }) => family === "config");
  return {
    seed,
    changes,
    changesLicense: changes.some(({ family }) => family === "license"),
    desired: { resources: new Map(bySide("desired")), ...(changesConfig && { config: configOf(true) }) },
    live: {
      resources: new Map(
        bySide("live").map(([family, own]) => [
          family,
          new Map<string, Json>([...own, [foreign, plain[family]("theirs")]]),
        ]),
      ),
      config: { dynamic: { ...fieldsIn(configOf(false).dynamic), do_not_fail_on_forbidden: true } },
    },
    exclude: ["other_team_*"],
    expected: new Map(fates),
    ...(changesConfig && { expectedConfig: "update" as const }),
    layout: seed,
  };
}

/** Somebody else's, by its name. */
const foreign = "other_team_x";

/** Declared and in sync; no group is named like a role. */
export function kept(family: ResourceFamily): string {
  return family === "action_groups" ? "kept_group" : "kept";
}

/** An entry of the family, told from others by one word. */
export const plain: Readonly<Record<ResourceFamily, (word: string) => JsonObject>> = {
  action_groups: (word) => ({ allowed_actions: [`indices:${word}`] }),
  tenants: (word) => ({ description: word }),
  roles: (word) => ({ cluster_permissions: [`cluster:${word}`] }),
  role_mappings: (word) => ({ users: [word] }),
  blocks: (word) => ({ type: "name", value: word, verdict: "disallow" }),
};

type Side = "desired" | "live";

interface Entry {
  readonly family: ResourceFamily;
  readonly name: string;
  readonly fate: Expected & ("create" | "update" | "delete" | "in-sync");
}

function entriesOf(changes: readonly FewChange[]): readonly Entry[] {
  const own = changes.flatMap(({ family, action }, index): readonly Entry[] =>
    family === "config" || family === "license" ? [] : [{ family, name: `n${index}`, fate: action }],
  );
  const roles = own.filter(({ family }) => family === "roles");
  const named = own.map((entry) => (entry.family === "role_mappings" ? mappingOf(entry, own, roles) : entry));
  const mapped = named.filter(
    ({ family, name }) => family === "role_mappings" && !roles.some((role) => role.name === name),
  );
  const families = [...new Set(named.map(({ family }) => family))];
  const needed = families.includes("role_mappings") && !families.includes("roles") ? ["roles" as const] : [];
  return [
    ...named,
    ...mapped.map(({ name }) => ({ family: "roles", name, fate: "in-sync" }) as const),
    ...[...families, ...needed].map((family) => ({ family, name: kept(family), fate: "in-sync" }) as const),
  ];
}

/** The mapping of a role that is there whenever the mapping is, as long as there is one that no other mapping has. */
function mappingOf(mapping: Entry, own: readonly Entry[], roles: readonly Entry[]): Entry {
  const before = own.slice(0, own.indexOf(mapping)).filter(({ family }) => family === "role_mappings").length;
  const fitting = roles.filter(({ fate }) => fate === "update" || fate === mapping.fate)[before];
  return fitting ? { ...mapping, name: fitting.name } : mapping;
}

function isOn(side: Side, { fate }: Entry): boolean {
  return side === "desired" ? fate !== "delete" : fate !== "create";
}

function namedBy(
  side: Side,
  family: ResourceFamily,
  entries: readonly Entry[],
): readonly (readonly [string, JsonObject])[] {
  const there = entries.filter((entry) => isOn(side, entry));
  const own = there.filter((entry) => entry.family === family);
  return own.map((entry) => {
    const value = plain[family](entry.fate === "in-sync" ? "same" : side === "desired" ? "new" : "old");
    if (entry.fate === "in-sync") return [entry.name, value];
    return [entry.name, { ...value, ...referencesOf(entry, there) }];
  });
}

function referencesOf({ family, name }: Entry, there: readonly Entry[]): JsonObject {
  const changed = (of: ResourceFamily) =>
    there.filter((entry) => entry.family === of && entry.fate !== "in-sync").map((entry) => entry.name);
  const [groups, tenants] = [changed("action_groups"), changed("tenants")];
  if (family === "action_groups") {
    const others = groups.filter((other) => other < name);
    return others.length > 0 ? { allowed_actions: ["indices:linked", ...others] } : {};
  }
  if (family !== "roles") return {};
  return {
    ...(groups.length > 0 && { index_permissions: [{ index_patterns: ["i"], allowed_actions: groups }] }),
    ...(tenants.length > 0 && {
      tenant_permissions: [{ tenant_patterns: tenants, allowed_actions: ["kibana:saved_objects/*/read"] }],
    }),
  };
}

function configOf(isNew: boolean): JsonObject {
  return { dynamic: { http: { anonymous_auth_enabled: isNew } } };
}

function fieldsIn(value: Json | undefined): JsonObject {
  return (value ?? {}) as JsonObject;
}
