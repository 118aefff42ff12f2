// What lists of permissions come to, also through more groups than the machine's stack or memory has space for.
import { describe, expect, test } from "vitest";
import { createGroupExpander } from "../../../../src/access/model/groups.ts";
import { getSemantics } from "../../../../src/dialects/find-semantics.ts";
import { createDialect, products } from "../../../../src/dialects/index.ts";
import type { Fields } from "../../../../src/json/value.ts";

const releases = { gate: "7.x-43.0.0", "search-guard": "7", opensearch: "2.19" } as const;

describe.each(products)("on %s", (product) => {
  const semantics = getSemantics(createDialect(product, releases[product]));
  const count = 12_000;
  const chain = new Map(
    Array.from({ length: count }, (_, at): [string, Fields] => [
      `g${at}`,
      { allowed_actions: at === count - 1 ? ["indices:data/read*"] : [`g${at + 1}`, `action-${at}`] },
    ]),
  );

  test("a chain of 12 000 groups grants what each of them holds", () => {
    const granted = createGroupExpander(chain, semantics)(["g0"]);
    const last = granted.find(({ pattern }) => pattern === "indices:data/read*");
    expect([last?.via.length, last?.via[0], last?.via.at(-1)]).toEqual([count, "g0", `g${count - 1}`]);
    expect(granted.filter(({ pattern }) => pattern.startsWith("action-"))).toHaveLength(count - 1);
  });

  test("compared as text, it takes no more space than its names", () => {
    const granted = createGroupExpander(chain, semantics)(["g0"]);
    expect(JSON.stringify(granted).length).toBeLessThan(granted.length * 60);
  });
});
