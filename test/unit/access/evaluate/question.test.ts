// Whether a user may do something: over one index, over those that a pattern means, over all.
import { describe, expect, it } from "vitest";
import { findRequestKind } from "../../../../src/access/evaluate/asked-request.ts";
import { evaluateQuestion } from "../../../../src/access/evaluate/question.ts";
import { evaluateTenantAccess } from "../../../../src/access/evaluate/tenants.ts";
import { listPermissionDoubts } from "../../../../src/access/explain/doubts.ts";
import { modelFrom, subjectFrom } from "../questions/state.ts";

const fixture = `
action_groups: { edit: { allowed_actions: [write] } }
roles:
  reader: { index_permissions: [{ index_patterns: ['hr-*'], allowed_actions: [read], dls: '{"term": {"a": 1}}' }] }
  editor:
    cluster_permissions: [cluster_composite_ops]
    index_permissions: [{ index_patterns: ['hr-public-*', 'shop'], allowed_actions: [edit] }]
  own: { index_permissions: [{ index_patterns: ['team-\${attr.internal.dept}'], allowed_actions: [read] }] }
  expression: { index_permissions: [{ index_patterns: ['/logs\\b-.*/'], allowed_actions: [read] }] }
  shut: { index_permissions: [{ index_patterns: ['hr-*'], allowed_actions: ['*'] }] }
role_mappings:
  reader: { backend_roles: [hr] }
  editor: { users: [ana] }
  own: { users: ['*'] }
  expression: { users: [log] }
  shut: { hosts: [10.0.0.1] }
`;

type Words = readonly [who: string, action: string, index: string];

function evaluated([who, action, index]: Words, attributes?: Record<string, string>, text = fixture) {
  const request = findRequestKind(action, "2.19");
  if (!request) throw new Error(`no action ${action}`);
  const indices = index === "" ? [] : index.split(",");
  return evaluateQuestion(modelFrom(text), subjectFrom(who, attributes), request, indices);
}

function check(words: Words, verdict: string, attributes?: Record<string, string>) {
  expect(evaluated(words, attributes).verdict).toBe(verdict);
}

describe("one index", () => {
  it("a pattern covers it", () => check(["bo hr @1.1.1.1", "search", "hr-2026"], "yes"));
  it("what a server makes of a pattern that no index matches is unknown", () => {
    for (const index of ["x:a*", "A*", "_*", "hr-1,A*"]) check(["bo hr @1.1.1.1", "search", index], "unknown");
  });
  it("none does", () => check(["bo hr @1.1.1.1", "search", "shop"], "no"));
  it("each of several permissions is taken, those of the cluster too", () => {
    check(["ana @1.1.1.1", "index", "shop"], "yes");
    check(["bo hr @1.1.1.1", "index", "hr-1"], "no");
  });
  it("an update fails where DLS applies", () => {
    check(["ana @1.1.1.1", "update", "hr-public-1"], "yes");
    check(["ana hr @1.1.1.1", "update", "hr-public-1"], "no");
    for (const word of ["update", "indices:data/write/update"])
      expect(evaluated(["ana hr @1.1.1.1", word, "hr-public-1"]).shares[0]?.failsAsRestricted).toBe("yes");
  });
  it("an action by its own name", () => check(["bo hr @1.1.1.1", "indices:data/read/search", "hr-1"], "yes"));
});

