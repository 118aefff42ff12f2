// Unknown never becomes yes, no or "no change": what was seen to do so, each with another one of its kind. The property
// that holds all of them is test/properties/unknown.test.ts.
import { describe, expect, it } from "vitest";
import { compareAccess } from "../../../src/access/compare/compare.ts";
import { findRequestKind } from "../../../src/access/evaluate/asked-request.ts";
import { evaluateQuestion } from "../../../src/access/evaluate/question.ts";
import { type AccessModel, createAccessModel } from "../../../src/access/model/access-model.ts";
import type { AccessSettings } from "../../../src/access/model/state.ts";
import { findEffectiveAccess } from "../../../src/access/questions/what.ts";
import { modelFrom, subjectFrom } from "./questions/state.ts";

const search = "indices:data/read/search";

/** No finite automaton decides a back reference, so what it matches is unknown here. */
function opaque(expression: string): string {
  return `/()\\1${expression}/`;
}

interface Element {
  readonly on: string;
  readonly dls?: string;
  readonly masked_fields?: readonly string[];
  readonly fls?: readonly string[];
}

function state(elements: Readonly<Record<string, Element>>, mappings: Readonly<Record<string, object>>, more = {}) {
  const roles = Object.entries(elements).map(([name, { on, ...restricts }]) => [
    name,
    { index_permissions: [{ index_patterns: [on], allowed_actions: [search], ...restricts }] },
  ]);
  return modelFrom(JSON.stringify({ roles: Object.fromEntries(roles), role_mappings: mappings, ...more }));
}

/** What is said of who has the user name ana, or what else the entry is. */
function kinds(before: AccessModel, after: AccessModel, entry = "ana"): readonly string[] {
  const { statements, blockedDiff } = compareAccess(before, after);
  const own = statements.filter(({ who }) =>
    who.some((one) => one.kind === "principal" && one.member.entries.includes(entry)),
  );
  const tenants = own.flatMap((one) => one.tenants.map(({ before: was, after: is }) => `tenant ${was} ${is}`));
  const entered = blockedDiff.map(({ before: was, after: is }) => `enters ${was} ${is}`);
  return [
    ...new Set([...own.flatMap(({ differences }) => differences.map(({ kind }) => kind)), ...tenants, ...entered]),
  ];
}

const ana = { users: ["ana"] };
const both = { r1: ana, r3: ana };
const [high, low] = ['{"range":{"level":{"gte":3}}}', '{"range":{"level":{"lt":3}}}'];

describe("what is seen", () => {
  it("two queries of which one applies, exchanged", () => {
    const before = state({ r1: { on: "/logs-.*/", dls: high }, r3: { on: "logs-*", dls: low } }, both);
    const after = state({ r1: { on: "/logs-.*/", dls: low }, r3: { on: "logs-*", dls: high } }, both);
    expect(kinds(before, after)).toEqual(["may-change"]);
    expect(kinds(before, before)).toEqual([]);
  });

  it("a query that goes, where another one may take its place", () => {
    const r1 = { on: "/[a-m].*/", dls: high, masked_fields: ["email"] };
    const mask = { on: "logs-2026.*", masked_fields: ["ip"] };
    const before = state({ r1, r3: { ...mask, dls: low } }, both);
    const after = state({ r1, r3: mask }, both);
    expect(kinds(before, after)).toEqual(["may-change"]);
    expect(kinds(after, before)).toEqual(["may-change"]);
  });

  it("what is so by every choice is certain", () => {
    const [r1, r3] = [
      { on: "/logs-.*/", dls: high },
      { on: "logs-*", dls: low },
    ];
    const free = state({ r1: { on: "logs-*" } }, both);
    const restricted = state({ r1, r3 }, both);
    const wide = state({ r1: { on: "logs-*" }, r2: { on: "logs-*" } }, { r1: ana, r2: ana });
    expect(kinds(free, restricted)).toContain("narrowed");
    expect(kinds(wide, free)).toEqual([]);
  });

  it("less of what is perhaps not read at all", () => {
    const doubtful = { r1: { users: [opaque("ana")] } };
    const before = state({ r1: { on: "hr-*" } }, doubtful);
    const after = state({ r1: { on: "hr-*", dls: high } }, doubtful);
    expect(kinds(before, after, opaque("ana"))).toEqual(["narrowed"]);
    const named = (model: AccessModel) =>
      createAccessModel({ ...model.state, mappings: new Map([...model.state.mappings, ["other", ana]]) });
    const [was, is] = [before, after].map((model) => compareAccess(named(before), named(model), [persona]));
    expect(was?.statements).toEqual([]);
    expect(is?.statements.filter(({ who }) => who.some(({ kind }) => kind === "persona"))).toMatchObject([
      { differences: [{ kind: "may-change" }] },
    ]);
  });
});

const persona = { name: "ana", subject: subjectFrom("ana @1.1.1.1") };

function ofPersona(before: AccessModel, after: AccessModel): readonly string[] {
  return compareAccess(before, after, [persona])
    .statements.filter(({ who }) => who.some(({ kind }) => kind === "persona"))
    .flatMap(({ differences }) => differences.map(({ kind }) => kind));
}

