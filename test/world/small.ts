import type { Json, JsonObject } from "../../src/json/value.ts";
import { type ResourceFamily, resourceFamilies } from "../../src/model/names.ts";
import { randomFrom } from "./random.ts";
import type { Expected, World } from "./world.ts";

export interface SmallOptions {
  /** Default: all five. */
  readonly families?: readonly ResourceFamily[];
  /** Random combinations for each two of the families, after all worlds of one family. Default 20. */
  readonly pairs?: number;
  /** For the combinations. Default 1. */
  readonly seed?: number;
  /** Worlds whose declaration differs from a reserved or static resource. Default true. */
  readonly conflicts?: boolean;
  /** `6.x-25`: live action groups are arrays and none is reserved. Default 7.x-43.0.0. */
  readonly release?: "6.x-25" | "7.x-43.0.0";
}

/**
 * Every world of one family over two names and two values: each name undeclared or declared with either value, and
 * on the server absent, open with either value, reserved with one or static with the other; besides, every such
 * server with the family not declared at all. With its defaults it yields 5 × (15² + 25) = 1250 worlds of one
 * family and 10 × 20 of two, 1450 in all; without conflicts 5 × (13² + 25) + 200 = 1170.
 */
export function* smallWorlds(options: SmallOptions = {}): Generator<World, void, undefined> {
  const { families = resourceFamilies, pairs = 20, seed = 1 } = options;
  const parts = new Map(families.map((family) => [family, partsOf(family, options)]));
  for (const list of parts.values()) for (const part of list) yield worldOf([part]);
  const random = randomFrom(`small ${seed}`);
  for (const [index, [, first]] of [...parts].entries()) {
    for (const [, second] of [...parts].slice(index + 1)) {
      for (let each = 0; each < pairs; each++) yield worldOf([random.pick(first), random.pick(second)]);
    }
  }
}

/** The second name needs escapes in a pointer and in a URL. */
export const smallNames = ["a", "b/~1 c"] as const;

const values: Readonly<Record<ResourceFamily, readonly [JsonObject, JsonObject]>> = {
  // No group's own name among them: a ring would be refused.
  action_groups: [{ allowed_actions: ["r"] }, { allowed_actions: ["w", "r"] }],
  tenants: [{ description: "" }, { description: "two" }],
  roles: [
    { cluster_permissions: ["a"] },
    { index_permissions: [{ index_patterns: ["i"], dls: "{}", allowed_actions: ["a"] }], cluster_permissions: ["a"] },
  ],
  role_mappings: [{ users: ["u"] }, { users: ["v", "u"], hosts: ["h"], description: "two" }],
  blocks: [
    { type: "name", value: "eve", verdict: "disallow" },
    { type: "ip", value: "10.0.0.1", verdict: "disallow", description: "two" },
  ],
};

/** What one name is on one side: its value, and to whom it belongs. */
interface Side {
  readonly value: 0 | 1;
  readonly owner?: "reserved" | "static";
}

/** One family of a world. `desired` is absent where it is not declared. */
interface Part {
  readonly family: ResourceFamily;
  readonly label: string;
  readonly desired?: ReadonlyMap<string, JsonObject>;
  readonly live: ReadonlyMap<string, Json>;
  readonly expected: ReadonlyMap<string, Expected>;
}

const declarable: readonly (Side | undefined)[] = [undefined, { value: 0 }, { value: 1 }];
const owned: readonly Side[] = [
  { value: 0, owner: "reserved" },
  { value: 1, owner: "static" },
];

function partsOf(family: ResourceFamily, options: SmallOptions): Part[] {
  const arrays = family === "action_groups" && options.release === "6.x-25";
  const live = arrays ? declarable : [...declarable, ...owned];
  const onServer = live.flatMap((a) => live.map((b) => [a, b] as const));
  const inFiles = declarable.flatMap((a) => declarable.map((b) => [a, b] as const));
  const parts = [...inFiles, undefined].flatMap((sides) => onServer.map((on) => partOf(family, arrays, sides, on)));
  if (options.conflicts !== false) return parts;
  return parts.filter(({ expected }) => ![...expected.values()].includes("conflict"));
}

type Sides = readonly [Side | undefined, Side | undefined];

function partOf(family: ResourceFamily, arrays: boolean, declared: Sides | undefined, onServer: Sides): Part {
  const named = <T>(sides: Sides, make: (side: Side) => T): Map<string, T> =>
    new Map(
      smallNames.flatMap((name, index) => {
        const side = sides[index];
        return side === undefined ? [] : [[name, make(side)] as const];
      }),
    );
  const fates = smallNames.map((name, index) => [name, fateOf(declared, declared?.[index], onServer[index])] as const);
  return {
    family,
    label: `${family} ${declared === undefined ? "undeclared" : letters(declared)} on ${letters(onServer)}`,
    ...(declared === undefined ? {} : { desired: named(declared, (side) => values[family][side.value]) }),
    live: named<Json>(onServer, (side) => wire(family, arrays, side)),
    expected: new Map(
      fates.filter((pair): pair is readonly [(typeof smallNames)[number], Expected] => pair[1] !== undefined),
    ),
  };
}

function fateOf(declared: Sides | undefined, want: Side | undefined, have: Side | undefined): Expected | undefined {
  if (have === undefined) return want === undefined ? undefined : "create";
  if (have.owner !== undefined) return want === undefined || want.value === have.value ? have.owner : "conflict";
  if (declared === undefined) return "unmanaged";
  if (want === undefined) return "delete";
  return want.value === have.value ? "in-sync" : "update";
}

function wire(family: ResourceFamily, arrays: boolean, { value, owner }: Side): Json {
  const fields = values[family][value];
  if (arrays) return fields.allowed_actions ?? [];
  const set = owner === undefined ? {} : { reserved: true, ...(owner === "static" ? { static: true } : {}) };
  const shows = family === "roles" || family === "tenants";
  return { ...(shows ? { reserved: false, hidden: false, static: false } : {}), ...set, ...fields };
}

function worldOf(parts: readonly Part[]): World {
  const seed = `small world: ${parts.map(({ label }) => label).join(", ")}`;
  const declared = parts.flatMap(({ family, desired }) => (desired === undefined ? [] : [[family, desired] as const]));
  return {
    seed,
    desired: { resources: new Map(declared) },
    live: { resources: new Map(parts.map(({ family, live }) => [family, live])) },
    exclude: [],
    expected: new Map(parts.map(({ family, expected }) => [family, expected])),
    layout: seed,
  };
}

/** `0-`: the first name has the first value, the second is absent; `R`, `S` after a value: reserved, static. */
function letters(sides: Sides): string {
  return sides.map((side) => (side ? `${side.value}${side.owner?.[0]?.toUpperCase() ?? ""}` : "-")).join("");
}
