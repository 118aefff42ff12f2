// What roles permit where a server shows its aliases, as OpenSearch 2.19.1 and 3.4.0 and Search Guard 7.5.1-38 answered.
import { describe, expect, it, test } from "vitest";
import { findRequestKind } from "../../../../src/access/evaluate/asked-request.ts";
import { findLimits } from "../../../../src/access/evaluate/limits.ts";
import { evaluateQuestion } from "../../../../src/access/evaluate/question.ts";
import { createConcernCheck } from "../../../../src/access/evaluate/roles-about.ts";
import { type AccessModel, createAccessModel } from "../../../../src/access/model/access-model.ts";
import { addAliases, decodeAliases } from "../../../../src/dialects/aliases.ts";
import type { Product } from "../../../../src/model/plan.ts";
import { modelFrom, subjectFrom } from "../questions/state.ts";

const shown = {
  "hr-1": { aliases: { one: {}, both: {}, filtered: { filter: { range: { level: { gte: 3 } } } } } },
  "hr-2": { aliases: { written: { is_write_index: true } } },
  "fin-1": { aliases: { both: {}, written: {} } },
  pay: { aliases: { "hr-x": {} } },
  ".ds-stream-000001": { aliases: {} },
};

const dls = `'{"term": {"level": 1}}'`;

function modelWith(elements: readonly string[], settings: object = {}, product: Product = "opensearch"): AccessModel {
  const text = `roles: { r: { cluster_permissions: ['*'], index_permissions: [${elements.join(", ")}] } }\nrole_mappings: { r: { users: [ana] } }`;
  const { state } = modelFrom(text, product, product === "opensearch" ? "2.19" : "7.x-38.0.0");
  const aliases = decodeAliases(shown);
  if (!aliases) throw new Error("bug: no aliases");
  return createAccessModel({ ...state, settings, semantics: addAliases(state.semantics, aliases) });
}

const element = (pattern: string, query?: string) =>
  `{ index_patterns: ['${pattern}'], allowed_actions: ['indices:*']${query ? `, dls: ${query}` : ""} }`;

const ana = subjectFrom("ana @1.1.1.1");

function verdictOn(model: AccessModel, index: string, word = "search") {
  const request = findRequestKind(word, "2.19");
  if (!request) throw new Error(`no action ${word}`);
  return evaluateQuestion(model, ana, request, index.split(","));
}

const asked = [
  "hr-1",
  "one",
  "both",
  "filtered",
  "hr-x",
  "pay",
  "written",
  "fin-1",
  "hr-1,filtered",
  "stream",
  ".ds-stream-000001",
];

describe("a role on one name is asked for others", () => {
  test.each([
    ["hr-1", "hr-1 one filtered hr-1,filtered", "both"],
    ["hr-*", "hr-1 one filtered hr-x pay hr-1,filtered", "both written"],
    ["fin-1", "fin-1", "both written"],
    ["one", "hr-1 one filtered hr-1,filtered", "both"],
    ["both", "hr-1 one both filtered fin-1 hr-1,filtered", "written"],
    ["filtered", "hr-1 one filtered hr-1,filtered", "both"],
    ["hr-x", "hr-x pay", ""],
    ["written", "written fin-1", "both"],
    ["hr-2", "", "written"],
    ["stream", "stream .ds-stream-000001", ""],
    [".ds-stream-*", ".ds-stream-000001", ""],
    ["${user.name}", "", ""],
  ])("%s", (pattern, permitted, reduced) => {
    const [plain, loose] = [{}, { reducesRequests: true }].map((settings) => {
      const model = modelWith([element(pattern)], settings);
      return asked.filter((name) => {
        const { verdict, reduced: isReduced } = verdictOn(model, name);
        return verdict === "yes" || (verdict === "partly" && isReduced);
      });
    });
    expect(plain?.join(" ")).toBe(permitted);
    const also = reduced.split(" ").filter((name) => name !== "");
    expect(loose).toEqual(asked.filter((name) => plain?.includes(name) || also.includes(name)));
  });
});

it("a pattern of a request comes to what aliases that it matches lead to", () => {
  const model = modelWith([element("hr-*")]);
  expect(verdictOn(model, "hr-*").verdict).toBe("yes");
  expect(verdictOn(modelWith([element("hr-1"), element("hr-2")]), "hr-x").verdict).toBe("no");
  const { shares } = verdictOn(modelWith([element("pay")]), "hr-*");
  expect(shares.filter(({ verdict }) => verdict === "yes").map(({ part }) => part?.index.name)).toEqual(["pay"]);
});

