// What is sent and read again is what was meant: decode(encode(x)) is x.
import { expect, test } from "vitest";
import { decodeFamily, decodeResource, encodeForBulk, encodeResource } from "../../../src/dialects/codec.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import { exampleReleases } from "../../../src/dialects/release.ts";
import type { Fields } from "../../../src/json/value.ts";
import type { ResourceFamily } from "../../../src/model/names.ts";
import { canonicaliseEntry } from "../../../src/normalise/resource.ts";

const written: readonly (readonly [ResourceFamily, Fields])[] = [
  ["roles", {}],
  ["roles", { cluster_permissions: ["b", "a"], tenant_permissions: [] }],
  [
    "roles",
    {
      index_permissions: [
        { index_patterns: ["b-*", "a"], allowed_actions: ["READ"], dls: "{}", fls: ["~x", "y"] },
        { index_patterns: ["a"], allowed_actions: ["WRITE"], dls: "{}", fls: ["y", "~x"] },
        { index_patterns: ["c"], document_types: ["t", "u"], allowed_actions: ["READ"] },
        { index_patterns: ["c"], document_types: ["*"], allowed_actions: ["WRITE"] },
        { index_patterns: ["d"], masked_fields: ["m"] },
      ],
    },
  ],
  ["roles", { indices: { "logs.x": { "*": ["READ"], doc: ["WRITE"], _masked_fields_: ["m"] } }, tenants: { t: "RW" } }],
  [
    "roles",
    {
      tenant_permissions: [
        { tenant_patterns: ["t", "u"], allowed_actions: ["SGS_KIBANA_ALL_READ"] },
        { tenant_patterns: ["t"], allowed_actions: ["SGS_KIBANA_ALL_WRITE"] },
      ],
    },
  ],
  ["role_mappings", { backendroles: ["b"], users: ["a", 1] }],
  ["role_mappings", { hosts: [] }],
  ["action_groups", { permissions: ["b", "a"] }],
  ["action_groups", { allowed_actions: [] }],
  ["tenants", { description: "x" }],
  ["blocks", { type: "ip", value: ["1.2.3.4"], verdict: "allow" }],
];

const dialects = (["search-guard", "opensearch"] as const).flatMap((product) =>
  exampleReleases[product].map((release) => [`${product} ${release}`, createDialect(product, release)] as const),
);

test.each(dialects)("%s", (_, dialect) => {
  for (const [family, entry] of written) {
    const canonical = canonicaliseEntry(dialect, family, entry);
    expect(decodeResource(dialect, family, encodeResource(dialect, family, canonical))).toEqual(canonical);
    const bulk = { x: encodeForBulk(dialect, family, canonical) } as Fields;
    expect(decodeFamily(dialect, family, bulk)?.get("x")?.value).toEqual(canonical);
  }
});
