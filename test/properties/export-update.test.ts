// `export --update`: afterwards a plan has nothing to do but what was reported, and the rest of the files is what it was.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { RunError } from "../../src/index.ts";
import type { Json, JsonObject } from "../../src/json/value.ts";
import { count } from "../fixtures/fixture.ts";
import { type Fixture, generateFixture, layOut, type Random, randomFrom } from "../fixtures/index.ts";
import { writeWildYaml } from "../fixtures/wild-yaml.ts";
import { userMessageOf } from "./cycle.ts";
import { useHarness } from "./harness.ts";
import { seeds } from "./seed.ts";
import { expectComments, expectConverged, type Updated, updateOnce } from "./update-cycle.ts";

const harness = useHarness();

interface Layout {
  /** Of the paths of `layOut`: the folder that it is put into. */
  readonly folder: (path: string) => string;
  readonly state: readonly string[];
  readonly others?: readonly string[];
  /** Some strings become references to variables. */
  readonly withVariables?: boolean;
}

/** The files of a fixture, laid out at random, in a folder of their own. */
function writeFiles(fixture: Fixture, random: Random, url: string, layout: Layout): string {
  const folder = mkdtempSync(join(tmpdir(), "gate-sync-"));
  const vars = new Map<string, string>();
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, text] of layOut(fixture)) {
    const value = parse(text) as JsonObject;
    const written = layout.withVariables ? (withVariables(value, random, vars) as JsonObject) : value;
    const place = join(layout.folder(path), path.replace(/\.json$/, ".yml"));
    put(place, Object.keys(written).length > 0 ? writeWildYaml(written, random) : "# Nothing.\n");
  }
  for (const state of layout.state) put(join(state, "own.yml"), "# Of nobody else.\n");
  const families = Object.fromEntries(
    ["roles", "role_mappings", "tenants", "action_groups", "blocks"].map((name) => [
      name,
      { exclude: ["other_team_*"] },
    ]),
  );
  const targets = {
    prod: { url, product: "gate", state: layout.state },
    ...(layout.others && { dev: { url: "http://127.0.0.1:1", state: layout.others } }),
  };
  put("gate-sync.yaml", JSON.stringify({ defaults: { families, vars: Object.fromEntries(vars) }, targets }));
  return folder;
}

/** Strings below fields, and never names: a name that is a reference is another entry. */
function withVariables(value: Json, random: Random, vars: Map<string, string>, depth = 0): Json {
  if (Array.isArray(value)) return value.map((item) => withVariables(item, random, vars, depth + 1));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, withVariables(item, random, vars, depth + 1)]),
    );
  if (typeof value !== "string" || depth < 3 || !/^[\w*-]+$/.test(value) || !random.chance(0.1)) return value;
  vars.set(`v${vars.size}`, value);
  return `\${var:v${vars.size - 1}}`;
}

async function update(fixture: Fixture, random: Random, layout: Layout, shared = false) {
  const { emulator } = harness();
  emulator.replaceState({ ...Object.fromEntries(fixture.live.resources) });
  const folder = writeFiles(fixture, random, emulator.url, layout);
  try {
    return await updateOnce(folder, shared);
  } catch (error) {
    throw error instanceof RunError ? new Error(userMessageOf(error), { cause: error }) : error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Entries that contradict a reserved one are an error. */
function fixtureOf(seed: number): Fixture {
  for (let each = seed; ; each += 1_000) {
    const fixture = generateFixture({ seed: each, size: 25, nastyNames: seed % 3 === 0 ? 0.3 : 0 });
    if (count(fixture, "conflict") === 0) return fixture;
  }
}
/** What cannot be edited in place is rare. */
function expectOnlyAnchored({ left }: Pick<Updated, "left">, about: string): void {
  const others = left.filter(({ why }) => !/anchor|comment/.test(why));
  expect(
    others.map(({ address, why }) => [address, why]),
    about,
  ).toEqual([]);
}

const all: Layout = { folder: () => "access", state: ["access"] };

test.each(seeds(80, 20))("a random fixture, seed %i", async (seed) => {
  const updated = await update(fixtureOf(seed), randomFrom(`update ${seed}`), all);
  const about = `seed ${seed}`;
  expectConverged(updated, about);
  expectComments(updated, about);
  expectOnlyAnchored(updated, about);
});

test.each(seeds(40, 10))("with variables, none of which is replaced, seed %i", async (seed) => {
  const updated = await update(fixtureOf(seed), randomFrom(`update vars ${seed}`), { ...all, withVariables: true });
  expectConverged(updated, `seed ${seed}`);
  const countReferences = (files: ReadonlyMap<string, string>) =>
    [...files.values()].flatMap((text) => text.match(/\$\{var:v\d+\}/g) ?? []).length;
  const gone = updated.taken.filter(({ kind }) => kind === "removed").length;
  if (gone === 0) expect(countReferences(updated.after), `seed ${seed}`).toBe(countReferences(updated.before));
  const others = updated.left.filter(({ why }) => !/\$\{var:v\d+\} is written there/.test(why));
  expectOnlyAnchored({ ...updated, left: others }, `seed ${seed}`);
});

test.each(seeds(40, 10))("in files that another target reads, which stay, seed %i", async (seed) => {
  const layout = { folder: () => "base", state: ["base", "own"], others: ["base"] };
  const updated = await update(fixtureOf(seed), randomFrom(`update shared ${seed}`), layout);
  expectConverged(updated, `seed ${seed}`);
  for (const [path, text] of updated.before)
    if (path.startsWith("base")) expect(updated.after.get(path), path).toBe(text);
  expectOnlyAnchored(updated, `seed ${seed}`);
});

test.each(seeds(20, 5))("in files that another target reads, for all of them, seed %i", async (seed) => {
  const layout = { folder: () => "base", state: ["base", "own"], others: ["base"] };
  const updated = await update(fixtureOf(seed), randomFrom(`update for all ${seed}`), layout, true);
  expectConverged(updated, `seed ${seed}`);
  expectComments(updated, `seed ${seed}`);
  for (const [path, text] of updated.after)
    if (path.startsWith("own")) expect(text, path).toBe(updated.before.get(path));
});
