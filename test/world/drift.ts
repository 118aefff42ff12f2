import type { Json, JsonObject } from "../../src/json/value.ts";
import type { ResourceFamily } from "../../src/model/names.ts";
import type { Random } from "./random.ts";
import { blockValue, clusterActions, dls, indexActions, sentence } from "./values.ts";

type Drift = (random: Random, value: JsonObject) => JsonObject;

/** The same resource with one or two fields that mean something else. */
export function drifted(family: ResourceFamily, random: Random, value: JsonObject): JsonObject {
  // Two drifts of the same field could undo each other; different ones cannot.
  return random.some(drifts[family], 1, 2).reduce((current, drift) => drift(random, current), value);
}

const drifts: Readonly<Record<ResourceFamily, readonly Drift[]>> = {
  action_groups: [set("allowed_actions", indexActions)],
  tenants: [text("description", sentence)],
  roles: [set("cluster_permissions", clusterActions), oneOf("index_permissions"), tenants()],
  role_mappings: [
    set("users", ["dave", "erin", "frank"]),
    set("backend_roles", ["auditors", "CN=New,DC=example,DC=com"]),
    set("hosts", ["10.9.9.*", "gateway.example.com"]),
    text("description", sentence),
  ],
  blocks: [
    (_, value) => ({ ...value, verdict: value.verdict === "allow" ? "disallow" : "allow" }),
    text("description", sentence),
    (random, value) => differing(value, () => ({ ...value, ...blockValue(random) })),
  ],
};

/** A member more, or one fewer where another is left. */
function set(field: string, pool: readonly string[]): Drift {
  return (random, value) => {
    const members = new Set(value[field] as readonly string[] | undefined);
    if (members.size > 1 && random.chance(0.5)) members.delete(random.pick([...members]));
    else members.add(pool.find((each) => !members.has(each)) ?? `${pool[0]}-${members.size}`);
    return { ...value, [field]: [...members] };
  };
}

function text(field: string, make: (random: Random) => string): Drift {
  return (random, value) => differing(value, () => ({ ...value, [field]: make(random) }));
}

const elementDrifts: readonly Drift[] = [
  set("index_patterns", ["new-*", "moved-2025"]),
  set("allowed_actions", indexActions),
  set("fls", ["~secret", "public.*"]),
  set("masked_fields", ["phone"]),
  text("dls", dls),
  (random, value) => {
    const { dls: had, ...rest } = value;
    return had === undefined ? { ...value, dls: dls(random) } : rest;
  },
];

/** One permission of the list changed, added or taken away. */
function oneOf(field: string): Drift {
  return (random, value) => {
    const list = (value[field] ?? []) as readonly JsonObject[];
    if (list.length > 1 && random.chance(0.2)) return { ...value, [field]: list.slice(1) };
    if (list.length === 0 || random.chance(0.2)) return { ...value, [field]: [...list, extra(list)] };
    const place = random.below(list.length);
    const drift = random.pick(elementDrifts);
    return { ...value, [field]: list.map((item, index) => (index === place ? drift(random, item) : item)) };
  };
}

function extra(list: readonly Json[]): JsonObject {
  return {
    index_patterns: [`extra-${list.length}-*`],
    fls: [],
    masked_fields: [],
    allowed_actions: ["indices:data/read*"],
  };
}

function tenants(): Drift {
  return (_, value) => {
    const list = (value.tenant_permissions ?? []) as readonly Json[];
    const more = { tenant_patterns: [`extra_${list.length}`], allowed_actions: ["kibana_all_read"] };
    return { ...value, tenant_permissions: [...list, more] };
  };
}

/** Draws again until it is another value: by chance the first may be the same. */
function differing(value: JsonObject, make: () => JsonObject): JsonObject {
  for (;;) {
    const made = make();
    if (JSON.stringify(made) !== JSON.stringify(value)) return made;
  }
}
