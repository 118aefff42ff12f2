// Who gains and who loses by a plan, as it is told.
import { describe, expect, it } from "vitest";
import type { Difference, Region, Statement } from "../../../src/model/access.ts";
import type { Plan, Violation } from "../../../src/model/plan.ts";
import { accessBlocks } from "../../../src/render/markdown-gains.ts";
import { accessLines } from "../../../src/render/text/gains.ts";
import { at, create, plain, planOf } from "./plans.ts";

const region = (pattern: string): Region => ({ patterns: [pattern], except: [], suchAs: [], examples: [pattern] });

function statement(name: string, role: string, kind: Difference["kind"], groups: readonly string[] = []): Statement {
  const way = { field: "users", entries: [name] } as const;
  const action = "cluster:monitor/health";
  const via = { role, way, groups };
  return {
    who: [{ kind: "principal", way }],
    differences: [{ kind, level: "cluster", actions: region(action), witness: { action }, via }],
    tenants: [],
  };
}

function told(statements: readonly Statement[], found: Pick<Plan, "violations" | "lifted">) {
  const entering = [{ who: { type: "name", value: "blocked" }, before: "no", after: "yes" }] as const;
  const plan = planOf({ access: { entering, statements, untold: [] }, ...found });
  const names = (lines: readonly string[]) => lines.flatMap((line) => /^\s*[-+~] user (\S+)/.exec(line)?.[1] ?? []);
  return {
    text: names(accessLines(plan, plain)),
    markdown: names(accessBlocks(plan, false).flatMap((block) => block.split("\n"))),
  };
}

describe("who comes to administer access control is told first", () => {
  const escalation = (...addresses: Violation["addresses"]): Violation => {
    return { rule: "escalation", what: "w", addresses, remedies: [] };
  };
  const none = { violations: [], lifted: [] };
  const all = [
    statement("ana", "reader", "gained"),
    statement("leaver", "admin", "lost"),
    statement("bob", "admin", "gained"),
    statement("eve", "ops", "may-gain", ["power"]),
  ];
  const usual = ["blocked", "ana", "leaver", "bob", "eve"];

  it.each<[about: string, found: Pick<Plan, "violations" | "lifted">, order: readonly string[]]>([
    ["by no guard", none, usual],
    [
      "refused",
      { ...none, violations: [escalation("role_mappings/admin")] },
      ["bob", "blocked", "ana", "leaver", "eve"],
    ],
    ["agreed to", { ...none, lifted: [escalation("roles/admin")] }, ["bob", "blocked", "ana", "leaver", "eve"]],
    [
      "by a group",
      { ...none, lifted: [escalation("action_groups/power")] },
      ["eve", "blocked", "ana", "leaver", "bob"],
    ],
    ["by another guard", { ...none, lifted: [{ ...escalation("roles/admin"), rule: "protected" }] }, usual],
  ])("%s", (_, found, order) => {
    expect(told(all, found)).toEqual({ text: order, markdown: order });
  });

  it("of more than are shown, too", () => {
    const many = Array.from({ length: 40 }, (_, at) => statement(`u${at}`, "reader", "gained"));
    const found = { ...none, lifted: [escalation("roles/admin")] };
    const { text } = told([...many, statement("bob", "admin", "gained")], found);
    expect([text[0], text.length]).toEqual(["bob", 31]);
  });
});

describe("by what it is granted, in 80 columns", () => {
  const linesWith = (folder: string, groups: readonly string[]): readonly string[] => {
    const changes = [
      create("roles", "people_reader", {}, at(`${folder}/roles.yml`, 2)),
      create("role_mappings", "people_reader", {}, at(`${folder}/role_mappings.yml`, 8)),
    ];
    const access = { entering: [], statements: [statement("ana", "people_reader", "gained", groups)], untold: [] };
    return accessLines(planOf({ access, changes }), plain).slice(3);
  };

  it("stands on one line where that will do", () => {
    expect(linesWith("a", ["READ"])).toEqual([
      "      via role people_reader (a/roles.yml:2, mapped in a/role_mappings.yml:8)",
      "        > READ",
    ]);
  });

  it("is broken between its parts", () => {
    const folder = ".gate-sync/backups/20261122T121606Z-a";
    expect(linesWith(folder, ["read_of_people_and_organisation", "read_of_everything_that_is_public"])).toEqual([
      `      via role people_reader (${folder}/roles.yml:2,`,
      `        mapped in ${folder}/role_mappings.yml:8)`,
      "        > read_of_people_and_organisation > read_of_everything_that_is_public",
    ]);
  });

  it("has a path whole that is longer than a line", () => {
    const folder = "access/platform/teams/emea/people-and-organisation/compensation";
    expect(linesWith(folder, [])).toEqual([
      "      via role people_reader",
      `        (${folder}/roles.yml:2,`,
      "        mapped in",
      `        ${folder}/role_mappings.yml:8)`,
    ]);
  });
});

it.each([
  ["indices:data/read/search", "widened", "+ user ana sees more of hr-*"],
  ["indices:admin/mappings/get", "narrowed", "- user ana sees less of the mapping of hr-*"],
  ["indices:admin/mappings/get", "changed", "~ user ana sees something else of the mapping of hr-*"],
] as const)("what is seen otherwise by %s, %s, is told from what else is seen of an index", (action, kind, line) => {
  const way = { field: "users", entries: ["ana"] } as const;
  const seen: Difference = {
    kind,
    level: "index",
    actions: region(action),
    indices: region("hr-*"),
    witness: { action, index: "hr-1" },
  };
  const one: Statement = { who: [{ kind: "principal", way }], differences: [seen], tenants: [] };
  const plan = planOf({ access: { entering: [], statements: [one], untold: [] } });
  expect(accessLines(plan, plain).map((each) => each.trim())).toContain(line);
});
