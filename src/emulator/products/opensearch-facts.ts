// What surrounds the API of OpenSearch.
import type { EngineFacts, IdentityFacts, OtherRoute } from "../product.ts";
import { createEngineFailure } from "../reply.ts";

/** The last patch release of those that were recorded or that a line alone means; of the others the first one. */
const numbers: Readonly<Record<string, string>> = {
  "1": "1.3.20",
  "2": "2.19.1",
  "2.11": "2.11.1",
  "2.19": "2.19.1",
  "3": "3.4.0",
};

export function createOpenSearchEngine(release: string): EngineFacts {
  const number = numbers[release] ?? (release.includes(".") ? `${release}.0` : `${release}.0.0`);
  return {
    distribution: "opensearch",
    tagline: "The OpenSearch Project: https://opensearch.org/",
    number,
    // As recorded from one release.
    build: {
      build_type: "zip",
      build_hash: "2e4741fb45d1b150aaeeadf66d41445b23ff5982",
      build_date: "2025-02-27T01:16:47.726162386Z",
      build_snapshot: false,
      lucene_version: "9.12.1",
      minimum_wire_compatibility_version: "7.10.0",
      minimum_index_compatibility_version: "7.0.0",
    },
    plugin: { component: "opensearch-security", version: `${number}.0` },
    // It answers nothing at all.
    badEscape: (detail) => createEngineFailure(400, "illegal_argument_exception", detail),
    plusIsBlank: false,
  };
}

export function listOtherRoutes(root: string): readonly (readonly [string, OtherRoute])[] {
  return [
    ["/_cat/plugins", { kind: "plugins", methods: ["GET"] }],
    [`${root}/health`, { kind: "health", methods: ["POST", "GET"] }],
    [`${root}/authinfo`, { kind: "authinfo", methods: ["POST", "GET"] }],
    [`${root}/api/permissionsinfo`, { kind: "permissions", methods: ["GET"] }],
    // A PUT would change the own password.
    [`${root}/api/account`, { kind: "account", methods: ["GET"] }],
    ["/.opendistro_security/_doc/internalusers", { kind: "users-document", methods: ["GET"] }],
  ];
}

export const whoami: readonly [string, OtherRoute] = [
  "/_plugins/_security/whoami",
  { kind: "whoami", methods: ["POST", "GET"] },
];

export const openSearchIdentity: IdentityFacts = {
  backendWord: "backend_roles",
  keys: { roles: "roles", tenants: "tenants", attributes: "custom_attribute_names" },
  wrapsWhoami: false,
  reportsCluster: false,
};
