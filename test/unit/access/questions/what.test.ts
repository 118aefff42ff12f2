// All that a user may do, folded to what a person reads.
import { describe, expect, it, test } from "vitest";
import { findEffectiveAccess } from "../../../../src/access/questions/what.ts";
import { listAllPrincipals } from "../../../../src/access/questions/who.ts";
import { modelFrom, subjectFrom } from "./state.ts";

const fixture = `
tenants: { hr: {}, ops: {} }
roles:
  reader:
    index_permissions: [{ index_patterns: ['hr-*'], allowed_actions: [read], fls: ['~salary'] }]
    tenant_permissions: [{ tenant_patterns: [hr], allowed_actions: [kibana_all_read] }]
  writer: { index_permissions: [{ index_patterns: ['hr-public-*', 'shop'], allowed_actions: [crud] }] }
  odd: { index_permissions: [{ index_patterns: ['/a\\b(b|c)/'], allowed_actions: [read] }] }
role_mappings:
  reader: { users: [ana], backend_roles: [b, a] }
  writer: { users: [ana], and_backend_roles: [x, y], hosts: [10.*] }
  odd: { users: [ana] }
`;

const ana = () => findEffectiveAccess(modelFrom(fixture), subjectFrom("ana @1.1.1.1"), "2.19");

describe("what a user may do", () => {
  it("is shown by patterns that differ in it", () => {
    const explained = ana().indices.map(({ by, can }) => [by.flat().join(), can.join()]);
    expect(explained.toSorted()).toEqual([
      ["hr-*", "search,get,field-caps,explain,termvectors"],
      ["hr-public-*", "search,get,field-caps,explain,termvectors,put-mapping"],
      ["shop", "search,get,field-caps,explain,termvectors,put-mapping"],
    ]);
  });
  it("shows where a grant fails: what the cluster does not permit, though the index does", () => {
    const [shop] = ana().indices.filter(({ by }) => by.flat().includes("shop"));
    expect(shop?.obstacles).toContainEqual({
      kind: "cluster-missing",
      requests: ["index", "index-new-field", "delete", "update"],
      missing: ["indices:data/write/bulk"],
    });
  });
  it("has limits", () => {
    const [hr] = ana().indices.filter(({ by }) => by.flat().includes("hr-*"));
    expect(hr?.limits.fields.not).toEqual(["salary"]);
  });
  it("names patterns whose matches are unknown", () =>
    expect(ana().opaque).toEqual([{ role: "odd", pattern: "/a\\b(b|c)/", actions: ["read"] }]));
  it("has tenants, the user's own among them", () => {
    expect(ana().tenants).toMatchObject([
      { name: "ana", reads: "yes", writes: "yes" },
      { name: "hr", reads: "yes", writes: "no" },
    ]);
  });
});

describe("everything", () => {
  const everything = `
tenants: { hr: {} }
roles:
  all:
    cluster_permissions: ["*"]
    index_permissions: [{ index_patterns: ["*"], allowed_actions: ["*"] }]
    tenant_permissions: [{ tenant_patterns: ["*"], allowed_actions: [kibana_all_write] }]
`;
  const mapped = "role_mappings: { all: { users: [ana] } }";
  const shown = (text: string) => {
    const found = findEffectiveAccess(modelFrom(text), subjectFrom("ana @1.1.1.1"), "2.19");
    const shares = found.indices.map(({ everything: all }) => all);
    return [shares.join(), found.cluster.everything, found.everyTenant].join(" ");
  };
  test.each<[about: string, text: string, shown: string]>([
    ["is said of who has it", `${everything}${mapped}`, "yes yes yes"],
    [
      "is said of all actions of indices",
      `${everything.replace('allowed_actions: ["*"]', "allowed_actions: ['indices:*']")}${mapped}`,
      "yes yes yes",
    ],
    [
      "not of many actions",
      `${everything.replace('cluster_permissions: ["*"]', 'cluster_permissions: ["cluster:*", "indices:*"]')}${mapped}`,
      "yes no yes",
    ],
    [
      "not where the cluster's part is missing",
      `${everything.replace(/cluster_permissions: .*/, "")}${mapped}`,
      "no no yes",
    ],
    [
      "not of indices that are restricted",
      `${everything.replace('allowed_actions: ["*"]', 'allowed_actions: ["*"], fls: ["~a"]')}${mapped}`,
      "no yes yes",
    ],
    [
      "not of one tenant that is only read",
      `${everything.replace("kibana_all_write", "kibana_all_read")}${mapped}`,
      "yes yes no",
    ],
    [
      "not of every tenant that there is",
      `${everything.replace('tenant_patterns: ["*"]', "tenant_patterns: [hr, global_tenant]")}${mapped}`,
      "yes yes no",
    ],
    [
      "is unknown where the role may not be held",
      `${everything}role_mappings: { all: { users: ['/\\bana/'] } }`,
      "unknown unknown unknown",
    ],
    [
      "is not said of who is shut out",
      `${everything}${mapped}\nblocks: { b: { type: name, value: [ana], verdict: disallow } }`,
      " no no",
    ],
  ])("%s", (_, text, expected) => expect(shown(text)).toBe(expected));
});

it("principals are single entries, each once", () => {
  const builtin = new Set(listAllPrincipals(modelFrom("")).map((one) => JSON.stringify(one)));
  const own = listAllPrincipals(modelFrom(fixture)).filter((one) => !builtin.has(JSON.stringify(one)));
  expect(own.map((one) => one.kind === "entry" && `${one.member.field} ${one.member.entries.join()}`)).toEqual([
    "users ana",
    "backend_roles a",
    "backend_roles b",
    "and_backend_roles x,y",
    "hosts 10.*",
  ]);
});

test("what is granted on indices and belongs to no known request is named by its role", () => {
  const text = `
action_groups: { rolling: { allowed_actions: ['indices:admin/rollover/*'] }, both: { allowed_actions: [rolling, 'indices:data/read/get'] } }
roles:
  r:
    cluster_permissions: ['cluster:admin/ingest/*']
    index_permissions:
      - { index_patterns: [a, b], allowed_actions: [rolling, 'indices:admin/x/y', 'indices:data/read/search', nonsense] }
      - { index_patterns: [c], allowed_actions: [both, 'cluster:admin/ingest/*', '*', 'indices:*'] }
role_mappings: { r: { users: [ana] } }
`;
  const { unknownGrants, cluster } = findEffectiveAccess(modelFrom(text), subjectFrom("ana @1.1.1.1"), "2.19");
  expect(unknownGrants).toEqual([{ role: "r", indices: ["a", "b"], actions: ["indices:admin/x/y", "rolling"] }]);
  expect(cluster.permissions).toEqual(["cluster:admin/ingest/*"]);
});
