// Who gains and who loses by a conversion: each product evaluates its own state. Each case is a state, and what is said of it.
import { describe, expect, it } from "vitest";
import { formatMember } from "../../../src/access/model/subject.ts";
import type { AccessDifferences } from "../../../src/model/access.ts";
import { convertText, type ProductRelease } from "../../support/converted.ts";

const [seven, open] = ["search-guard 7.x-38", "opensearch 2.19"] as const;
const role = (more: string) => `roles: { r: { ${more} } }\nrole_mappings: { r: { users: [ana] } }\n`;
const reads = (patterns: string, more = "") =>
  role(`index_permissions: [{ index_patterns: [${patterns}], allowed_actions: ["indices:data/read/search"]${more} }]`);

interface Case {
  readonly title: string;
  readonly from?: ProductRelease;
  readonly to?: string;
  readonly isExact?: true;
  readonly text: string;
  /** `gained user ana: indices:a on x`, by examples; without those of users that the products come with. */
  readonly differences?: readonly string[];
  /** How sentences begin. */
  readonly unknown?: readonly string[];
}

const ofDashboards = "requests about .kibana alone";

const cases: readonly Case[] = [
  { title: "the same, by other names", text: role("cluster_permissions: [SGS_CLUSTER_MONITOR, SGS_CLUSTER_ALL]") },
  { title: "the same, where _all is a star", from: open, to: "opensearch", text: reads("_all, x") },
  {
    title: "the same, where a star is a user",
    from: open,
    to: "search-guard-7",
    text: role("").replace("users: [ana]", 'backend_roles: ["*"]'),
  },
  {
    title: "what a built-in group holds besides",
    text: reads("x").replace('"indices:data/read/search"', "SGS_READ"),
    differences: ["gained user ana: indices:admin/resolve/index on x"],
  },
  {
    title: "nothing where it is written out",
    isExact: true,
    text: reads("x").replace('"indices:data/read/search"', "SGS_READ"),
  },
  {
    title: "documents and fields, by restrictions that one of the products may not apply",
    text: reads("/x.*/, x?", ", fls: [a]"),
    differences: ["may-change user ana: indices:data/read/search on x-2026"],
    unknown: ["which restrictions apply to data streams"],
  },
  {
    title: "the same documents and fields",
    text: reads("x", `, fls: [a], dls: '{"term":{"a":"\${user.name}"}}'`),
    unknown: ["which restrictions apply to data streams"],
  },
  {
    title: "documents, where FLX lets another role lift a restriction",
    to: "search-guard-flx",
    text: `roles:
  a: { index_permissions: [{ index_patterns: [x], fls: [f], allowed_actions: ["indices:data/read/search"] }] }
  b: { index_permissions: [{ index_patterns: [x], allowed_actions: ["indices:data/read/search"] }] }
  c: { index_permissions: [{ index_patterns: [x], allowed_actions: ["indices:data/read/search"] }] }
role_mappings: { a: { users: [ana, bo] }, b: { users: [ana] }, c: { backend_roles: [c] } }`,
    differences: [
      "widened user ana: indices:data/read/search on x",
      "widened backend role c and user bo: indices:data/read/search on x",
    ],
  },
  {
    title: "hidden indices, which OpenSearch shows without a restriction by a pattern",
    text: reads("x*", ", fls: [a]"),
    unknown: ["what of hidden indices is seen", "which restrictions apply to data streams"],
  },
  {
    title: "by roles that OpenSearch unites",
    text: `${reads("x")}config: { dynamic: { multi_rolespan_enabled: false } }`,
    unknown: ["who gains and who loses by multi_rolespan_enabled"],
  },
  {
    title: "by requests that are reduced to what is permitted",
    text: `${reads("x")}config: { dynamic: { do_not_fail_on_forbidden: true } }`,
    unknown: ["what do_not_fail_on_forbidden reduces"],
  },
  {
    title: "by dates in names of indices",
    text: reads('"<x-{now/d}>"'),
    unknown: ["what <x-{now/d}> grants"],
  },
  {
    title: "by indices that do not exist yet",
    text: reads("_all"),
    unknown: [ofDashboards, "requests that name indices which do not exist yet"],
  },
  {
    title: "by requests over everything",
    text: reads('".o*", "x"'),
    unknown: ["requests over all indices at once"],
  },
  {
    title: "whom blocks shut out",
    from: "search-guard 7",
    text: `${role("")}blocks: { b: { type: name, value: ana, verdict: disallow } }`,
    differences: ["blocked ana: yes, then no"],
  },
  {
    title: "what roles exclude",
    from: "search-guard 7",
    text: role("cluster_permissions: ['cluster:monitor/*'], exclude_cluster_permissions: ['cluster:monitor/state']"),
    differences: ["gained user ana: cluster:monitor/state"],
  },
  {
    title: "the tenant of all users, where a pattern matches its new name alone",
    text: role("tenant_permissions: [{ tenant_patterns: ['*lobal_t*'], allowed_actions: [SGS_KIBANA_ALL_READ] }]"),
    differences: ["tenant global_tenant user ana: nothing, then read"],
  },
  {
    title: "the tenant of all users, where it is the same",
    text: role("tenant_permissions: [{ tenant_patterns: ['SGS_*'], allowed_actions: [SGS_KIBANA_ALL_WRITE] }]"),
  },
  {
    title: "the tenant of all users, which a tenant of the same name was not",
    text: `${role("tenant_permissions: [{ tenant_patterns: ['*_tenant'], allowed_actions: [SGS_KIBANA_ALL_READ] }]")}tenants: { global_tenant: {} }`,
    differences: ["tenant global_tenant user ana: nothing, then read"],
  },
  {
    title: "the same tenants of Search Guard 6, of which one is called otherwise",
    from: "search-guard 6",
    text: "roles: { r: { tenants: { global_tenant: RW, hr: RO } } }\nrole_mappings: { r: { users: [ana] } }",
    unknown: ["who gains and who loses by multi_rolespan_enabled"],
  },
  {
    title: "the same for who has not logged in",
    text: reads("x").replace("[ana]", "[sg_anonymous, 'sg_anon*']"),
  },
  {
    title: "who may use the API of access control",
    from: open,
    to: "search-guard-7",
    text: `${role("")}security_rest_api_access: { users: [bo] }`.replace("} }\nsecurity", "}, security").concat(" }"),
    unknown: ["who may use the API of access control: by default that is for who has a role in OpenSearch all_access"],
  },
  {
    title: "the same for who may use the API of access control",
    from: "search-guard FLX",
    text: "role_mappings: { SGS_ALL_ACCESS: { users: [ana] } }\nroles: { r: {} }",
  },
  {
    title: "requests that take another permission there",
    text: `${reads("x")}`
      .replace('"indices:data/read/search"', '"indices:monitor/*"')
      .replace("index_p", "cluster_permissions: ['cluster:monitor/state'], index_p"),
    unknown: ["requests that take another permission: in OpenSearch _cat/shards may take cluster:monitor/shards"],
  },
  {
    title: "document types, of which it is unknown what indices they are in",
    from: "search-guard 6",
    to: "search-guard-7",
    text: "roles: { r: { indices: { x: { doc: ['indices:data/read/search'] } } } }\nrole_mappings: { r: { users: [ana] } }",
    differences: ["may-lose user ana: indices:data/read/search on x"],
    unknown: ["who gains and who loses by multi_rolespan_enabled"],
  },
  {
    title: "nothing without role mappings",
    text: "roles: { r: {} }",
    unknown: ["who gains and who loses by what is converted: no role mappings are declared"],
  },
];

