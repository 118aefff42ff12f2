// Who gains and who loses by a plan, as it is shown.
import { describe, expect, it } from "vitest";
import { nowhere } from "../../../src/access/explain/grant-path.ts";
import type { AccessDifference, AccessDifferences, Region, Statement } from "../../../src/model/access.ts";
import type { Plan, Violation } from "../../../src/model/plan.ts";
import { createPlanView } from "../../../src/render/views/plan.ts";
import { accessMarkdown, accessText } from "../../support/rendered.ts";
import { at, create, plain, planOf } from "./plans.ts";

const region = (pattern: string): Region => ({ terms: [{ allOf: [pattern], noneOf: [] }], examples: [pattern] });

function statement(
  name: string,
  role: string,
  kind: AccessDifference["kind"],
  groups: readonly string[] = [],
): Statement {
  const member = { field: "users", entries: [name] } as const;
  const action = "cluster:monitor/health";
  const via = { role, member, groups };
  return {
    who: [{ kind: "principal", member }],
    differences: [{ kind, level: "cluster", actions: region(action), witness: { action }, via }],
    levels: [],
    tenants: [],
  };
}

function explained(statements: readonly Statement[], found: Pick<Plan, "violations" | "waived">) {
  const blockedDiff = [{ who: { type: "name", value: "blocked" }, before: "no", after: "yes" }] as const;
  const plan = planOf({ access: { blockedDiff, statements, unchanged: [], unknowns: [] }, ...found });
  const names = (lines: readonly string[]) =>
    lines.flatMap((line) => /^\s*[-+~?] user ([^\s:]+)/.exec(line)?.[1] ?? []);
  return {
    text: names(accessText(plan, plain)),
    markdown: names(accessMarkdown(plan, false).flatMap((block) => block.split("\n"))),
  };
}

describe("who becomes an administrator of access control is shown first", () => {
  const escalation = (...addresses: Violation["addresses"]): Violation => {
    return { rule: "escalation", what: "w", addresses, remedies: [] };
  };
  const none = { violations: [], waived: [] };
  const all = [
    statement("ana", "reader", "gained"),
    statement("leaver", "admin", "lost"),
    statement("bob", "admin", "gained"),
    statement("eve", "ops", "may-gain", ["power"]),
  ];
  const usual = ["blocked", "ana", "leaver", "bob", "eve"];

  it.each<[about: string, found: Pick<Plan, "violations" | "waived">, order: readonly string[]]>([
    ["by no guard", none, usual],
    [
      "refused",
      { ...none, violations: [escalation("role_mappings/admin")] },
      ["bob", "blocked", "ana", "leaver", "eve"],
    ],
    ["agreed to", { ...none, waived: [escalation("roles/admin")] }, ["bob", "blocked", "ana", "leaver", "eve"]],
    [
      "by a group",
      { ...none, waived: [escalation("action_groups/power")] },
      ["eve", "blocked", "ana", "leaver", "bob"],
    ],
    ["by another guard", { ...none, waived: [{ ...escalation("roles/admin"), rule: "protected" }] }, usual],
  ])("%s", (_, found, order) => {
    expect(explained(all, found)).toEqual({ text: order, markdown: order });
  });

  it("by one of several roles, too", () => {
    const one = statement("bob", "reader", "gained");
    const viaParts = { roles: ["admin", "reader"], groups: [] };
    const bob = { ...one, differences: one.differences.map((each) => ({ ...each, viaParts })) };
    const found = { ...none, waived: [escalation("roles/admin")] };
    expect(explained([statement("ana", "reader", "gained"), bob], found).text).toEqual(["bob", "blocked", "ana"]);
  });

  it("of more than are shown, too", () => {
    const many = Array.from({ length: 40 }, (_, at) => statement(`u${at}`, `reader_${at}`, "gained"));
    const found = { ...none, waived: [escalation("roles/admin")] };
    const { text } = explained([...many, statement("bob", "admin", "gained")], found);
    expect([text[0], text.length]).toEqual(["bob", 31]);
  });
});

const ana = { field: "users", entries: ["ana"] } as const;

function linesOf(
  statements: readonly Statement[],
  more: Partial<AccessDifferences> = {},
  changes: Plan["changes"] = [],
) {
  const access = { blockedDiff: [], statements, unchanged: [], unknowns: [], ...more };
  return accessText(planOf({ access, changes }), plain);
}

const limits = { fields: { not: [], masks: [] }, unsure: [], restricted: "no" } as const;

