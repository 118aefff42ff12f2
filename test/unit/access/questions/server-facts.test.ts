// What real servers answered where the model was sure of the contrary: OpenSearch 2.19.1 and Search Guard 7.5.1-38.
import { describe, expect, it } from "vitest";
import { findRequestKind } from "../../../../src/access/evaluate/asked-request.ts";
import { showField } from "../../../../src/access/evaluate/fields.ts";
import { findLimits } from "../../../../src/access/evaluate/limits.ts";
import { evaluateQuestion } from "../../../../src/access/evaluate/question.ts";
import { evaluateTenantAccess } from "../../../../src/access/evaluate/tenants.ts";
import { nowhere } from "../../../../src/access/explain/grant-path.ts";
import { findContradiction } from "../../../../src/access/questions/tested.ts";
import { modelFrom, subjectFrom } from "./state.ts";

const ana = subjectFrom("ana @1.1.1.1", {});
const products = [
  ["opensearch", "2.19", "kibana_user", "global_tenant"],
  ["search-guard", "7.x-38.0.0", "SGS_KIBANA_USER", "SGS_GLOBAL_TENANT"],
] as const;

function asked(
  [product, release]: readonly ["opensearch" | "search-guard", string, ...string[]],
  text: string,
  action: string,
  index: string,
) {
  const request = findRequestKind(action, release);
  if (!request) throw new Error(`no action ${action}`);
  return evaluateQuestion(modelFrom(text, product, release), ana, request, [index]);
}

function role(elements: string, settings = ""): string {
  return `${settings}
roles: { r: { cluster_permissions: ['*'], index_permissions: [${elements}] } }
role_mappings: { r: { users: [ana] } }
`;
}

const element = (patterns: string, more = "") => `{ index_patterns: [${patterns}], allowed_actions: ['*']${more} }`;
const reduces = "config: { dynamic: { do_not_fail_on_forbidden: true } }";
const reducesToNothing =
  "config: { dynamic: { do_not_fail_on_forbidden: true, do_not_fail_on_forbidden_empty: true } }";

