// `privileges_evaluation_type: v4`, as OpenSearch 3.8.0 answered.
import { describe, expect, test } from "vitest";
import { listUnknownSettings } from "../../../../src/access/compare/login-settings.ts";
import { createKindRequest } from "../../../../src/access/evaluate/asked-request.ts";
import { evaluateQuestion } from "../../../../src/access/evaluate/question.ts";
import { evaluateTenantAccess } from "../../../../src/access/evaluate/tenants.ts";
import { createAccessModel } from "../../../../src/access/model/access-model.ts";
import { readAccessSettings, readEvaluationType } from "../../../../src/access/model/settings.ts";
import type { AccessState } from "../../../../src/access/model/state.ts";
import { getSemantics } from "../../../../src/dialects/find-semantics.ts";
import { createDialect } from "../../../../src/dialects/index.ts";
import { requestKinds } from "../../../../src/dialects/requests.ts";
import type { Fields } from "../../../../src/json/value.ts";

type Setting = "legacy" | "legacy, reducing" | "v4" | "v4, not reducing";

const dynamics: Readonly<Record<Setting, Fields>> = {
  legacy: {},
  "legacy, reducing": { do_not_fail_on_forbidden: true },
  v4: { privileges_evaluation_type: "v4" },
  "v4, not reducing": {
    privileges_evaluation_type: "V4",
    privileges_evaluation_ignore_unauthorized_indices: false,
    do_not_fail_on_forbidden: true,
  },
};

function modelOf(setting: Setting, release = "3.8", pattern = "hr-*") {
  const config: Fields = { dynamic: dynamics[setting] };
  const state: AccessState = {
    semantics: getSemantics(createDialect("opensearch", release), readEvaluationType(config)),
    roles: new Map<string, Fields>([
      [
        "hr",
        { cluster_permissions: ["*"], index_permissions: [{ index_patterns: [pattern], allowed_actions: ["*"] }] },
      ],
      ["kibana_user", {}],
    ]),
    mappings: new Map<string, Fields>([
      ["hr", { users: ["ann"] }],
      ["kibana_user", { users: ["ann"] }],
    ]),
    groups: new Map(),
    tenants: new Map<string, Fields>([["global_tenant", {}]]),
    blocks: new Map(),
    settings: readAccessSettings(config),
  };
  return createAccessModel(state);
}

function ask(setting: Setting, kind: string, indices: readonly string[], pattern?: string, release?: string) {
  const found = requestKinds.find(({ name }) => name === kind);
  if (!found) throw new Error(`no request ${kind}`);
  const subject = { user: { name: "ann" }, backendRoles: [] };
  const { verdict, reduced } = evaluateQuestion(
    modelOf(setting, release, pattern),
    subject,
    createKindRequest(found, "3.8"),
    indices,
  );
  return reduced ? `${verdict}, reduced` : verdict;
}

test.each<[string, readonly string[], legacy: string, reducing: string, v4: string, notReducing: string]>([
  ["search", ["hr-1"], "yes", "yes", "yes", "yes"],
  ["search", ["hr-1", "fin-1"], "partly", "partly, reduced", "partly", "partly"],
  ["search", ["*"], "partly", "partly, reduced", "partly, reduced", "partly"],
  ["search", ["fin-*"], "no", "no", "no, reduced", "no"],
  ["search", ["hr-*"], "yes", "yes", "yes", "yes"],
  ["get-index", ["*"], "partly", "partly", "partly, reduced", "partly"],
  ["delete-index", ["hr-1", "fin-*"], "partly", "partly", "partly, reduced", "partly"],
])("%s of %j", (kind, indices, ...verdicts) => {
  const settings = Object.keys(dynamics) as readonly Setting[];
  expect(settings.map((setting) => ask(setting, kind, indices))).toEqual(verdicts);
});

describe("the index with the product's own configuration", () => {
  test("is refused by its name to all users, and left out of patterns", () => {
    expect(ask("v4", "search", [".opendistro_security"], "*")).toBe("no");
    expect(ask("v4", "search", ["*"], "*")).toBe("yes");
    expect(ask("legacy", "search", [".opendistro_security"], "*")).toBe("yes");
  });
});

test("kibana_user gives no tenant by itself", () => {
  const tenant = (setting: Setting) =>
    evaluateTenantAccess(modelOf(setting), { user: { name: "ann" }, backendRoles: [] }, "global_tenant").reads;
  expect([tenant("legacy"), tenant("v4")]).toEqual(["yes", "no"]);
});

test("releases before 3.7 know nothing of it", () => {
  expect(ask("v4", "get-index", ["*"], "hr-*", "3.6")).toBe("partly");
  expect(ask("v4", "get-index", ["*"], "hr-*", "3")).toBe("partly, reduced");
});

test("what a switch of it does to access is said to be unknown", () => {
  const [was, is] = [{ dynamic: {} }, { dynamic: dynamics["v4, not reducing"] }];
  expect(listUnknownSettings(was, is)).toEqual([
    ["privileges_evaluation_type"],
    ["privileges_evaluation_ignore_unauthorized_indices"],
  ]);
});