describe("access by a conversion", () => {
  for (const { title, from = seven, to = "opensearch-2.19", isExact, text, differences = [], unknown = [] } of cases) {
    it(title, async () => {
      const { access } = (await convertText(text, from, to, isExact)).conversion;
      expect(listDifferences(access)).toEqual(differences);
      const sentences = access.unknowns.filter(
        (one) => unknown.includes(ofDashboards) || !one.startsWith(ofDashboards),
      );
      expect(sentences.filter((one) => !unknown.some((begin) => one.startsWith(begin)))).toEqual([]);
      expect(unknown.filter((begin) => !sentences.some((one) => one.startsWith(begin)))).toEqual([]);
    });
  }
});

/** Those whom mappings name that products come with. */
const ofProducts = new Set(["admin", "kibanaserver", "readall", "snapshotrestore"]);

function listDifferences({ statements, blockedDiff }: AccessDifferences): readonly string[] {
  const named = statements.flatMap(({ who, differences, tenants }) =>
    who.flatMap((one) => {
      const members = one.kind === "principal" ? [one.member] : one.kind === "pair" ? one.members : [];
      const name = members.map(formatMember).sort().join(" and ");
      if (members.some(({ entries }) => ofProducts.has(entries.join()))) return [];
      return [
        ...differences.map(
          ({ kind, witness: { action, index } }) =>
            `${kind} ${name}: ${action}${index === undefined ? "" : ` on ${index}`}`,
        ),
        ...tenants.map(({ tenant, before, after }) => `tenant ${tenant} ${name}: ${before}, then ${after}`),
      ];
    }),
  );
  const blocked = blockedDiff.map(
    ({ who, before, after }) => `blocked ${who === "everybody" ? who : who.value}: ${before}, then ${after}`,
  );
  return [...named, ...blocked];
}