describe("what is granted", () => {
  it("another member, and whom it means is unknown", () => {
    const one = state({ r1: { on: "hr-*" } }, { r1: { users: [opaque("ana")] } });
    const other = state({ r1: { on: "hr-*" } }, { r1: { users: [opaque("bo")] } });
    expect(ofPersona(one, other)).toEqual(["may-change"]);
    expect(ofPersona(one, one)).toEqual([]);
  });

  it("the same member, by a role of another name", () => {
    const one = state({ r1: { on: "hr-*" } }, { r1: { users: [opaque("ana")] } });
    const other = state({ r2: { on: "hr-*" } }, { r2: { users: [opaque("ana")] } });
    expect(ofPersona(one, other)).toEqual([]);
  });

  it("one of several unknown patterns", () => {
    const role = (second: string) =>
      modelFrom(`
roles: { r: { index_permissions: [{ index_patterns: ['\${attr.a}-x', '${second}'], allowed_actions: [read] }] } }
role_mappings: { r: { users: [ana] } }
`);
    expect(kinds(role("${attr.internal.b}-x"), role("${attr.internal.c}-x"))).toEqual(["may-change"]);
    expect(kinds(role("${attr.internal.b}-x"), role("${attr.internal.b}-x"))).toEqual([]);
  });

  it("mapping types", () => {
    const role = (type: string) => {
      const { state: declared } = modelFrom("role_mappings: { r: { users: [ana] } }", "search-guard", "6.x-25");
      const element = { index_patterns: ["hr"], document_types: [type], allowed_actions: [search] };
      return createAccessModel({ ...declared, roles: new Map([["r", { index_permissions: [element] }]]) });
    };
    expect(kinds(role("a"), role("b"))).toEqual(["may-change"]);
    expect(kinds(role("a"), role("a"))).toEqual([]);
  });

  it("blocks and tenants", () => {
    const block = (name: string) => {
      const { state: declared } = modelFrom("{}", "gate", "7.x-43.0.0");
      const blocks = new Map([["b", { type: "name", value: [name], verdict: "disallow" }]]);
      return createAccessModel({ ...declared, blocks });
    };
    expect(kinds(block(opaque("ana")), block(opaque("bo"))).length).toBeGreaterThan(0);
    expect(kinds(block(opaque("ana")), block(opaque("ana")))).toEqual([]);
    const tenant = (pattern: string) =>
      modelFrom(`
tenants: { t1: {} }
roles: { r: { tenant_permissions: [{ tenant_patterns: ['${pattern}'], allowed_actions: [kibana_all_read] }] } }
role_mappings: { r: { users: [ana] } }
`);
    expect(kinds(tenant(opaque("t1")), tenant(opaque("t2")))).toEqual(["tenant unknown unknown"]);
    expect(kinds(tenant(opaque("t1")), tenant(opaque("t1")))).toEqual([]);
  });
});

describe("a request that may be reduced", () => {
  const doubtful = `
roles: { r: { index_permissions: [{ index_patterns: ['${opaque("hr-.*")}'], allowed_actions: [read] }] } }
role_mappings: { r: { users: [ana] } }
`;
  const byName = `
roles: { r: { index_permissions: [{ index_patterns: ['hr-*'], allowed_actions: [read] }] } }
role_mappings: { r: { users: ['${opaque("ana")}'] } }
`;
  const verdict = (text: string, index: string, settings: AccessSettings) => {
    const request = findRequestKind("search", "2.19");
    if (!request) throw new Error("no search");
    const { state: declared } = modelFrom(text);
    const model = createAccessModel({ ...declared, settings });
    return evaluateQuestion(model, subjectFrom("ana @1.1.1.1"), request, index.split(",")).verdict;
  };
  const [reduced, empty] = [{ reducesRequests: true }, { reducesRequests: true, reducesToNothing: true }];

  it.each([
    ["by a pattern", doubtful],
    ["by a name", byName],
  ])("is unknown where no index is known, %s", (_, text) => {
    for (const settings of [{}, reduced, empty]) {
      expect(verdict(text, "hr-main", settings)).toBe("unknown");
      expect(verdict(text, "hr-main,hr-other", settings)).toBe("unknown");
    }
    expect(verdict(byName, "shop", empty)).toBe("no");
  });
});

describe("all that a user may do", () => {
  it("has no update where whether a restriction applies is unknown", () => {
    const text = `
roles:
  writes:
    cluster_permissions: [cluster_composite_ops]
    index_permissions: [{ index_patterns: [hr-1], allowed_actions: [crud] }]
  restricts: { index_permissions: [{ index_patterns: [hr-1], dls: '${high}' }] }
role_mappings: { writes: { users: [ana] }, restricts: { users: ['${opaque("ana")}'] } }
`;
    const { indices } = findEffectiveAccess(modelFrom(text), subjectFrom("ana @1.1.1.1"), "2.19");
    const share = indices.find(({ by }) => by.flat().includes("hr-1"));
    expect(share?.can).toContain("search");
    expect(share?.can).not.toContain("update");
    expect(share?.perhaps).toContain("update");
  });

  it("has nothing that one role has to grant and none does", () => {
    const { state: declared } = modelFrom(
      `
roles:
  a: { index_permissions: [{ index_patterns: [hr-1], allowed_actions: ['indices:data/read/search'] }] }
  b: { index_permissions: [{ index_patterns: [hr-1], allowed_actions: ['indices:data/write/*', 'indices:admin/mapping/put'] }] }
  c: { cluster_permissions: ['*'] }
role_mappings: { a: { users: [ana] }, b: { users: [ana] }, c: { users: [ana] } }
`,
      "search-guard",
      "7.x-38.0.0",
    );
    for (const spansRoles of [true, false]) {
      const model = createAccessModel({ ...declared, settings: { spansRoles } });
      const ana = subjectFrom("ana @1.1.1.1");
      const { indices } = findEffectiveAccess(model, ana, "7.x-38.0.0");
      for (const name of indices.find(({ by }) => by.flat().includes("hr-1"))?.can ?? []) {
        const request = findRequestKind(name, "7.x-38.0.0");
        expect([name, request && evaluateQuestion(model, ana, request, ["hr-1"]).verdict]).toEqual([name, "yes"]);
      }
    }
  });
});
