// Every fixture of one family over two names and two values, and a sample of pairs of families, through all the properties.
import { describe, expect, test } from "vitest";
import { type Fixture, smallFixtures } from "../fixtures/index.ts";
import { everyNth } from "../support/extent.ts";
import { families as strictFamilies } from "../support/strict/forms.ts";
import { brokenProperties, type Harness } from "./cycle.ts";
import { onEvery, useGrounds } from "./harness.ts";
import { seed } from "./seed.ts";

const minutes = 600_000;
const crew = 4;

async function check(grounds: readonly Harness[], fixtures: Iterable<Fixture>, howMany: number) {
  const broken: string[] = [];
  const all = [...fixtures];
  expect(all).toHaveLength(howMany);
  await onEvery(grounds, everyNth(2, all), async (fixture, harness) => {
    const lines = await brokenProperties(fixture, harness);
    broken.push(...lines.map((line) => `${fixture.seed}: ${line}`));
  });
  expect(broken).toEqual([]);
}

describe("the newest release", () => {
  const grounds = useGrounds(crew);
  test.each(strictFamilies)(
    "every small fixture of %s",
    (family) => check(grounds(), smallFixtures({ families: [family] }), 250),
    minutes,
  );
  test(
    `pairs of families, seed ${seed}`,
    () =>
      check(
        grounds(),
        [...smallFixtures({ seed })].filter(({ live }) => live.resources.size === 2),
        200,
      ),
    minutes,
  );
});

describe("6.x-25", () => {
  const [families, release] = [["action_groups"], "6.x-25"] as const;
  const grounds = useGrounds(crew, { server: { release }, stated: { product: "gate", release } });
  test(
    "every small fixture of action groups",
    () => check(grounds(), smallFixtures({ families, release }), 90),
    minutes,
  );
});

describe("an engine without PATCH of role mappings", () => {
  const grounds = useGrounds(crew, { server: { engine: "6.3.2" }, withoutPatch: ["action_groups", "role_mappings"] });
  test(
    "every small fixture of role mappings",
    () => check(grounds(), smallFixtures({ families: ["role_mappings"], conflicts: false }), 194),
    minutes,
  );
});
