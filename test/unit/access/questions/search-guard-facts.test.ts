// What a real Search Guard 7.5.1-38 or 6.5.4-24 answered where the model was sure of the contrary.
import { describe, expect, it, test } from "vitest";
import { findRequestKind } from "../../../../src/access/evaluate/asked-request.ts";
import { evaluateQuestion } from "../../../../src/access/evaluate/question.ts";
import type { Subject } from "../../../../src/access/model/subject.ts";
import { modelFrom, subjectFrom } from "./state.ts";

function verdict(text: string, action: string, index: string, who = "ana @1.1.1.1", release = "7.x-38.0.0") {
  const request = findRequestKind(action, release);
  if (!request) throw new Error(`no action ${action}`);
  return evaluateQuestion(modelFrom(text, "search-guard", release), subjectFrom(who, {}), request, index.split(","))
    .verdict;
}

const oneRole = "config: { dynamic: { multi_rolespan_enabled: false } }";

/** Two roles of ana, each with some of the permissions; the cluster's are in the first. */
function apart(first: readonly string[], second: readonly string[], on = ["logs", "logs"]): string {
  const role = (actions: readonly string[], index: string) =>
    JSON.stringify({
      cluster_permissions: ["*"],
      index_permissions: [{ index_patterns: [index], allowed_actions: actions.map((action) => `indices:${action}`) }],
    });
  return `${oneRole}
roles: { r1: ${role(first, on[0] ?? "")}, r2: ${role(second, on[1] ?? "")} }
role_mappings: { r1: { users: [ana] }, r2: { users: [ana] } }
`;
}

describe("one role has to grant what is evaluated at once, and no more", () => {
  test.for<[action: string, first: readonly string[], second: readonly string[], expected: string]>([
    ["refresh", ["admin/refresh"], ["admin/refresh[s]"], "yes"],
    ["flush", ["admin/flush"], ["admin/flush[s]"], "yes"],
    ["close-index", ["admin/close"], ["admin/close[s]"], "yes"],
    ["cat-indices", ["monitor/stats"], ["monitor/settings/get"], "yes"],
    ["index-new-field", ["data/write/bulk[s]", "data/write/index"], ["admin/mapping/put"], "yes"],
    ["index-new-field", ["data/write/bulk[s]"], ["data/write/index", "admin/mapping/put"], "no"],
    ["index", ["data/write/bulk[s]"], ["data/write/index"], "no"],
    ["delete", ["data/write/bulk[s]"], ["data/write/delete"], "no"],
    ["update", ["data/write/bulk[s]", "data/write/index"], ["data/write/update"], "yes"],
    ["update", ["data/write/bulk[s]"], ["data/write/index", "data/write/update"], "no"],
    ["update", ["data/write/index"], ["data/write/bulk[s]", "data/write/update"], "no"],
  ])("%s: %j and %j", ([action, first, second, expected]) =>
    expect(verdict(apart(first, second), action, "logs")).toBe(expected),
  );

  it("also where mget is reduced, and so asked for on the index", () => {
    const text = apart(["data/read/mget"], ["data/read/mget[shard]"]);
    const reduced = text.replace("false }", "false, do_not_fail_on_forbidden: true }");
    expect(verdict(reduced, "mget", "logs")).toBe("yes");
  });

  it("so it is in Search Guard 6, where this is the default", () => {
    const text = apart(["admin/refresh"], ["admin/refresh[s]"]).replace(oneRole, "");
    expect(verdict(text, "refresh", "logs", "ana @1.1.1.1", "6.x-24")).toBe("yes");
  });

  it("a request for two indices takes one role for both, the requests on their shards do not", () => {
    expect(verdict(apart(["admin/refresh*"], ["admin/refresh*"], ["logs", "hr"]), "refresh", "logs,hr")).toBe("no");
    const element = (index: string, action: string) =>
      `{ index_patterns: ['${index}'], allowed_actions: ['indices:admin/${action}'] }`;
    const text = `${oneRole}
roles:
  r1: { index_permissions: [${element("*", "refresh")}, ${element("logs", "refresh[s]")}] }
  r2: { index_permissions: [${element("hr", "refresh[s]")}] }
role_mappings: { r1: { users: [ana] }, r2: { users: [ana] } }
`;
    expect(verdict(text, "refresh", "logs,hr")).toBe("yes");
  });

  it("a pattern that no role grants as a whole is unknown: one role may grant the indices that exist", () => {
    const text = `${oneRole}
roles:
  r1: { index_permissions: [{ index_patterns: ['logs-a*', hr], allowed_actions: ['*'] }] }
  r2: { index_permissions: [{ index_patterns: ['logs-*'], allowed_actions: [indices:data/read/search] }] }
  r3: { index_permissions: [{ index_patterns: [mail], allowed_actions: ['*'] }] }
role_mappings: { r1: { users: [ana] }, r2: { users: [ana] }, r3: { users: [ana] } }
`;
    expect(verdict(text, "search", "logs-*")).toBe("yes");
    expect(verdict(text, "search", "logs-a*,hr")).toBe("yes");
    // r2 grants all of logs-*, r1 grants hr: without an index of logs-b*, r1 grants both.
    expect(verdict(text, "search", "logs-*,hr")).toBe("unknown");
    expect(verdict(text, "search", "logs-*,hr,mail")).toBe("no");
    expect(verdict(text, "search", "hr,mail")).toBe("no");
  });
});

