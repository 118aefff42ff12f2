import type { Json, JsonObject } from "../../src/json/value.ts";
import { type ResourceFamily, resourceFamilies } from "../../src/model/names.ts";
import { type ConfigFate, configPair } from "./config.ts";
import { drifted } from "./drift.ts";
import { freshName } from "./names.ts";
import { type Random, randomFrom } from "./random.ts";
import { respelled } from "./spelling.ts";
import { type Known, valueFor } from "./values.ts";
import type { Expected, World } from "./world.ts";

export interface WorldOptions {
  readonly seed: number;
  /** Declared resources of each family. */
  readonly size: number;
  /** The families that are declared; the others have live resources only, all unmanaged. Default: all. */
  readonly families?: readonly ResourceFamily[];
  /** Share of the declared resources that are to be created or updated, 0 to 1. Default 0.3. */
  readonly drift?: number;
  /** Resources to be deleted in each declared family. Default: as many as no guard refuses, two at most in a small family. */
  readonly deletions?: number;
  /** Share of names that break tools, 0 to 1. Default 0.05. */
  readonly nastyNames?: number;
  /** Reserved, static and hidden resources on the server. Default true. */
  readonly serverOwned?: boolean;
  /** Share of live resources that another owner has (`other_team_*`), beside two in any case; 0 for none. Default 0.05. */
  readonly unmanaged?: number;
  /** Default `absent`: neither live nor declared. */
  readonly config?: ConfigFate;
  /** `6.x-25`: live action groups are arrays and none is reserved. Default 7.x-43.0.0. */
  readonly release?: "6.x-25" | "7.x-43.0.0";
}

/** A world that is the same for the same options; a seed of a family's own keeps the families apart. */
export function generateWorld(options: WorldOptions): World {
  const families = options.families ?? resourceFamilies;
  const seed = JSON.stringify(options);
  const made = new Map<ResourceFamily, Made>();
  for (const family of resourceFamilies) {
    const random = randomFrom(`${options.seed} ${family}`);
    made.set(family, makeFamily(family, random, options, families.includes(family), made));
  }
  const part = <T>(choose: (each: Made) => T) => new Map([...made].map(([family, each]) => [family, choose(each)]));
  const config = configPair(options.config ?? "absent", randomFrom(`${options.seed} config`));
  return {
    seed: `generateWorld(${seed})`,
    desired: {
      resources: new Map([...part((each) => each.desired)].filter(([family]) => families.includes(family))),
      ...(config ? { config: config.desired } : {}),
    },
    live: { resources: part((each) => each.live), ...(config ? { config: config.live } : {}) },
    exclude: ["other_team_*"],
    expected: part((each) => each.expected),
    ...(config ? { expectedConfig: config.expected } : {}),
    layout: seed,
  };
}

interface Made {
  readonly desired: ReadonlyMap<string, JsonObject>;
  readonly live: ReadonlyMap<string, Json>;
  readonly expected: ReadonlyMap<string, Expected>;
}

interface Entry {
  readonly name: string;
  readonly fate: Expected;
  readonly desired?: JsonObject;
  readonly live?: JsonObject;
}

function makeFamily(
  family: ResourceFamily,
  random: Random,
  options: WorldOptions,
  declared: boolean,
  made: ReadonlyMap<ResourceFamily, Made>,
): Made {
  const entries = entriesOf(family, random, options, namesOf(made, "roles"), knownOf(made));
  const present = declared ? entries : entries.filter(({ live }) => live !== undefined).map(orphaned);
  const arrays = family === "action_groups" && options.release === "6.x-25";
  const collect = <T>(of: (entry: Entry) => T | undefined): Map<string, T> => {
    const pairs = random.shuffled(present).map((entry) => [entry.name, of(entry)] as const);
    return new Map(pairs.filter((pair): pair is readonly [string, T] => pair[1] !== undefined));
  };
  return {
    desired: collect(({ desired }) => desired),
    live: collect<Json>(({ live }) => (arrays ? live?.allowed_actions : live)),
    expected: new Map(present.map(({ name, fate }) => [name, fate])),
  };
}