it("a document is written through an alias by who may write to all its indices", () => {
  const words = (model: AccessModel) => ["written", "hr-2"].map((name) => verdictOn(model, name, "index").verdict);
  expect(words(modelWith([element("hr-2")]))).toEqual(["partly", "yes"]);
  expect(words(modelWith([element("written")]))).toEqual(["yes", "yes"]);
});

it("a stream covers its indices, and is restricted as they are", () => {
  const parts = (elements: readonly string[], name: string) =>
    verdictOn(modelWith(elements), name).shares.flatMap(({ verdict, part }) =>
      verdict === "yes" && part ? [[part.index.name, findLimits(modelWith(elements), ana, part.index).restricted]] : [],
    );
  const restricted = [element("stream*"), element(".ds-stream-*", dls)];
  for (const asked of [".ds-stream-*", ".ds-stream-000001"]) {
    expect(parts([element("stream")], asked)).toContainEqual([".ds-stream-000001", "no"]);
    expect(parts(restricted, asked)).toContainEqual([".ds-stream-000001", "yes"]);
  }
  for (const asked of ["stream", "stream*"]) {
    expect(parts(restricted, asked)).toContainEqual(["stream", "yes"]);
    expect(parts([element(".ds-stream-*")], asked)).toEqual([]);
  }
});

it("what restricts an alias restricts its indices, whatever grants them", () => {
  const seen = (elements: readonly string[], name: string) => findLimits(modelWith(elements), ana, { name }).restricted;
  expect(seen([element("one", dls)], "hr-1")).toBe("yes");
  expect(seen([element("one"), element("hr-1", dls)], "hr-1")).toBe("yes");
  expect(seen([element("both", dls), element("hr-1")], "fin-1")).toBe("yes");
  expect(seen([element("filtered")], "hr-1")).toBe("no");
});

it("a restriction by ? or an expression is known to apply, or to be dropped", () => {
  for (const pattern of ["hr-?", "/hr-[0-9x]/"]) {
    const seen = (name: string) => findLimits(modelWith([element("*"), element(pattern, dls)]), ana, { name });
    expect([pattern, seen("hr-1").restricted, seen("pay").restricted]).toEqual([pattern, "no", "yes"]);
  }
  const { restricted } = findLimits(modelWith([element("*"), element("h?-1", dls)]), ana, { name: "hr-1" });
  expect(restricted).toBe("yes");
});

it("on Search Guard a pattern that matches an alias restricts what that leads to with others, and the rest alone", () => {
  const other = `'{"term": {"level": 2}}'`;
  const seen = (pattern: string, name: string) => {
    const model = modelWith([element(pattern, dls), element(name, other)], {}, "search-guard");
    const { unsure, documents = [] } = findLimits(model, ana, { name });
    return unsure.length > 0 ? "unsure" : documents.length;
  };
  // The alias hr-x leads to pay.
  expect([seen("hr-*", "pay"), seen("hr-*", "hr-1"), seen("fin-*", "fin-1")]).toEqual([2, "unsure", 2]);
});

it("where one role has to grant it, a document is written through an alias by a role on all its indices", () => {
  const grants = (pattern: string) => `{ index_permissions: [${element(pattern)}], cluster_permissions: ['*'] }`;
  const { state } = modelFrom(
    `roles: { a: ${grants("hr-2")}, b: ${grants("fin-1")}, c: ${grants("written")} }
role_mappings: { a: { users: [ana] }, b: { users: [ana] }, c: { users: [bo] } }`,
    "search-guard",
    "7.x-38.0.0",
  );
  const semantics = { ...state.semantics, aliases: decodeAliases(shown) };
  const words = [true, false].map((spansRoles) => {
    const model = createAccessModel({ ...state, settings: { spansRoles }, semantics } as AccessModel["state"]);
    const request = findRequestKind("index", "7");
    if (!request) throw new Error("bug: no request index");
    return [ana, subjectFrom("bo @1.1.1.1")].map((who) => evaluateQuestion(model, who, request, ["written"]).verdict);
  });
  expect(words).toEqual([
    ["yes", "yes"],
    ["no", "yes"],
  ]);
});

it("who holds a role on an alias is concerned by a question about its indices, and the other way", () => {
  for (const [pattern, index] of [
    ["one", "hr-1"],
    ["hr-1", "both"],
    ["one", "filtered"],
    ["hr-x", "pa*"],
  ] as const) {
    const isConcerned = createConcernCheck(modelWith([element(pattern)]), { cluster: [], indices: [index] });
    expect([pattern, index, isConcerned(ana)]).toEqual([pattern, index, true]);
  }
});

it("an answer of another shape is none", () => {
  for (const body of [undefined, "", [], { error: "no", status: 404 }, { a: {} }, { a: { aliases: [] } }])
    expect(decodeAliases(body)).toBeUndefined();
  expect(decodeAliases({})?.members.size).toBe(0);
});