test.for<[pattern: string, who: string, expected: string]>([
  ["logs-*${user.roles}", "ana @1.1.1.1", "yes"],
  ["logs-${user_roles}a", "ana @1.1.1.1", "yes"],
  ["*${user.roles}*", "ana @1.1.1.1", "yes"],
  ["logs-*${user.roles}", "ana hr @1.1.1.1", "no"],
  ["logs-${user.roles}*", "ana hr,it @1.1.1.1", "no"],
  ["/logs-(${user.roles})?.*/", "ana hr @1.1.1.1", "yes"],
  ["*${user.securityRoles}*", "ana @1.1.1.1", "no"],
])("%s is a list of backend roles: %s", ([pattern, who, expected]) => {
  const text = `roles: { r: { index_permissions: [{ index_patterns: ['${pattern}'], allowed_actions: ['*'] }] } }
role_mappings: { r: { users: [ana] } }
`;
  expect(verdict(text, "search", "logs-a", who)).toBe(expected);
});

describe("a request about the dashboards' own index alone needs the global tenant besides", () => {
  const tenants = (actions: string) =>
    `tenant_permissions: [{ tenant_patterns: [SGS_GLOBAL_TENANT], allowed_actions: [${actions}] }]`;
  const text = (more: string) => `
roles: { r: { cluster_permissions: ['*'], index_permissions: [{ index_patterns: ['*'], allowed_actions: ['*'] }], ${more} } }
role_mappings: { r: { users: [ana] } }
`;
  test.for<[more: string, action: string, index: string, expected: string]>([
    ["", "search", ".kibana", "no"],
    ["", "index", ".kibana", "no"],
    ["", "search", ".kibana,logs", "yes"],
    ["", "search", ".kibana_1", "yes"],
    [tenants("SGS_KIBANA_ALL_READ"), "search", ".kibana", "yes"],
    [tenants("SGS_KIBANA_ALL_READ"), "refresh", ".kibana", "yes"],
    [tenants("SGS_KIBANA_ALL_READ"), "put-mapping", ".kibana", "yes"],
    [tenants("SGS_KIBANA_ALL_READ"), "index", ".kibana", "no"],
    [tenants("SGS_KIBANA_ALL_READ"), "update", ".kibana", "no"],
    [tenants("SGS_KIBANA_ALL_WRITE"), "index", ".kibana", "yes"],
  ])("%s: %s %s is %s", ([more, action, index, expected]) => expect(verdict(text(more), action, index)).toBe(expected));

  it("not without multitenancy, and not in Search Guard 6", () => {
    const off = `config: { dynamic: { kibana: { multitenancy_enabled: false } } }\n${text("")}`;
    expect(verdict(off, "search", ".kibana")).toBe("yes");
    expect(verdict(text(""), "search", ".kibana", "ana @1.1.1.1", "6.x-24")).toBe("yes");
  });
});

