// Under an answer is what was not looked at and could change it, and nothing else.
import { describe, expect, it, test } from "vitest";
import { evaluateQuestion } from "../../../src/access/evaluate/question.ts";
import { listAnswerAssumptions, listMissingNotes } from "../../../src/engine/access/left-open.ts";
import { parseQuestion } from "../../../src/questions/asked.ts";
import { createAsker, type Whom } from "../../../src/questions/subject.ts";
import { modelFrom } from "../access/questions/state.ts";

const model = modelFrom(`
roles:
  all: { cluster_permissions: ["*"], index_permissions: [{ index_patterns: ["*"], allowed_actions: ["*"] }] }
  hr: { index_permissions: [{ index_patterns: [hr-*], allowed_actions: [read] }] }
  masked: { index_permissions: [{ index_patterns: [pay-*], allowed_actions: ["indices:data/write/*"], dls: "{}" }] }
role_mappings:
  all: { backend_roles: [admins], users: [root] }
  hr: { backend_roles: [hr], users: [ana] }
  masked: { backend_roles: [masked] }
`);
const names = ["action_groups", "tenants", "roles", "role_mappings", "blocks", "config"] as const;

function ask(whom: Partial<Whom>, action: string, more: { readonly index?: string; readonly tenant?: string } = {}) {
  const { subject } = createAsker({ backendRoles: [], attributes: [], ...whom }, new Map());
  const asked = parseQuestion({ action, ...more }, "2.19");
  const verdict =
    asked.of === "request" ? evaluateQuestion(model, subject, asked.request, asked.indices).verdict : ("no" as const);
  const facts = { model, asked, subjects: [subject], verdict };
  const [missing = ""] = listMissingNotes({ names, because: "undeclared" }, facts);
  return {
    assumed: listAnswerAssumptions(facts).map((text) => text.split(" are ")[0]),
    missing: /ships it: (.*?)\./.exec(missing)?.[1],
  };
}

const [users, indices] = ["Internal users", "Indices"];

describe("what could change an answer", () => {
  test.each<[about: string, found: ReturnType<typeof ask>, assumed: readonly (string | undefined)[], missing: string]>([
    [
      "an index, of one who may do the same with all: no alias decides, nor a group that nothing names",
      ask({ backendRoles: ["admins"] }, "search", { index: "hr-1" }),
      [],
      "roles, role mappings, blocks, config",
    ],
    [
      "the same by user name",
      ask({ user: "root" }, "search", { index: "hr-1" }),
      [users],
      "roles, role mappings, blocks, config",
    ],
    [
      "an index, of one who may do it with some, by a group",
      ask({ backendRoles: ["hr"] }, "search", { index: "hr-1" }),
      [indices],
      "action groups, roles, role mappings, blocks, config",
    ],
    [
      "an index of which less may be seen",
      ask({ backendRoles: ["admins", "masked"] }, "search", { index: "hr-1" }),
      [indices],
      "roles, role mappings, blocks, config",
    ],
    [
      "what is denied: no block allows it",
      ask({ backendRoles: ["masked"] }, "delete-index", { index: "hr-1" }),
      [indices],
      "roles, role mappings, config",
    ],
    ["the cluster", ask({ backendRoles: ["admins"] }, "health"), [], "roles, role mappings, blocks"],
    [
      "the cluster, as the config may know a host by name",
      ask({ backendRoles: ["admins"], host: "10.0.0.1" }, "health"),
      [],
      "roles, role mappings, blocks, config",
    ],
    ["a tenant", ask({ backendRoles: ["admins"] }, "read", { tenant: "hr" }), [], "tenants, roles, role mappings"],
    [
      "the dashboards' index",
      ask({ backendRoles: ["admins"] }, "search", { index: ".kib*" }),
      [],
      "tenants, roles, role mappings, blocks, config",
    ],
  ])("%s", (_, found, assumed, missing) => expect(found).toEqual({ assumed, missing }));
});

it("what a principal may do is open in all that is missing", () => {
  const { subject } = createAsker({ backendRoles: ["hr"], attributes: [] }, new Map());
  const facts = { model, subjects: [subject] };
  expect(listMissingNotes({ names, because: "unread" }, facts)).toEqual([
    "Could not be read, and has no say in this: action groups, tenants, roles, role mappings, blocks, config.",
  ]);
  expect(listAnswerAssumptions(facts)).toEqual([]);
});

test("an answer names the built-in mappings that it rests on, and no others", () => {
  const { subject } = createAsker({ backendRoles: ["hr"], attributes: [] }, new Map());
  const missing = { names: [], because: "undeclared", builtinMappings: new Set(["hr", "all"]) } as const;
  const notesOf = (verdict: "yes" | "no") => listMissingNotes(missing, { model, subjects: [subject], verdict });
  expect(notesOf("yes")).toEqual(["Not declared, and counted as servers may come with it: role mapping hr."]);
  expect(notesOf("no")).toEqual([]);
});
