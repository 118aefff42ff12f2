import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { canonicalFields } from "../../../src/families/canonical.ts";
import { factsOf } from "../../../src/families/index.ts";
import { canonicalText } from "../../../src/json/canonical.ts";
import type { Json, JsonObject } from "../../../src/json/value.ts";
import { type ResourceFamily, resourceFamilies } from "../../../src/model/names.ts";
import { checkResource } from "../../support/strict/forms.ts";
import { isMap } from "../../support/strict/json.ts";
import { without } from "../../support/strict/state.ts";
import {
  changedFamilies,
  count,
  type Expected,
  generateWorld,
  nastyNames,
  refusedDeletions,
  shuffleWorld,
  smallWorlds,
  type World,
  writeWorld,
} from "../../world/index.ts";

const flags = ["reserved", "hidden", "static"];

function canonical(family: ResourceFamily, value: Json | undefined): string | undefined {
  if (value === undefined) return undefined;
  const fields = isMap(value) ? value : { allowed_actions: value };
  return canonicalText(canonicalFields(without(fields, flags), factsOf[family].fields));
}

/** What a comparison of both sides says, to be held against what the generator meant. */
function compared(world: World, family: ResourceFamily, name: string): Expected | undefined {
  const want = world.desired.resources.get(family)?.get(name);
  const have = world.live.resources.get(family)?.get(name);
  const owner = ["hidden", "static", "reserved"].find((flag) => isMap(have) && have[flag] === true);
  const same = canonical(family, want) === canonical(family, have);
  if (owner !== undefined) return want === undefined || same ? (owner as Expected) : "conflict";
  if (have === undefined) return want === undefined ? undefined : "create";
  if (want !== undefined) return same ? "in-sync" : "update";
  const foreign = !world.desired.resources.has(family) || (world.exclude.length > 0 && name.startsWith("other_team_"));
  return foreign ? "unmanaged" : "delete";
}

function check(world: World): void {
  for (const [family, fates] of world.expected) {
    const desired = world.desired.resources.get(family) ?? new Map<string, JsonObject>();
    const names = new Set([...desired.keys(), ...(world.live.resources.get(family)?.keys() ?? [])]);
    const seen = new Map([...names].map((name) => [name, compared(world, family, name)]));
    expect(new Map([...fates].sort()), world.seed).toEqual(new Map([...seen].sort()));
    for (const value of desired.values()) checkResource(family, "7.x-43.0.0", value);
  }
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])("what a world expects is what its sides say: seed %i", (seed) => {
  for (const size of [1, 7, 60]) {
    const world = generateWorld({ seed, size, nastyNames: 0.3, config: "drift" });
    check(world);
    check(shuffleWorld(world, seed));
    expect(refusedDeletions(world), world.seed).toEqual([]);
  }
  check(generateWorld({ seed, size: 20, release: "6.x-25" }));
});

test("a large world has some of everything in every family", () => {
  const world = generateWorld({ seed: 1, size: 100 });
  const fates: Expected[] = ["create", "update", "delete", "in-sync", "reserved", "static", "hidden", "unmanaged"];
  for (const family of resourceFamilies) {
    for (const fate of fates) expect(count(world, fate, family), `${fate} ${family}`).toBeGreaterThan(0);
  }
});

test("options: families, drift, deletions, owners", () => {
  const world = generateWorld({ seed: 3, size: 10, families: ["roles"], drift: 0, deletions: 6 });
  expect([...world.desired.resources.keys()]).toEqual(["roles"]);
  expect(changedFamilies(world)).toEqual(["roles"]);
  expect(refusedDeletions(world)).toEqual(["roles"]);
  expect(count(world, "unmanaged", "tenants")).toBeGreaterThan(10);
  const ours = generateWorld({ seed: 3, size: 10, serverOwned: false, unmanaged: 0 });
  expect(["reserved", "static", "hidden", "unmanaged"].map((fate) => count(ours, fate as Expected))).toEqual([
    0, 0, 0, 0,
  ]);
});

test("the same seed makes the same world, another one another", () => {
  const make = (seed: number) => generateWorld({ seed, size: 30, config: "in-sync" });
  expect(make(5)).toEqual(make(5));
  expect(make(5).live).not.toEqual(make(6).live);
});

test("every nasty name is met", () => {
  const world = generateWorld({ seed: 1, size: 400, nastyNames: 1, families: ["tenants"] });
  const names = new Set(world.expected.get("tenants")?.keys());
  expect(nastyNames.filter((name) => !names.has(name))).toEqual([]);
});

test("small worlds: how many, all different, and right about themselves", () => {
  const all = [...smallWorlds({ pairs: 0 })];
  expect(all).toHaveLength(1250);
  expect(new Set(all.map(({ seed }) => seed)).size).toBe(1250);
  for (const world of all) check(world);
  expect([...smallWorlds()]).toHaveLength(1450);
  expect([...smallWorlds({ conflicts: false })]).toHaveLength(1170);
  expect([...smallWorlds({ families: ["roles", "blocks"], pairs: 7 })]).toHaveLength(507);
  const old = [...smallWorlds({ families: ["action_groups"], release: "6.x-25" })];
  expect(old).toHaveLength(90);
  for (const world of old) check(world);
});

/** What the files of a world say, all together: `family/name` to its value. */
async function written(world: World): Promise<Map<string, unknown>> {
  const folder = await mkdtemp(join(tmpdir(), "world-"));
  const found = new Map<string, unknown>();
  for (const path of await writeWorld(world, folder)) {
    const document: Map<string, Map<string, unknown>> = parse(await readFile(join(folder, path), "utf8"), {
      mapAsMap: true,
    });
    for (const [family, entries] of document) {
      found.set(family, true);
      for (const [name, value] of entries) {
        expect(found.has(`${family}/${name}`), `${family}/${name} twice`).toBe(false);
        found.set(`${family}/${name}`, plain(value));
      }
    }
  }
  await rm(folder, { recursive: true });
  return found;
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  return value instanceof Map ? Object.fromEntries([...value].map(([key, item]) => [key, plain(item)])) : value;
}

function declared({ desired }: World): Map<string, unknown> {
  const sections = [...desired.resources].flatMap(([family, resources]) => [
    [family, true] as const,
    ...[...resources].map(([name, value]) => [`${family}/${name}`, value] as const),
  ]);
  const config = desired.config
    ? [
        ["config", true],
        ["config/dynamic", desired.config.dynamic],
      ]
    : [];
  return new Map<string, unknown>([...sections, ...(config as [string, unknown][])]);
}

test.each([1, 2, 3, 4, 5, 6])("the files of a world say what it declares: seed %i", async (seed) => {
  const world = generateWorld({ seed, size: seed === 1 ? 0 : 25, nastyNames: 0.5, config: "drift" });
  expect(await written(world)).toEqual(declared(world));
});

test("shuffling moves names to other files and changes no meaning", async () => {
  const world = generateWorld({ seed: 9, size: 25, config: "drift" });
  const other = shuffleWorld(world, 1);
  expect([...(await written(other)).keys()].sort()).toEqual([...(await written(world)).keys()].sort());
  expect([...(other.live.resources.get("roles")?.keys() ?? [])]).not.toEqual([
    ...(world.live.resources.get("roles")?.keys() ?? []),
  ]);
  for (const [family, resources] of world.desired.resources) {
    for (const [name, value] of resources) {
      expect(canonical(family, other.desired.resources.get(family)?.get(name))).toBe(canonical(family, value));
    }
  }
});
