// Roles that are left aside for a request change no verdict, whatever they grant, restrict or exclude.
import { expect, it, test } from "vitest";
import { requestWords } from "../../../../src/access/evaluate/asked-request.ts";
import { evaluateQuestion } from "../../../../src/access/evaluate/question.ts";
import { createConcernCheck, createRoleFinder } from "../../../../src/access/evaluate/roles-about.ts";
import { createAccessModel } from "../../../../src/access/model/access-model.ts";
import type { Subject } from "../../../../src/access/model/subject.ts";
import type { Fields } from "../../../../src/json/value.ts";
import { parseQuestion } from "../../../../src/questions/asked.ts";
import { type Random, randomFrom } from "../../../fixtures/random.ts";
import { modelOfFixture, stateOf } from "../../../support/modelled.ts";

const patterns = [
  "hr-*",
  "hr-1",
  "h?-1",
  "*-1",
  "*",
  "_all",
  "/",
  "/h.*/",
  "/(/",
  "${user.name}-*",
  "x-${attr.internal.a}",
  "<hr-{now/d}>",
  "logs-*",
  "logs",
  "stream*",
  ".kibana*",
  ".opendistro_security",
  "h\u{1f600}",
];
const actions = ["*", "indices:data/read/search", "indices:data/write/*", "cluster:monitor/*", "readers", "odd"];
const names = ["hr-1", "hr-*", "logs", "*", ".ds-stream-000001", ".ds-stream-*", ".kibana", "h\u{1f600}", "hr-1,logs*"];

function elementFrom(random: Random): Fields {
  return {
    index_patterns: random.some(patterns, 1, 2),
    allowed_actions: random.some(actions, 0, 2),
    ...(random.chance(0.2) && { dls: '{"term":{"a":1}}' }),
  };
}

function roleFrom(random: Random): Fields {
  const elements = (chance: number) => (random.chance(chance) ? [elementFrom(random)] : []);
  return {
    cluster_permissions: random.some(actions, 0, 2),
    index_permissions: elements(0.9),
    ...(random.chance(0.1) && {
      exclude_index_permissions: [{ index_patterns: random.some(patterns, 1, 1), actions: ["*"] }],
    }),
    ...(random.chance(0.1) && { exclude_cluster_permissions: ["*"] }),
    ...(random.chance(0.1) && { alias_permissions: [{ alias_patterns: ["hr-*"], allowed_actions: ["*"] }] }),
    ...(random.chance(0.1) && { grants: "all" }),
  };
}

function stateFrom(random: Random) {
  const product = random.pick(["opensearch", "search-guard-7", "search-guard-6"] as const);
  const reducesToNothing = random.chance(0.2);
  const state = stateOf(
    { product, groups: { readers: ["indices:data/read/*"] }, roles: {}, mappings: {} },
    { reducesRequests: random.chance(0.5), reducesToNothing },
  );
  const roles = new Map(Array.from({ length: 6 }, (_, at) => [`r${at}`, roleFrom(random)] as const));
  return { ...state, roles, mappings: new Map([["r0", { users: ["a*"] }] as const]) };
}

test("a role that is left aside changes no verdict", () => {
  const random = randomFrom("roles about");
  let [left, all] = [0, 0];
  for (let count = 0; count < 300; count++) {
    const state = stateFrom(random);
    const asked = parseQuestion({ action: random.pick(requestWords), index: random.pick(names) }, "2.19");
    if (asked.of === "tenant") continue;
    const model = createAccessModel(state);
    const isAbout = createRoleFinder(model, { ...asked.request, indices: asked.indices });
    for (const role of state.roles.keys()) {
      all += 1;
      if (isAbout(role)) continue;
      left += 1;
      const subject: Subject = { user: { name: "hr" }, backendRoles: [], attributes: { "internal.a": "y" } };
      const of = (roles: readonly string[]) =>
        evaluateQuestion(model, { ...subject, roles }, asked.request, asked.indices).verdict;
      const others = [...state.roles.keys()].filter((other) => other !== role);
      const problem = JSON.stringify([asked.title, role, state.roles.get(role)]);
      expect(of([role]), problem).toBe(of([]));
      expect(of([role, ...others]), problem).toBe(of(others));
    }
  }
  expect(left / all).toBeGreaterThan(0.1);
});

/** What an index is called decides here, not what a name and a pattern have in common. */
it.each([
  ["stream*", ".ds-stream-000001"],
  // An index that another role names is evaluated by itself.
  ["s", ".ds-s-00000*"],
  ["z*?", "h\u{1f600}"],
])("takes a role on %s for one about %s", (pattern, index) => {
  const element = { index_patterns: [pattern], allowed_actions: ["*"] };
  const model = modelOfFixture({
    product: "opensearch",
    groups: {},
    roles: {
      r: { index_permissions: [element] },
      other: { index_permissions: [{ index_patterns: [".ds-s-000001"], allowed_actions: [] }] },
    },
    mappings: {},
  });
  const asked = parseQuestion({ action: "search", index }, "2.19");
  if (asked.of === "tenant") throw new Error();
  const { verdict } = evaluateQuestion(
    model,
    { backendRoles: [], roles: ["r", "other"] },
    asked.request,
    asked.indices,
  );
  expect(verdict).not.toBe("no");
  expect(createRoleFinder(model, { ...asked.request, indices: asked.indices })("r")).toBe(true);
});

it("concerns who holds a role about the index, or may", () => {
  const state = stateOf({
    product: "opensearch",
    groups: {},
    roles: {
      hr: { index_permissions: [{ index_patterns: ["hr-*"], allowed_actions: ["*"] }] },
      logs: { index_permissions: [{ index_patterns: ["logs-*"], allowed_actions: ["*"] }] },
    },
    mappings: { hr: { users: ["ana"], backend_roles: ["h*"] }, logs: { users: ["ben"] } },
  });
  const isConcerned = createConcernCheck(createAccessModel(state), { cluster: [], indices: ["hr-1"] });
  const user = (name: string): Subject => ({ user: { name }, backendRoles: [] });
  expect(["ana", "ben", "zoe"].map((name) => isConcerned(user(name)))).toEqual([true, false, false]);
  expect(isConcerned({ backendRoles: [{ name: "hr" }] })).toBe(true);
  expect(isConcerned({ backendRoles: [], mayHaveMore: "users could not be read" })).toBe(true);
});