function seen(kind: AccessDifference["kind"], action: string, more: Partial<AccessDifference> = {}): Statement {
  const indices = region("hr-*");
  const one: AccessDifference = {
    kind,
    level: "index",
    actions: region(action),
    indices,
    witness: { action, index: "hr-1" },
  };
  return { who: [{ kind: "principal", member: ana }], differences: [{ ...one, ...more }], levels: [], tenants: [] };
}

describe("by which role", () => {
  const gained = statement("ana", "people_reader", "gained", ["READ"]);

  it("is beside what is gained", () => {
    expect(linesOf([gained])).toEqual([
      "Access           1 gained",
      "  + user ana: use cluster:monitor/health (role people_reader)",
    ]);
  });

  it("and by which group, where the plan changes that", () => {
    const changes = [create("action_groups", "READ", {}, at("a/groups.yml", 2))];
    expect(linesOf([gained], {}, changes)[1]).toBe(
      "  + user ana: use cluster:monitor/health (role people_reader > READ)",
    );
  });

  it("but not where the group stays, of which a saved plan knows nothing", () => {
    const unchanged = { ...create("action_groups", "READ", {}, at("a/groups.yml", 2)), action: "leave" } as const;
    expect(linesOf([gained], {}, [unchanged])[1]).toBe("  + user ana: use cluster:monitor/health (role people_reader)");
  });
});

it.each([
  ["indices:data/read/search", "widened", "+ user ana: more documents of hr-*"],
  ["indices:admin/mappings/get", "narrowed", "- user ana: fewer fields of the mapping of hr-*"],
  ["indices:admin/mappings/get", "changed", "~ user ana: other fields of the mapping of hr-*"],
] as const)("what is seen by %s, %s", (action, kind, line) => {
  const before = { ...limits, documents: [{ key: "q", shown: "q" }] };
  expect(linesOf([seen(kind, action, { before, after: limits })]).map((each) => each.trim())).toContain(line);
});

it.each([
  { only: ["a"] },
  { not: ["a"] },
  { masks: ["a"] },
  { masks: ["a::SHA-1"] },
  { masks: ["a::/x/::y"] },
  { masks: ["a::/x/::z"] },
])("both sides of what is seen otherwise read otherwise: %o", (fields) => {
  const { fields: usual } = limits;
  const before = { ...limits, fields: { ...usual, masks: ["a::/x/::w"] } };
  const after = { ...limits, fields: { ...usual, ...fields } };
  const lines = linesOf([seen("changed", "indices:data/read/search", { before, after })]).map((each) => each.trim());
  const [was, is] = ["before: ", "after: "].map((side) =>
    lines.find((line) => line.startsWith(side))?.slice(side.length),
  );
  expect(was).toBeDefined();
  expect(is).not.toBe(was);
});

describe("the view of a plan", () => {
  const ana = statement("ana", "reader", "gained", ["READ"]);
  const cleo = statement("cleo", "reader", "gained", ["READ"]);
  const waived = [{ rule: "escalation", what: "w", addresses: ["roles/x"] }] as const;
  const plan = planOf({ access: { blockedDiff: [], statements: [ana, cleo], unchanged: [], unknowns: [] }, waived });
  const placed = at("roles/reader.yml", 2);
  const view = createPlanView(plan, undefined, { ...nowhere, grant: () => placed });

  it("has principals and grants as data, with the places of the files", () => {
    const [block] = view.access?.others ?? [];
    expect(block?.principals).toEqual([...ana.who, ...cleo.who]);
    expect(block?.lines.map(({ difference }) => difference)).toEqual(ana.differences);
    expect(block?.lines[0]?.chain).toEqual([
      { kind: "mapping", name: "reader", member: { field: "users", entries: ["ana"] } },
      { kind: "role", name: "reader", place: placed },
      { kind: "group", name: "READ" },
    ]);
  });
  it("has the guards that are waived", () =>
    expect(view.waived).toMatchObject([{ rule: "escalation", what: "w", addresses: ["roles/x"], remedies: [] }]));
});