describe("what is not said", () => {
  it("where a user comes from may decide", () => check(["bo", "delete-index", "hr-1"], "unknown"));
  it("an attribute decides, where it may come to this index", () => {
    check(["bo @1.1.1.1", "search", "team-hr"], "unknown");
    check(["bo @1.1.1.1", "search", "team-hr"], "yes", { "internal.dept": "hr" });
    check(["bo @1.1.1.1", "search", "team-hr"], "no", {});
    check(["bo @1.1.1.1", "search", "shop"], "no");
  });
  it.each([
    ["opensearch", "2.19"],
    ["search-guard", "7.x-38.0.0"],
    ["search-guard", "6.x-25"],
  ] as const)("an attribute has a name without dots, on %s %s", (product, release) => {
    const request = findRequestKind("search", release);
    if (!request) throw new Error("no search");
    const text = `
roles: { own: { index_permissions: [{ index_patterns: ['team-\${attr_internal_dept_no}'], allowed_actions: ['*'] }] } }
role_mappings: { own: { users: ['*'] } }
`;
    const model = modelFrom(text, product, release);
    const verdict = (attributes?: Record<string, string>) =>
      evaluateQuestion(model, subjectFrom("bo @1.1.1.1", attributes), request, ["team-a"]).verdict;
    expect(verdict()).toBe("unknown");
    expect(verdict({ "internal.dept_no": "a" })).toBe("yes");
    expect(verdict({ "internal.dept.no": "a", "internal.dept_no": "a" })).toBe("yes");
    expect(verdict({ "internal.dept_no": "b" })).toBe("no");
    expect(verdict({ "internal.dept": "a" })).toBe("no");
    // Which of the two it is, a server decides by chance.
    expect(verdict({ "internal.dept.no": "a", "internal.dept_no": "b" })).toBe("unknown");
  });
  it("is named as the reason", () => {
    const model = modelFrom(fixture);
    const reasons = (who: string, action: string, index: string) => {
      const [share] = evaluated([who, action, index]).shares;
      return share?.answer.parts.flatMap(({ evaluation }) =>
        listPermissionDoubts(model, subjectFrom(who), [evaluation], true),
      );
    };
    expect(reasons("bo", "delete-index", "hr-1")).toMatchObject([{ kind: "role", role: "shut", host: true }]);
    expect(reasons("bo @1.1.1.1", "search", "team-hr")).toMatchObject([
      { kind: "pattern", depends: "${attr.internal.dept}" },
    ]);
    expect(reasons("log @1.1.1.1", "search", "logs-1")).toContainEqual({
      kind: "expression",
      role: "expression",
      pattern: "/logs\\b-.*/",
    });
  });
});

describe("several indices", () => {
  it("a pattern takes all that it may mean", () => {
    check(["bo hr @1.1.1.1", "search", "hr-2*"], "yes");
    check(["bo hr @1.1.1.1", "search", "h*"], "partly");
    check(["bo hr @1.1.1.1", "search", "x*"], "no");
    check(["ana @1.1.1.1", "index", "hr-*"], "partly");
  });
  it("says for which, by the patterns that distinguish them", () => {
    const { shares } = evaluated(["ana @1.1.1.1", "index", "hr-*"]);
    expect(shares.map(({ verdict, part }) => [verdict, ...(part?.by ?? [])]).toSorted()).toEqual([
      ["no"],
      ["yes", "hr-public-*"],
    ]);
  });
  it("a list takes each", () => {
    check(["ana hr @1.1.1.1", "search", "hr-1,hr-2"], "yes");
    check(["ana hr @1.1.1.1", "search", "hr-1,shop"], "partly");
  });
  it("an expression that cannot be read here leaves it open", () =>
    check(["log @1.1.1.1", "search", "logs-*"], "unknown"));
});

describe("everything", () => {
  const all =
    "roles: { all: { index_permissions: [{ index_patterns: ['*'], allowed_actions: [read] }] } }\nrole_mappings: { all: { users: [ana] } }";
  it("takes what meets everything", () => {
    expect(evaluated(["ana @1.1.1.1", "search", "*"], {}, all).verdict).toBe("yes");
    expect(evaluated(["bo hr @1.1.1.1", "search", "*"]).verdict).toBe("partly");
  });
  it("on Search Guard by one pattern", () => {
    const text =
      "roles: { all: { index_permissions: [{ index_patterns: ['a*', 'b*'], allowed_actions: ['indices:data/read/*'] }] } }\nrole_mappings: { all: { users: [ana] } }";
    const request = findRequestKind("search", "7");
    if (!request) throw new Error("no search");
    const answer = evaluateQuestion(modelFrom(text, "search-guard", "7"), subjectFrom("ana @1.1.1.1"), request, ["*"]);
    expect([answer.verdict, answer.shares.length]).toEqual(["no", 1]);
  });
});

