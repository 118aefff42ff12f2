// Who gains and who loses by a plan, as it is told.
import { describe, expect, it } from "vitest";
import type { Difference, Region, Statement } from "../../../src/model/access.ts";
import type { Plan, Violation } from "../../../src/model/plan.ts";
import { accessBlocks } from "../../../src/render/markdown-gains.ts";
import { accessLines } from "../../../src/render/text/gains.ts";
import { plain, planOf } from "./plans.ts";

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
