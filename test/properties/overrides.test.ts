// What a base and overrides come to is what would be declared if it were written out, whatever the overrides make of the base.
import { expect, test } from "vitest";
import { createDialect } from "../../src/dialects/index.ts";
import { canonicaliseFields } from "../../src/families/canonical.ts";
import { factsOf } from "../../src/families/index.ts";
import { type Fields, isEqual, isList, type JsonObject, type Value } from "../../src/json/value.ts";
import { escapeReferences } from "../../src/load/reference-text.ts";
import { normalise } from "../../src/normalise/desired.ts";
import { applyOverrides } from "../../src/normalise/overrides.ts";
import { generateFixture, type Random, randomFrom } from "../fixtures/index.ts";
import { repositoryOf } from "../support/nodes.ts";
import { type FamilyName, families as strictFamilies } from "../support/strict/forms.ts";
import { seeds } from "./seed.ts";

type Bodies = ReadonlyMap<string, Fields>;

const dialect = createDialect("gate", "7.x-43.0.0");

test.each(seeds(300, 40))("seed %i", (seed) => {
  const random = randomFrom(`overrides ${seed}`);
  const [from, to] = [generateFixture({ seed, size: 6 }), generateFixture({ seed: seed + 1e6, size: 6 })];
  const base: Record<string, JsonObject> = {};
  const overrides: Record<string, Record<string, Value>>[] = [{}, {}];
  const wanted: Record<string, JsonObject> = {};
  for (const family of strictFamilies) {
    const [old, made] = pairUp(
      canonical(family, from.desired.resources.get(family)),
      canonical(family, to.desired.resources.get(family)),
      random,
    );
    base[family] = Object.fromEntries(old) as JsonObject;
    wanted[family] = Object.fromEntries(made) as JsonObject;
    for (const [name, value] of old) {
      const file = overrides[random.below(2)] ?? {};
      const body = overrideOf(family, value, made.get(name), random);
      if (Object.keys(body).length > 0) file[family] = { ...file[family], [name]: body };
    }
  }
  const files = {
    "base.json": JSON.stringify(base),
    ...Object.fromEntries(overrides.map((one, at) => [`over${at}.json`, JSON.stringify({ overrides: one })])),
  };
  const { repository, diagnostics } = applyOverrides(repositoryOf(files));
  expect(diagnostics).toEqual([]);
  expect(valuesOf(repository)).toEqual(valuesOf(repositoryOf({ "wanted.json": JSON.stringify(wanted) })));
});

/** Entries of the one as they would be of the other: some gone, the others with the fields of some other entry. */
function pairUp(old: Bodies, other: Bodies, random: Random): readonly [Bodies, Bodies] {
  const bodies = [...other.values()];
  const kept = [...old].filter(() => random.chance(0.8));
  const made = kept.map(([name, value], at): [string, Fields] => [
    name,
    random.chance(0.2) ? value : (bodies[at % bodies.length] ?? value),
  ]);
  return [old, new Map(made)];
}

function overrideOf(family: FamilyName, old: Fields, made: Fields | undefined, random: Random): Record<string, Value> {
  if (!made) return { remove: true };
  const body: Record<string, Value> = {};
  for (const [field, { kind }] of Object.entries(factsOf[family].fields)) {
    const [was, will] = [old[field], made[field]];
    if (isEqual(was, will)) continue;
    if ((kind !== "set" && kind !== "permissions") || hasTwins(was) || hasTwins(will) || random.chance(0.3)) {
      // A text is emptied, a list too: nothing else of an entry can be taken away.
      body[field] = will ?? (kind === "text" || kind === "word" ? "" : []);
      continue;
    }
    const [gone, come] = [without(was, will), without(will, was)];
    if (gone.length > 0) body[`-${field}`] = gone;
    if (come.length > 0) body[`+${field}`] = come;
  }
  return body;
}

function listOf(value: Value | undefined): readonly Value[] {
  return isList(value) ? value : [];
}

function without(some: Value | undefined, others: Value | undefined): readonly Value[] {
  return listOf(some).filter((one) => !listOf(others).some((other) => isEqual(one, other)));
}

function hasTwins(value: Value | undefined): boolean {
  return listOf(value).some((one, at) => listOf(value).some((other, place) => place > at && isEqual(one, other)));
}

function canonical(family: FamilyName, declared: ReadonlyMap<string, JsonObject> = new Map()): Bodies {
  const bodies = [...declared].map(([name, value]): [string, Fields] => [
    escapeReferences(name),
    escaped(canonicaliseFields(value, factsOf[family].fields)) as Fields,
  ]);
  return new Map(bodies);
}

function escaped(value: Value): Value {
  if (typeof value === "string") return escapeReferences(value);
  if (isList(value)) return value.map(escaped);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, escaped(item as Value)]));
}

function valuesOf(repository: ReturnType<typeof repositoryOf>) {
  const { desired } = normalise(repository, dialect, {});
  return [...desired.resources].map(([family, entries]) => [
    family,
    [...entries].map(([name, { value }]) => [name, value]),
  ]);
}
