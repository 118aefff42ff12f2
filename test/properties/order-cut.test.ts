// The order of writes where the limit of a body cuts what the order has split: each request that is sent leads to a state that
// was evaluated.
import { expect, test } from "vitest";
import { type Operation, withoutTests } from "../../src/model/operation.ts";
import { type Random, randomFrom } from "../fixtures/index.ts";
import type { Fixture } from "../support/evaluated.ts";
import { countOf } from "../support/extent.ts";
import { products } from "./access/fixtures.ts";
import { isExplained, type Played, play } from "./order/played.ts";
import { summaryOf } from "./order/property.ts";
import { serverOf } from "./order/server.ts";
import { seed } from "./seed.ts";

const count = countOf(1_200, 30);

test.each(products)(
  `random fixtures, parts that are too long, seed ${seed}: %s`,
  async (product) => {
    const server = serverOf(product);
    const random = randomFrom(`order of writes, cut ${product} ${seed}`);
    const counts = { pairs: 0, clean: 0, reported: 0 };
    const broken: string[] = [];
    for (let at = 0; at < count; at++) {
      const [from, to] = [fixtureFrom(random, product), fixtureFrom(random, product)];
      counts.pairs += 1;
      const unlimited = await play(server, from, to);
      for (const part of unlimited?.planned.operations.filter(isPartOfSeveral) ?? []) {
        const limited = await play(server, from, to, bytesOf(withoutTests(part)) - 1);
        if (!limited) continue;
        counts[isExplained(limited.planned) ? "reported" : "clean"] += 1;
        broken.push(...brokenIn(limited).map((what) => `${what}\n  ${JSON.stringify([from, to])}`));
      }
    }
    console.info(`The order of writes, parts cut, ${product}: ${JSON.stringify(counts)}`);
    expect(summaryOf(broken)).toEqual([]);
    // Else the property would say nothing of parts that are cut.
    expect(counts.clean).toBeGreaterThan(count / 4);
  },
  1_800_000,
);

function brokenIn({ planned, wrong, breaches }: Played): readonly string[] {
  return isExplained(planned) ? wrong : [...wrong, ...breaches.map((what) => `breach that is not reported: ${what}`)];
}

/** What the limit of a body may cut again. */
function isPartOfSeveral({ intermediate, names }: Operation): boolean {
  return intermediate !== undefined && names.length > 1;
}

function bytesOf({ body }: Operation): number {
  return Buffer.byteLength(JSON.stringify(body));
}

/** Roles of one permission each, and their members: from one fixture to another nearly all of this changes. */
function fixtureFrom(random: Random, product: Fixture["product"]): Fixture {
  const names = ["r", "s", "t"];
  const element = () => ({
    index_patterns: random.some(["a", "b", "c"], 1, 2).sort(),
    allowed_actions: random.some(["indices:data/read/search", "indices:data/write/index"], 1, 2).sort(),
  });
  return {
    product,
    groups: {},
    roles: Object.fromEntries(names.map((name) => [name, { index_permissions: [element()] }])),
    mappings: Object.fromEntries(names.map((name) => [name, { users: random.some(["u1", "u2", "u3"], 1, 3).sort() }])),
    tenants: [],
    blocks: [],
  };
}
