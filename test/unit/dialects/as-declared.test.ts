// What a server shows as it is declared shares the declared value, which must be the one that would have been decoded.
import { expect, test } from "vitest";
import { decodeFamily } from "../../../src/dialects/codec.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import { exampleReleases } from "../../../src/dialects/release.ts";
import type { Json, JsonObject } from "../../../src/json/value.ts";
import { normalise } from "../../../src/normalise/desired.ts";
import { respelled } from "../../fixtures/formats.ts";
import { type Random, randomFrom } from "../../fixtures/index.ts";
import { valueFor } from "../../fixtures/values.ts";
import { repositoryOf } from "../../support/nodes.ts";
import { families as strictFamilies } from "../../support/strict/forms.ts";

const dialects = (["gate", "search-guard", "opensearch"] as const).flatMap((product) =>
  exampleReleases[product].map((release) => [`${product} ${release}`, createDialect(product, release)] as const),
);

test.each(dialects)("%s", (_, dialect) => {
  const random = randomFrom("shown as declared");
  let shared = 0;
  for (let round = 0; round < 500; round++) {
    const family = random.pick(strictFamilies);
    const value = edited(valueFor(family, random, { groups: ["g"], tenants: ["t"] }), random);
    const alike = random.pick([value, respelled(random, value), withoutEmpty(value)]);
    const [shown, written] = [edited(value, random), edited(alike, random)];
    const files = { "state.yml": JSON.stringify({ [family]: { x: written } }) };
    const declared = normalise(repositoryOf(files), dialect, {}).desired.resources.get(family);
    const [decoded, found] = [undefined, declared].map((all) => decodeFamily(dialect, family, { x: shown }, all));
    expect(JSON.stringify(found?.get("x")), JSON.stringify({ shown, written })).toBe(JSON.stringify(decoded?.get("x")));
    if (found?.get("x")?.value === declared?.get("x")?.value) shared++;
  }
  expect(shared).toBeGreaterThan(100);
});

function withoutEmpty(value: JsonObject): JsonObject {
  const isEmpty = (item: Json) => item === "" || (Array.isArray(item) && item.length === 0);
  const kept = Object.entries(value).filter(([, item]) => !isEmpty(item));
  const walk = (item: Json): Json => (typeof item === "object" && item ? withoutEmpty(item as JsonObject) : item);
  return Object.fromEntries(kept.map(([key, item]) => [key, Array.isArray(item) ? item.map(walk) : item]));
}

/** Fields that are no part of an entry, of other releases, unknown, or of a type that they should not have. */
const oddFields = [
  "document_types",
  "permissions",
  "backendroles",
  "cluster",
  "dls",
  "users",
  "reserved",
  "expires",
  "new",
];
const oddValues: readonly Json[] = [null, "", [], "x", 1, true, ["x"], ["*"], ["b", "a", "a"], [null], [{ a: 1 }], {}];

/** Often the value itself; else with odd fields in it, or in the first element of its lists; or lists are cut. */
function edited(value: JsonObject, random: Random): JsonObject {
  if (random.chance(0.6)) return value;
  const cut = (item: Json): Json => (Array.isArray(item) ? item.slice(0, -1) : item);
  if (random.chance(0.2)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cut(item)]));
  const field = random.pick([...oddFields, ...Object.keys(value)]);
  const odd = random.chance(0.2) ? { document_types: ["t"] } : { [field]: random.pick(oddValues) };
  const editFirst = (item: Json): Json =>
    Array.isArray(item) && item[0] && typeof item[0] === "object" ? [{ ...item[0], ...odd }, ...item.slice(1)] : item;
  if (random.chance(0.5)) return { ...value, ...odd };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, editFirst(item)]));
}