describe("what is unknown", () => {
  const search = "indices:data/read/search";
  const unchanged = {
    role: "own_index",
    depends: [{ kind: "pattern", pattern: "${user_name}" }],
    members: [{ field: "users", entries: ["*"] }],
  } as const;

  it("before and after alike comes last, once, and does not count as a change", () => {
    const besides = [{ role: "own_index", depends: [{ kind: "pattern", pattern: "${user_name}" }] as const }];
    const accessDiff = ["a", "b"].map((name) => {
      const who = [{ kind: "principal", member: { field: "users", entries: [name] } }] as const;
      return { ...seen("gained", search, { besides, indices: region(`${name}-*`) }), who };
    });
    expect(linesOf(accessDiff, { unchanged: [unchanged] })).toEqual([
      "Access           2 gained",
      "  + user a: search a-*",
      "  + user b: search b-*",
      "  ? as before, and not included above: mapping own_index grants every user its",
      "      own index pattern ${user_name}",
    ]);
  });

  it("of many roles is one line", () => {
    const many = Array.from({ length: 100 }, (_, at) => ({ ...unchanged, role: `r${at}` }));
    expect(linesOf([], { unchanged: many }).slice(1)).toEqual([
      "  ? as before, and not included above: mappings r0, r1, r2, r3, r4, r5 and 94",
      "      more grant each user index patterns with variables",
    ]);
  });

  it("by the change itself is said of whom it concerns, after what is known", () => {
    const depends = [{ kind: "pattern", pattern: "home-${user_name}" }] as const;
    const [known, unknown] = [seen("gained", search), seen("may-gain", search, { depends })];
    const both = { ...known, differences: [...unknown.differences, ...known.differences] };
    expect(linesOf([both])).toEqual([
      "Access           1 gained, 1 unknown",
      "    user ana",
      "      + search hr-*",
      "      ? might gain: search home-${user_name}",
      "          unknown: what home-${user_name} matches",
    ]);
  });
});

it("a date is named by its pattern, and what is granted for certain by its own, whatever else may grant it", () => {
  const search = "indices:data/read/search";
  const dated = seen("may-gain", search, {
    depends: [{ kind: "pattern", pattern: "<logs-{now/d}>" }],
    indices: region("logs-????.??.??"),
  });
  const sure = seen("may-gain", search, {
    depends: [{ kind: "pattern", pattern: "${user_name}" }],
    indices: region("pay-*"),
    isGrantSure: true,
  });
  expect(linesOf([{ ...dated, differences: [...dated.differences, ...sure.differences] }]).slice(1)).toEqual([
    "    user ana",
    "      ? might gain: search <logs-{now/d}>",
    "          unknown: what <logs-{now/d}> matches (the date decides)",
    "      ? might gain: search pay-*",
    "          unknown: what ${user_name} matches",
  ]);
});

it("what everybody gains as well is said once, of everybody", () => {
  const action = "indices:data/read/search";
  const all = {
    ...seen("gained", action),
    who: [{ kind: "principal", member: { field: "users", entries: ["*"] } }],
  } as const;
  expect(linesOf([all, seen("gained", action, { isOfEverybody: true })])).toEqual([
    "Access           1 gained",
    "  + everybody: search hr-*",
  ]);
});

it("what users gain by their own names is one line, beside what is unknown of everybody", () => {
  const action = "indices:data/read/search";
  const via = { role: "home", member: { field: "users", entries: ["*"] }, groups: [] } as const;
  const gain = (name: string, kind: AccessDifference["kind"], more: Partial<AccessDifference>): Statement => ({
    ...seen(kind, action, { via, ...more }),
    who: [{ kind: "principal", member: { field: "users", entries: [name] } }],
  });
  const users = ["ana", "ben"].map((name) => gain(name, "gained", { indices: region(`home-${name}`) }));
  const other = gain("cem", "gained", { indices: region("home-ana") });
  const all = gain("*", "may-gain", { depends: [{ kind: "pattern", pattern: "home-${user_name}" }] });
  expect(linesOf([...users, other, all])).toEqual([
    // As many as there are lines.
    "Access           2 gained, 1 unknown",
    "  + user cem: search home-ana (role home)",
    "  + users ana, ben: all or some of the actions on home-${user_name} that",
    "      everybody might gain (role home)",
    "  ? everybody: might gain: search home-${user_name} (role home)",
    "      unknown: what home-${user_name} matches",
  ]);
  // Nor does it show what another role grants as well.
  const viaParts = { roles: ["ana_too", "home"], groups: [] };
  const more = gain("ana", "gained", { indices: region("home-ana"), viaParts });
  expect(linesOf([more, all])).toContain("  + user ana: search home-ana (roles ana_too and home)");
  // Without that line of everybody, each is shown.
  expect(linesOf(users)).toHaveLength(3);
});