it("the cluster has no index", () => {
  check(["ana @1.1.1.1", "scroll", ""], "yes");
  check(["bo @1.1.1.1", "health", ""], "no");
});

it("an unknown word is no request", () => {
  expect(findRequestKind("serch", "7")).toBeUndefined();
  expect(findRequestKind("count", "7")?.index).toEqual(["indices:data/read/search"]);
  expect(findRequestKind("close-index", "6.x-25")?.index).toEqual(["indices:admin/close"]);
});

it.each([
  ["${attr.internal.t}", "hr", "yes"],
  ["${attr_internal_t}", "hr", "yes"],
  ["${attr.internal.t}-${user.name}", "hr-bo", "yes"],
  ["${attr.internal.star}", "hr", "no"],
  ["${attr.internal.t}*", "hr", "no"],
  ["h${attr.internal.r}", "hr", "no"],
  ["${user.name}-x", "bo-x", "no"],
])("OpenSearch replaces variables of a tenant where an attribute comes first: %s", (pattern, name, verdict) => {
  const text = `
tenants: { ${name}: {} }
roles: { own: { tenant_permissions: [{ tenant_patterns: ['${pattern}'], allowed_actions: [kibana_all_read] }] } }
role_mappings: { own: { users: ['*'] } }
`;
  const attributes = { "internal.t": "hr", "internal.r": "r", "internal.star": "*" };
  expect(evaluateTenantAccess(modelFrom(text), subjectFrom("bo @1.1.1.1", attributes), name).reads).toBe(verdict);
});

describe("what Search Guard FLX grants through aliases and data streams", () => {
  const through = `
roles:
  aliased: { alias_permissions: [{ alias_patterns: ['logs*'], allowed_actions: ['*'] }] }
  streamed: { data_stream_permissions: [{ data_stream_patterns: ['metrics-*'], allowed_actions: ['*'] }] }
role_mappings:
  aliased: { users: [ana] }
  streamed: { users: [bo] }
`;
  const asked = (words: Words) => evaluated(words, undefined, through).verdict;
  it("is unknown for a matching name, as it may be an index", () => {
    expect(asked(["ana @1.1.1.1", "search", "logs"])).toBe("unknown");
    expect(asked(["bo @1.1.1.1", "search", "metrics-app"])).toBe("unknown");
  });
  it("is no for any other name", () => {
    expect(asked(["ana @1.1.1.1", "search", "metrics-app"])).toBe("no");
    expect(asked(["bo @1.1.1.1", "search", "logs"])).toBe("no");
  });
});

