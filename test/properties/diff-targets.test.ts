// Two targets differ in just those entries that are not deeply equal in canonical form, and the other way round in the same ones.
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { createDialect } from "../../src/dialects/index.ts";
import type { Json } from "../../src/json/value.ts";
import { createAddress, resourceFamilies } from "../../src/model/names.ts";
import { normalise } from "../../src/normalise/desired.ts";
import { generateFixture, type Random, randomFrom } from "../fixtures/index.ts";
import { gateSyncWithin, inFolder } from "../support/command.ts";
import { repositoryOf } from "../support/nodes.ts";
import { seeds } from "./seed.ts";

type State = Record<string, Record<string, Json>>;

/** Without access, which has properties of its own: it takes seconds where everybody has a hundred roles. */
const flags = ["--format", "json", ...resourceFamilies.flatMap((family) => ["--family", family])];
const dialect = createDialect("gate", "7.x-43.0.0");

test.each(seeds(60, 10))("seed %i", async (seed) => {
  const random = randomFrom(`diff-targets ${seed}`);
  const { desired } = generateFixture({ seed, size: 12, nastyNames: 0.3 });
  const one: State = Object.fromEntries(
    [...desired.resources].map(([family, all]) => [family, Object.fromEntries(all)]),
  );
  const other: State = Object.fromEntries(Object.entries(one).map(([family, all]) => [family, change(all, random)]));
  const files = {
    "gate-sync.yaml":
      "defaults: { product: gate }\ntargets: { one: { state: [one.json] }, other: { state: [other.json] } }\n",
    "one.json": JSON.stringify(one),
    "other.json": JSON.stringify(other),
  };
  await inFolder(files, async (cwd) => {
    const compare = async (from: string, to: string) => {
      const { code, stdout } = await gateSyncWithin(["diff-targets", from, to, ...flags], { cwd });
      const { equal, differences } = JSON.parse(stdout);
      expect(code).toBe(equal ? 0 : 2);
      return differences.map(({ address, only_in: only }: Record<string, string>) => [address, only]);
    };
    const wanted = findDifferences(one, other);
    expect(await compare("one", "other")).toEqual(wanted);
    const reversed = { from: "to", to: "from" } as const;
    expect(await compare("other", "one")).toEqual(
      wanted.map(([address, only]) => [address, only === null ? null : reversed[only]]),
    );
    expect(await compare("one", "one")).toEqual([]);
  });
});

/** Some entries are gone, some have the value of another one, and some have another name. */
function change(entries: Record<string, Json>, random: Random): Record<string, Json> {
  const values = Object.values(entries);
  const kept = Object.entries(entries).flatMap(([name, value]): [string, Json][] => {
    if (random.chance(0.2)) return [];
    if (random.chance(0.2)) return [[`${name}2`, value]];
    return [[name, random.chance(0.3) ? random.pick(values) : value]];
  });
  return Object.fromEntries(kept);
}

function findDifferences(one: State, other: State) {
  const [from, to] = [one, other].map(
    (state) => normalise(repositoryOf({ "a.json": JSON.stringify(state) }), dialect, {}).desired.resources,
  );
  return resourceFamilies.flatMap((family) => {
    const names = [...new Set([...(from?.get(family)?.keys() ?? []), ...(to?.get(family)?.keys() ?? [])])].sort();
    return names.flatMap((name): [string, "from" | "to" | null][] => {
      const [was, is] = [from?.get(family)?.get(name), to?.get(family)?.get(name)];
      const isSame = isDeepStrictEqual([was?.value, was?.serverOwned], [is?.value, is?.serverOwned]);
      return isSame ? [] : [[createAddress(family, name), was === undefined ? "to" : is === undefined ? "from" : null]];
    });
  });
}