describe("pairs of principals", () => {
  const pair = (name: string, pattern: string): Statement => ({
    ...seen("lost", "indices:data/read/search", { indices: region(pattern) }),
    who: [{ kind: "pair", members: [ana, { field: "backend_roles", entries: [name] }] }],
  });

  it("of whom the same is said are one line", () => {
    expect(linesOf(["a", "b", "c", "d", "e"].map((name) => pair(name, "hr-*"))).slice(1)).toEqual([
      "  - principals with both user ana and backend role a; or with both user ana and",
      "      backend role b; or with both user ana and backend role c; or of 2 more",
      "      pairs: search hr-*",
    ]);
  });

  it("are a few, and how many more; in Markdown they are folded away", () => {
    const many = Array.from({ length: 40 }, (_, at) => pair(`b${at}`, `hr-${at}`));
    expect(linesOf(many).at(-1)).toBe("  ... 39 more for pairs of principals: 39 lost (--full)");
    expect(linesOf(many)).toHaveLength(3);
    const access = { blockedDiff: [], statements: many, unchanged: [], unknowns: [] };
    const [title = "", pairs = ""] = accessMarkdown(planOf({ access }), false);
    expect(title).toBe("Access: **40 lost**");
    expect(pairs).toContain(
      "<details><summary>Access: 40 changes for pairs of principals</summary>\n\n```diff\n- principals",
    );
  });
});

describe("principals made from one pattern", () => {
  const teams = (count: number, more: Partial<AccessDifference> = {}, kind: AccessDifference["kind"] = "gained") =>
    Array.from({ length: count }, (_, at): Statement => {
      const name = `team-${String(at + 10)}`;
      const member = { field: "backend_roles", entries: [name] } as const;
      const via = { role: `${name}-reader`, member, groups: [] };
      const [one] = seen(kind, "indices:data/read/search", { indices: region(`${name}-*`), via, ...more }).differences;
      return { who: [{ kind: "principal", member }], differences: one ? [one] : [], levels: [], tenants: [] };
    });
  const textOf = (statements: readonly Statement[], violations: Plan["violations"] = [], full = false) => {
    const access = { blockedDiff: [], statements, unchanged: [], unknowns: [] };
    return accessText(planOf({ access, violations }), { ...plain, full });
  };
  const folded = "20 backend roles alike but for … in team-…: search team-…-* (role team-…-reader)";

  it("are one line, with their names, beside the others", () => {
    const [first, second, ...rest] = textOf([...teams(20), statement("ana", "ops", "lost")], [], false);
    expect(first).toBe("Access           20 gained, 1 lost");
    expect([second, rest[0]].join(" ").replaceAll(/\s+/g, " ").trim()).toBe(`+ ${folded}`);
    expect(rest.join(" ")).toMatch(/team-10, team-11, .*team-29 {3}- user ana/s);
    const access = { blockedDiff: [], statements: teams(20), unchanged: [], unknowns: [] };
    expect(accessMarkdown(planOf({ access }), false).join("\n")).toContain(`+ ${folded}\n    team-10, team-11`);
  });

  it("are counted where there are more than can be read", () => {
    expect(textOf(teams(500)).at(-1)).toMatch(/team-108, \.\.\. 401 more \(--full\)$/);
  });

  it.each<[string, readonly Statement[], Plan["violations"], boolean, number]>([
    ["where all is asked for", teams(20), [], true, 20],
    ["where they are few", teams(12), [], false, 12],
    [
      "where a guard names one of them",
      teams(20),
      [{ rule: "protected", what: "w", addresses: ["roles/team-12-reader"], remedies: [] }],
      false,
      1,
    ],
    ["where one might have it", [...teams(20).slice(1), ...teams(1, { depends: [] }, "may-gain")], [], false, 1],
    ["where the word is in what they may do", teams(20).map(named), [], false, 20],
  ])("are by themselves %s", (_, statements, violations, full, count) => {
    expect(textOf(statements, violations, full).filter((line) => /^ {2}[+?] backend role /.test(line))).toHaveLength(
      count,
    );
  });

  /** Each may use an action with its own name. */
  function named(one: Statement): Statement {
    const [, name = ""] = /(team-\d+)/.exec(JSON.stringify(one)) ?? [];
    const actions = region(`indices:data/read/${name}`);
    return { ...one, differences: one.differences.map((difference) => ({ ...difference, actions })) };
  }
});