describe("writing fails where ${user.roles} in a restriction changes its order on the way to another node", () => {
  const roles = (restriction: string) => `
roles:
  all: { cluster_permissions: ['*'], index_permissions: [{ index_patterns: [logs], allowed_actions: ['*'] }] }
  own: { index_permissions: [{ allowed_actions: [indices:data/read/*], ${restriction} }] }
role_mappings: { all: { users: [ana] }, own: { users: [ana] } }
`;
  const masked = "index_patterns: ['hr-${user_roles}'], masked_fields: [email]";

  test.for<[backendRoles: string, expected: string]>([
    ["", "yes"],
    ["dev", "yes"],
    ["hr,sales", "yes"],
    ["dev,ops", "no"],
    ["ops,dev", "no"],
    ["a,b,c", "yes"],
    ["dev,ops,hr", "no"],
    ["one,two,three", "no"],
    ["r1,r2,r3,r4,r5", "yes"],
    ["alpha,beta,gamma,delta,eps,zeta", "no"],
    ["alpha,beta,gamma,delta,eps,zeta,eta", "yes"],
  ])("backend roles %s: update is %s", ([backendRoles, expected]) =>
    expect(verdict(roles(masked), "update", "logs", `ana ${backendRoles} @1.1.1.1`.replace("  ", " "))).toBe(expected),
  );

  test.for<[restriction: string, expected: string]>([
    [masked, "no"],
    ["index_patterns: ['hr-${user.roles}'], fls: [team]", "no"],
    ["index_patterns: ['/hr-${user.roles}/'], dls: '{\"match_all\":{}}'", "no"],
    ['index_patterns: [hr], dls: \'{"terms":{"team":[${user.roles}]}}\'', "no"],
    ["index_patterns: ['hr-${user.roles}']", "yes"],
    ["index_patterns: ['hr-${user.name}'], masked_fields: [email]", "yes"],
    ["index_patterns: ['hr-${attr.internal.none}'], masked_fields: [email]", "yes"],
    ["index_patterns: [hr], fls: ['a${user.roles}']", "yes"],
    ["index_patterns: [hr], masked_fields: ['a${user.roles}']", "yes"],
    ['index_patterns: [hr], dls: \'{"terms":{"team":[${user.securityRoles}]}}\'', "yes"],
  ])("%s: update is %s", ([restriction, expected]) =>
    expect(verdict(roles(restriction), "update", "logs", "ana dev,ops @1.1.1.1")).toBe(expected),
  );

  test.for<[action: string, expected: string]>([
    ["index-new-field", "no"],
    ["index", "unknown"],
    ["delete", "unknown"],
    ["refresh", "unknown"],
    ["create-index", "unknown"],
    ["get-mapping", "unknown"],
    ["indices:admin/create", "unknown"],
    ["search", "yes"],
    ["mget", "yes"],
    ["stats", "yes"],
  ])("only on other nodes, which are unknown, for requests that these do a part of: %s is %s", ([action, expected]) =>
    expect(verdict(roles(masked), action, "logs", "ana dev,ops @1.1.1.1")).toBe(expected),
  );

  it("so it is where no index is asked about, and in no other roles", () => {
    const asked = (action: string, who: string) => {
      const request = findRequestKind(action, "7.x-38.0.0");
      if (!request) throw new Error(`no action ${action}`);
      const model = modelFrom(roles(masked), "search-guard", "7.x-38.0.0");
      return evaluateQuestion(model, subjectFrom(who, {}), request, []).verdict;
    };
    expect(asked("health", "ana dev,ops @1.1.1.1")).toBe("unknown");
    expect(asked("nodes-info", "ana dev,ops @1.1.1.1")).toBe("yes");
    expect(asked("health", "bo dev,ops @1.1.1.1")).toBe("no");
  });

  describe("it is unknown", () => {
    const update = (text: string, subject: Subject, release = "7.x-38.0.0") => {
      const request = findRequestKind("update", release);
      if (!request) throw new Error("no update");
      return evaluateQuestion(modelFrom(text, "search-guard", release), subject, request, ["logs"]).verdict;
    };
    const ana = subjectFrom("ana dev,ops @1.1.1.1", {});
    const one = subjectFrom("ana dev @1.1.1.1", {});

    it("where internal users could not be read", () => {
      expect(update(roles(masked), one)).toBe("yes");
      expect(update(roles(masked), { ...one, mayHaveMore: "403" })).toBe("unknown");
    });
    it("of all principals whose backend roles match a pattern, and have another one", () => {
      expect(update(roles(masked), { ...one, backendRoles: [{ pattern: "dev*" }] })).toBe("yes");
      expect(update(roles(masked), { ...one, backendRoles: [{ name: "ops" }, { pattern: "dev*" }] })).toBe("unknown");
    });
    it("where the restricting role may not be held", () => {
      const text = roles(masked).replace("own: { users: [ana] }", "own: { hosts: [10.0.0.1] }");
      expect(update(text, { ...ana, host: "unknown" })).toBe("unknown");
      expect(update(text, ana)).toBe("yes");
    });
    it("where another role may remove the restriction", () =>
      expect(update(roles(masked), ana, "FLX")).toBe("unknown"));
  });

  it("Search Guard 6 does not read what is restricted by a pattern with a dot", () => {
    const six = (restriction: string) =>
      verdict(roles(restriction), "update", "logs", "ana dev,ops @1.1.1.1", "6.x-24");
    expect(six(masked)).toBe("no");
    expect(six("index_patterns: ['hr-${user.roles}'], masked_fields: [email]")).toBe("yes");
    const query = `dls: '{"terms":{"team":[\${user.roles}]}}'`;
    expect(six(`index_patterns: [hr.*], ${query}`)).toBe("yes");
    expect(six(`index_patterns: [hr.*, hr], ${query}`)).toBe("no");
  });

  it("Search Guard 6 counts what is restricted of some mapping types", () => {
    const restricted =
      "indices: { 'hr-${user_roles}': { doc: [indices:data/read/*], log: [indices:data/read/get], _masked_fields_: [email] } }";
    const text = roles("").replace(/own: \{ index_permissions.*/, `own: { ${restricted} }`);
    expect(verdict(text, "update", "logs", "ana dev,ops @1.1.1.1", "6.x-24")).toBe("no");
  });
});
