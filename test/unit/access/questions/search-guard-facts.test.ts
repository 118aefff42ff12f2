// What a real Search Guard 7.5.1-38 or 6.5.4-24 answered where the model was sure of the contrary.
import { describe, expect, it, test } from "vitest";
import { findRequestKind } from "../../../../src/access/evaluate/asked-request.ts";
import { evaluateQuestion } from "../../../../src/access/evaluate/question.ts";
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