describe.each(products)("%s %s", (...product) => {
  const [name, release, kibanaUser, globalTenant] = product;
  const isOpenSearch = name === "opensearch";

  it.each(["search", "field-caps", "indices:admin/mappings/fields/get", "indices:admin/shards/search_shards"])(
    "do_not_fail_on_forbidden reduces %s over all indices",
    (action) => {
      const found = asked(product, role(element("logs-app, hr-*"), reduces), action, "*");
      expect([found.verdict, found.reduced]).toEqual(["partly", true]);
      expect(found.shares.map(({ verdict }) => verdict).toSorted()).toEqual(["no", "yes", "yes"]);
    },
  );

  it.each(["stats", "get-settings", "get-aliases", "cat-indices"])("reduced to nothing: %s", (action) => {
    const found = asked(product, role(element("logs-app"), reducesToNothing), action, "zoo");
    expect(found.verdict).toBe(isOpenSearch ? "yes" : "no");
    expect(found.shares[0]?.answer.answersAll).toBe(isOpenSearch ? true : undefined);
  });

  it.each(["stats", "search"])("reduced to nothing: a test that %s is denied", (action) => {
    const request = findRequestKind(action, release);
    if (!request) throw new Error(`no action ${action}`);
    const title = `ana ${action} zoo`;
    const found = findContradiction(
      modelFrom(role(element("logs-app"), reducesToNothing), name, release),
      { subject: ana, title: "ana" },
      { of: "request", request, indices: ["zoo"], title },
      { expect: "denied" },
      nowhere,
    );
    expect(found?.outcome).toBe(isOpenSearch && action === "stats" ? "failed" : undefined);
  });

  it.each(["search", "field-caps", "get", "segments"])("reduced to nothing, %s shows nothing", (action) =>
    expect(asked(product, role(element("logs-app"), reducesToNothing), action, "zoo").verdict).toBe("no"),
  );

  it.each([
    ["msearch", "msearch"],
    ["mget", "mget"],
  ])("a server that reduces requests asks for %s on the index, too, if it is a Search Guard", (action, name) => {
    const search = "'indices:data/read/search', 'indices:data/read/mget[shard]'";
    const text = (actions: string, settings: string) =>
      role(`{ index_patterns: [zoo], allowed_actions: [${actions}] }`, settings);
    const verdict = (actions: string, settings: string) =>
      asked(product, text(actions, settings), action, "zoo").verdict;
    expect(verdict(search, "")).toBe("yes");
    expect(verdict(search, reduces)).toBe(isOpenSearch ? "yes" : "no");
    expect(verdict(`${search}, 'indices:data/read/${name}'`, reduces)).toBe("yes");
  });

  it("a change of what a pattern matches is refused where the security index is among it", () => {
    const securityIndex = isOpenSearch ? ".opendistro_security" : "searchguard";
    const verdict = (action: string, index: string) => asked(product, role(element("'*'")), action, index).verdict;
    for (const action of ["put-settings", "put-mapping", "delete-index"]) {
      expect(verdict(action, "*")).toBe("partly");
      expect(verdict(action, `${securityIndex.slice(0, 2)}*`)).toBe("partly");
      expect(verdict(action, "a*")).toBe("yes");
    }
    // Not refused; and a document is written to one index by its name.
    for (const action of ["search", "refresh", "get-mapping", "index"]) expect(verdict(action, "*")).toBe("yes");
  });

  it.each([
    ["", "no"],
    ["{ index_patterns: [a1], allowed_actions: ['indices:data/read/search'] }", "no"],
    ["{ index_patterns: ['*'], allowed_actions: ['indices:data/read/search'] }", "no"],
    ["{ index_patterns: [a1], allowed_actions: ['indices:data/read/scroll'] }", "unknown"],
    ["{ index_patterns: ['${user_name}'], allowed_actions: ['*'] }", "unknown"],
    ["{ index_patterns: ['*'], allowed_actions: ['*'] }", "yes"],
    ["{ index_patterns: ['/.*/'], allowed_actions: ['indices:data/read/*'] }", "yes"],
  ])("a scroll of a server that reduces requests, with %s", (permission, verdict) => {
    const text = (settings: string) => `${settings}
roles: { r: { cluster_permissions: ['indices:data/read/*'], index_permissions: [${permission}] } }
role_mappings: { r: { users: [ana] } }
`;
    const ofScroll = (settings: string) => {
      const request = findRequestKind("scroll", release);
      if (!request) throw new Error("no scroll");
      return evaluateQuestion(modelFrom(text(settings), name, release), ana, request, []).verdict;
    };
    expect(ofScroll("")).toBe("yes");
    expect(ofScroll(reduces)).toBe(isOpenSearch ? "yes" : verdict);
  });

  it("cluster settings are read with less than they are written with", () => {
    const text = `
roles: { r: { cluster_permissions: ['cluster:monitor/*'] } }
role_mappings: { r: { users: [ana] } }
`;
    expect(asked(product, text, "get-cluster-settings", "").verdict).toBe("yes");
    expect(asked(product, text, "put-cluster-settings", "").verdict).toBe("no");
  });

  it.each(["search", "create-index"])("the pattern _all covers only indices that exist: %s", (action) => {
    const verdict = isOpenSearch ? "no" : "unknown";
    expect(asked(product, role(element("_all")), action, "zoo").verdict).toBe(verdict);
    expect(asked(product, role(element("_all, 'z*'")), action, "zoo").verdict).toBe("yes");
    // What a wildcard represents exists.
    expect(asked(product, role(element("_all")), action, "z*").verdict).toBe(isOpenSearch ? "no" : "yes");
  });

  it.each([
    ["'*'", "'kibana:saved_objects/*/read'", "no"],
    [globalTenant, "nonsense", "no"],
    ["other", "'kibana:saved_objects/*/read'", "yes"],
    ["'*'", "'kibana:saved_objects/*/write'", "yes"],
  ])("the global tenant with a role on tenants %s that grants %s: written %s", (pattern, action, verdict) => {
    const text = `
roles: { r: { tenant_permissions: [{ tenant_patterns: [${pattern}], allowed_actions: [${action}] }] } }
role_mappings: { r: { users: [ana] }, ${kibanaUser}: { users: [ana] } }
`;
    const access = evaluateTenantAccess(modelFrom(text, name, release), ana, globalTenant);
    expect([access.reads, access.writes]).toEqual(["yes", verdict]);
  });

  it.each([
    [`fls: ['~t?am']`, { team: "shown", "t?am": "hidden" }],
    [`fls: ['~t*?m*']`, { team: "shown", "ta?mx": "hidden" }],
    [`fls: ['t?am']`, { team: "hidden" }],
    [`fls: ['~t*m', '~p']`, { team: "hidden", "p.x": "hidden" }],
    [`fls: ['/te.*/']`, { team: "hidden" }],
    [`masked_fields: ['t?am']`, { team: { masked: "t?am" } }],
    [`masked_fields: ['/te.*/']`, { team: { masked: "/te.*/" }, other: "shown" }],
    [`masked_fields: ['p']`, { p: { masked: "p" }, "p.x": "shown" }],
    [`masked_fields: ['p*']`, { "p.x": { masked: "p*" } }],
  ])("fields by %s", (rule, seen) => {
    const limits = findLimits(modelFrom(role(element("logs-*", `, ${rule}`)), name, release), ana, { name: "logs-1" });
    const found = Object.keys(seen).map((field) => [field, showField(limits.fields, field)]);
    expect(Object.fromEntries(found)).toEqual(seen);
    expect(limits.unsure).toEqual([]);
  });

  it("two masks for one field: OpenSearch fails to read, and which applies is unknown", () => {
    const both = role(element("logs-*", ", masked_fields: [email, 'email::SHA-1']"));
    for (const action of ["search", "get", "mget", "explain", "termvectors"]) {
      expect(asked(product, both, action, "logs-1").verdict).toBe(isOpenSearch ? "unknown" : "yes");
    }
    for (const action of ["field-caps", "index", "get-mapping"]) {
      expect(asked(product, both, action, "logs-1").verdict).toBe("yes");
    }
    expect(findLimits(modelFrom(both, name, release), ana, { name: "logs-1" }).unsure).toEqual(["r"]);
    // Patterns that overlap do not make it fail.
    const overlapping = role(element("logs-*", ", masked_fields: [email, 'ema*::SHA-1']"));
    expect(asked(product, overlapping, "search", "logs-1").verdict).toBe("yes");
    expect(findLimits(modelFrom(overlapping, name, release), ana, { name: "logs-1" }).unsure).toEqual(["r"]);
    const same = role(element("logs-*", ", masked_fields: [email, 'ema*', 'team::SHA-1']"));
    expect(findLimits(modelFrom(same, name, release), ana, { name: "logs-1" }).unsure).toEqual([]);
  });
});