/** A live resource of a family that nobody declares. */
function orphaned({ name, fate, live }: Entry): Entry {
  const owned = fate === "reserved" || fate === "static" || fate === "hidden";
  return { name, fate: owned ? fate : "unmanaged", ...(live ? { live } : {}) };
}

function entriesOf(
  family: ResourceFamily,
  random: Random,
  options: WorldOptions,
  roles: readonly string[],
  known: Known,
): Entry[] {
  const { size, drift = 0.3, nastyNames = 0.05 } = options;
  const used = new Set<string>();
  const unmapped = random.shuffled(roles);
  // A mapping bears the name of its role, as far as there are roles.
  const nextName = () => {
    const role = family === "role_mappings" ? unmapped.pop() : undefined;
    if (role === undefined || used.has(role)) return freshName(random, used, nastyNames);
    used.add(role);
    return role;
  };
  const value = (groups = known.groups) => valueFor(family, random, { ...known, groups });
  const entries: Entry[] = [];
  for (let index = 0; index < size; index++) {
    const name = nextName();
    // A group refers to earlier ones only, so that there is no ring.
    const own = family === "action_groups" ? entries.slice(-50).map((entry) => entry.name) : known.groups;
    entries.push(declaredEntry(family, random, name, value(own), fateOf(random, drift)));
  }
  const add = (fate: Expected, prefix: string, count: number, flags: JsonObject = {}, redeclared = 0) => {
    for (let index = 0; index < count; index++) {
      const name = freshName(random, used, nastyNames, prefix);
      const owned = value(known.groups);
      const desired = random.chance(redeclared) ? { desired: respelled(random, owned) } : {};
      entries.push({ name, fate, live: wire(family, random, owned, flags), ...desired });
    }
  };
  const standing = entries.filter(({ live }) => live !== undefined).length;
  add("delete", "", options.deletions ?? allowedDeletions(standing));
  const { unmanaged = 0.05 } = options;
  if (unmanaged > 0) add("unmanaged", "other_team_", 2 + Math.floor(size * unmanaged));
  const flagged = options.serverOwned !== false && !(family === "action_groups" && options.release === "6.x-25");
  if (flagged) {
    add("reserved", "", 2 + Math.floor(size * 0.02), { reserved: true }, 0.25);
    add("static", "", 1, { reserved: true, static: true }, 0.25);
    add("hidden", "", 1, { hidden: true });
  }
  return entries;
}

function fateOf(random: Random, drift: number): Expected {
  if (!random.chance(drift)) return "in-sync";
  return random.chance(0.4) ? "create" : "update";
}

function declaredEntry(family: ResourceFamily, random: Random, name: string, value: JsonObject, fate: Expected): Entry {
  const desired = respelled(random, value);
  if (fate === "create") return { name, fate, desired };
  const other = fate === "update" ? drifted(family, random, value) : value;
  // Either side may be the older one.
  return random.chance(0.5)
    ? { name, fate, desired, live: wire(family, random, other, {}) }
    : { name, fate, desired: respelled(random, other), live: wire(family, random, value, {}) };
}

/** As a server shows it: roles and tenants with all flags, other resources with those that are set. */
function wire(family: ResourceFamily, random: Random, value: JsonObject, flags: JsonObject): JsonObject {
  const shows = family === "roles" || family === "tenants";
  const all = shows ? { reserved: false, hidden: false, static: false, ...flags } : flags;
  return { ...all, ...respelled(random, value) };
}

/** The most deletions that pass unasked: two, or a fifth of what could be deleted, and 25. */
function allowedDeletions(standing: number): number {
  // d of standing + d is at most a fifth when d is at most a quarter of standing.
  return Math.min(25, Math.max(2, Math.floor(standing / 4)));
}

function namesOf(made: ReadonlyMap<ResourceFamily, Made>, family: ResourceFamily): string[] {
  return [...(made.get(family)?.desired.keys() ?? [])];
}

function knownOf(made: ReadonlyMap<ResourceFamily, Made>): Known {
  return { groups: namesOf(made, "action_groups"), tenants: namesOf(made, "tenants") };
}
