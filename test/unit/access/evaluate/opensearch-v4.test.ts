// `privileges_evaluation_type: v4`, as OpenSearch 3.8.0 answered.
import { describe, expect, test } from "vitest";
import { listUnknownSettings, mayDecideAccess } from "../../../../src/access/compare/login-settings.ts";
import { createKindRequest, findRequestKind } from "../../../../src/access/evaluate/asked-request.ts";
import { evaluateQuestion } from "../../../../src/access/evaluate/question.ts";
import { evaluateTenantAccess } from "../../../../src/access/evaluate/tenants.ts";
import { createAccessModel } from "../../../../src/access/model/access-model.ts";
import { readAccessSettings, readEvaluationType } from "../../../../src/access/model/settings.ts";
import type { AccessState } from "../../../../src/access/model/state.ts";
import { findEffectiveAccess } from "../../../../src/access/questions/what.ts";
import { getSemantics } from "../../../../src/dialects/find-semantics.ts";
import { createDialect } from "../../../../src/dialects/index.ts";
import { requestKinds } from "../../../../src/dialects/requests.ts";
import { listDifferingSettings } from "../../../../src/engine/pipeline/access-states.ts";
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

/** Actions, on all indices. */
interface Granted {
  readonly cluster?: readonly string[];
  readonly index?: readonly string[];
}

function evaluate(setting: Setting, action: string, indices: readonly string[], { cluster = [], index = [] }: Granted) {
  const { state } = modelOf(setting);
  const hr = { cluster_permissions: cluster, index_permissions: [{ index_patterns: ["*"], allowed_actions: index }] };
  const asked = findRequestKind(action, "3.8");
  if (!asked) throw new Error(`no request ${action}`);
  const model = createAccessModel({ ...state, roles: new Map([["hr", hr]]) });
  return evaluateQuestion(model, { user: { name: "ann" }, backendRoles: [] }, asked, indices);
}

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

describe("what is asked for on another name", () => {
  const alias = "put-alias";
  test.each<[kind: string, pattern: string, v4: string, legacy: string]>([
    [alias, "hr-*", "unknown", "yes"],
    [alias, "*", "yes", "yes"],
    [alias, "fin-*", "no", "no"],
  ])("%s with rights on %s", (kind, pattern, ...verdicts) => {
    expect((["v4", "legacy"] as const).map((setting) => ask(setting, kind, ["hr-1"], pattern))).toEqual(verdicts);
  });

  test("and is so in the list of all that is permitted", () => {
    const listed = (setting: Setting) =>
      findEffectiveAccess(modelOf(setting), { user: { name: "ann" }, backendRoles: [] }, "3.8").indices;
    expect(listed("v4").map(({ perhaps, doubts }) => [perhaps, doubts])).toEqual([
      [[alias], [{ kind: "new-alias", role: "hr", pattern: "hr-*" }]],
    ]);
    expect(listed("legacy").map(({ perhaps }) => perhaps)).toEqual([[]]);
  });

  test.each(["indices:admin/resize", "indices:admin/rollover"])("%s creates an index", (action) => {
    const may = (allowed: readonly string[]) => evaluate("v4", action, ["hr-1"], { index: allowed }).verdict;
    expect([may([action]), may([action, "indices:admin/create"])]).toEqual(["no", "yes"]);
  });

  test("of points in time all are a permission of the cluster", () => {
    const action = "indices:data/read/point_in_time/readall";
    const may = (setting: Setting, granted: Granted) => evaluate(setting, action, [], granted).verdict;
    expect([may("v4", { cluster: [action] }), may("v4", { index: ["*"] })]).toEqual(["yes", "no"]);
    expect([may("legacy", { cluster: [action] }), may("legacy", { index: ["*"] })]).toEqual(["no", "yes"]);
  });
});

test("releases before 3.7 know nothing of it", () => {
  expect(ask("v4", "get-index", ["*"], "hr-*", "3.6")).toBe("partly");
  expect(ask("v4", "get-index", ["*"], "hr-*", "3")).toBe("partly, reduced");
});

describe("what a change of the config does to access", () => {
  const change = (was: Fields, is: Fields) => listUnknownSettings({ dynamic: was }, { dynamic: is });
  const ignored = { privileges_evaluation_ignore_unauthorized_indices: false };

  test("is unknown of a switch", () => {
    expect(change({}, dynamics["v4, not reducing"])).toEqual([["privileges_evaluation_type"]]);
  });

  test.each(["legacy", "foo", null])("is nothing of %j instead of another text that is not v4", (is) => {
    const texts = ["legacy", "foo", "v5", undefined];
    for (const was of texts) {
      const dynamic = was === undefined ? {} : { privileges_evaluation_type: was };
      expect(mayDecideAccess({ dynamic }, { dynamic: { privileges_evaluation_type: is } })).toBe(false);
    }
  });

  test("is named once where requests are reduced otherwise, and only with v4", () => {
    const settled = (dynamic: Fields) => readAccessSettings({ dynamic });
    expect(change(dynamics.v4, { ...dynamics.v4, ...ignored })).toEqual([]);
    const name = "privileges_evaluation_ignore_unauthorized_indices";
    expect(listDifferingSettings(settled(dynamics.v4), settled({ ...dynamics.v4, ...ignored }))).toEqual([name]);
    expect(listDifferingSettings(settled({}), settled(ignored))).toEqual([]);
  });
});
