// Principals whom blocks may shut out: all questions about the same principal have the same answer.
import { describe, expect, it, test } from "vitest";
import { evaluateQuestion } from "../../../src/access/evaluate/question.ts";
import { listPermissionDoubts } from "../../../src/access/explain/doubts.ts";
import type { AccessModel } from "../../../src/access/model/access-model.ts";
import type { Subject } from "../../../src/access/model/subject.ts";
import { findEffectiveAccess } from "../../../src/access/questions/what.ts";
import { listAllPrincipals } from "../../../src/access/questions/who.ts";
import type { Persona } from "../../../src/model/persona.ts";
import { parseQuestion } from "../../../src/questions/asked.ts";
import { createAsker } from "../../../src/questions/subject.ts";
import { modelFrom } from "../access/questions/state.ts";

const release = "2.19";

function createModel(...blocks: readonly string[]): AccessModel {
  return modelFrom(`
blocks: { ${blocks.map((block, at) => `b${at}: ${block}`).join(", ")} }
roles: { reader: { index_permissions: [{ index_patterns: [hr-*], allowed_actions: ["*"] }] } }
role_mappings: { reader: { users: [ana], backend_roles: [hr], and_backend_roles: [x, y] } }
`);
}

const asked = parseQuestion({ action: "search", index: "hr-1" }, release);

function verdictOf(model: AccessModel, subject: Subject) {
  return asked.of === "request" && evaluateQuestion(model, subject, asked.request, asked.indices).verdict;
}

const persona: Persona = {
  name: "p",
  user: "ana",
  backendRoles: ["hr"],
  origin: { file: { path: "a.yml", text: "" }, start: 0, end: 0 },
};

/** By `can-i` of a user, of a backend role and of a persona, and by `who-can` of the same user and backend role. */
function verdictsOf(model: AccessModel) {
  const whom = { backendRoles: [], attributes: [] };
  const ask = (more: object) => createAsker({ ...whom, ...more }, new Map([["p", persona]])).subject;
  const listed = listAllPrincipals(model).filter(
    (one) => one.kind === "entry" && ["ana", "hr", "x,y"].includes(one.member.entries.join()),
  );
  return {
    user: verdictOf(model, ask({ user: "ana" })),
    "backend role": verdictOf(model, ask({ backendRoles: ["hr"] })),
    persona: verdictOf(model, ask({ persona: "p" })),
    listed: listed.map(({ subject }) => verdictOf(model, subject)),
  };
}

describe("who asks from an address that is not stated", () => {
  test.each([
    ["let in by a network", "{ type: net_mask, value: [10.0.0.0/8], verdict: allow }"],
    ["let in by an address", "{ type: ip, value: [10.0.0.1], verdict: allow }"],
    ["shut out by a network", "{ type: net_mask, value: [10.0.0.0/8], verdict: disallow }"],
    ["shut out by an address", "{ type: ip, value: ['::1'], verdict: disallow }"],
  ])("%s, perhaps: no answer is yes", (_, block) => {
    const unknown = ["unknown", "unknown", "unknown"];
    expect(verdictsOf(createModel(block))).toEqual({
      user: "unknown",
      "backend role": "unknown",
      persona: "unknown",
      listed: unknown,
    });
  });
  it("is not said to be able to do anything for certain", () => {
    const model = createModel("{ type: net_mask, value: [10.0.0.0/8], verdict: allow }");
    const { subject } = createAsker({ backendRoles: ["hr"], attributes: [] }, new Map());
    expect(findEffectiveAccess(model, subject, release).indices.flatMap(({ can }) => can)).toEqual([]);
  });
  it("is asked for the address only where blocks by address decide", () => {
    const ofName = createModel("{ type: name, value: [u*], verdict: allow }");
    const ofAddress = createModel("{ type: ip, value: [10.0.0.1], verdict: disallow }");
    const { subject } = createAsker({ backendRoles: ["hr"], attributes: [] }, new Map());
    const unsure = [{ verdict: "unknown", chains: [], against: [] }] as const;
    expect(listPermissionDoubts(ofName, subject, unsure, false)).toEqual([{ kind: "blocks", host: false }]);
    expect(listPermissionDoubts(ofAddress, subject, unsure, false)).toEqual([{ kind: "blocks", host: true }]);
  });
});

test("mappings by host give nothing to a backend role that is asked about alone", () => {
  const model = modelFrom(`
roles: { reader: { index_permissions: [{ index_patterns: [hr-*], allowed_actions: ["*"] }] } }
role_mappings: { reader: { hosts: [10.0.7.3] } }
`);
  const { subject } = createAsker({ backendRoles: ["hr"], attributes: [] }, new Map());
  expect(verdictOf(model, subject)).toBe("no");
});