describe("fields that gate-sync does not know", () => {
  const odd = `
roles:
  odd: { x_more: [a], index_permissions: [{ index_patterns: ['logs-*'], allowed_actions: ['*'] }] }
  deep: { index_permissions: [{ index_patterns: ['pay-*'], allowed_actions: ['*'], x_only: 1 }] }
  given: { cluster_permissions: ['*'], index_permissions: [{ index_patterns: ['hr-*'], allowed_actions: ['*'] }] }
  empty: { x_none: [], index_permissions: [{ index_patterns: ['hr-*'], allowed_actions: ['*'] }] }
role_mappings:
  odd: { users: [ana] }
  deep: { users: [bo] }
  given: { users: [cy], ips: [10.0.0.0/8] }
  empty: { users: [dan] }
`;
  const asked = (words: Words) => evaluated(words, undefined, odd);
  it.each<Words>([
    ["ana @1.1.1.1", "search", "logs-1"],
    ["ana @1.1.1.1", "search", "pay-1"],
    ["ana @1.1.1.1", "cluster:monitor/health", ""],
    ["bo @1.1.1.1", "search", "pay-1"],
    ["bo @1.1.1.1", "search", "logs-1"],
  ])("of a role leave all of it unknown to its holders: %s %s %s", (...words) =>
    expect(asked(words).verdict).toBe("unknown"),
  );
  it("of a mapping leave unknown who else has the role", () => {
    expect(asked(["cy @1.1.1.1", "search", "hr-1"]).verdict).toBe("yes");
    expect(asked(["dan @1.1.1.1", "delete-index", "other"]).verdict).toBe("no");
    expect(asked(["zoe @1.1.1.1", "search", "hr-1"]).verdict).toBe("unknown");
  });
  it("that are empty change nothing", () => {
    const model = odd.replace("users: [cy], ips: [10.0.0.0/8]", "users: [cy]");
    expect(evaluated(["dan @1.1.1.1", "search", "hr-1"], undefined, model).verdict).toBe("yes");
    expect(evaluated(["dan @1.1.1.1", "search", "pay-1"], undefined, model).verdict).toBe("no");
  });
  it("are named as the reason", () => {
    const model = modelFrom(odd);
    const subject = subjectFrom("ana @1.1.1.1");
    const found = asked(["ana @1.1.1.1", "search", "logs-1"]).shares.flatMap(({ answer }) =>
      listPermissionDoubts(
        model,
        subject,
        answer.parts.map(({ evaluation }) => evaluation),
        true,
      ),
    );
    expect(found).toEqual([{ kind: "unknown-fields", of: "role", name: "odd", role: "odd" }]);
  });

  const beside = `
roles:
  reader: { index_permissions: [{ index_patterns: ['logs-*'], allowed_actions: [outer] }], tenant_permissions: [{ tenant_patterns: ['*'], allowed_actions: [kibana_all_write] }] }
  plain: { index_permissions: [{ index_patterns: ['logs-*'], allowed_actions: ['indices:data/read*'] }] }
role_mappings: { reader: { users: [ana] }, plain: { users: [bo, cy] } }
action_groups:
  outer: { allowed_actions: [inner] }
  inner: { allowed_actions: ['indices:data/read*'], x_more: 1 }
tenants: { hr: { x_only: [ana] }, ops: {} }
blocks: { cy: { type: name, value: cy, verdict: disallow, x_until: 2026 } }
`;
  const model = modelFrom(beside);
  const doubtsAbout = (who: string) =>
    evaluated([`${who} @1.1.1.1`, "search", "logs-1"], undefined, beside).shares.flatMap(({ answer }) =>
      listPermissionDoubts(
        model,
        subjectFrom(`${who} @1.1.1.1`),
        answer.parts.map(({ evaluation }) => evaluation),
        true,
      ),
    );
  it("of an action group leave unknown what roles grant that list it, through others too", () => {
    expect(evaluated(["ana @1.1.1.1", "search", "logs-1"], undefined, beside).verdict).toBe("unknown");
    expect(evaluated(["ana @1.1.1.1", "delete-index", "logs-1"], undefined, beside).verdict).toBe("unknown");
    expect(evaluated(["bo @1.1.1.1", "search", "logs-1"], undefined, beside).verdict).toBe("yes");
    expect(evaluated(["bo @1.1.1.1", "delete-index", "logs-1"], undefined, beside).verdict).toBe("no");
    expect(doubtsAbout("ana")).toEqual([{ kind: "unknown-fields", of: "group", name: "inner", role: "reader" }]);
  });
  it("of a block leave unknown whether it holds for whom it matches", () => {
    expect(evaluated(["cy @1.1.1.1", "search", "logs-1"], undefined, beside).verdict).toBe("unknown");
    expect(doubtsAbout("cy")).toEqual([{ kind: "unknown-fields", of: "block", name: "cy" }]);
  });
  it("of a tenant leave unknown who gets in", () => {
    const verdictOf = (who: string, tenant: string) => evaluateTenantAccess(model, subjectFrom(who), tenant).reads;
    expect([verdictOf("bo @1.1.1.1", "hr"), verdictOf("bo @1.1.1.1", "ops")]).toEqual(["unknown", "no"]);
  });
});
