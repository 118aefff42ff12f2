// Files that declare a part of what a server has: what they answer by themselves is right whatever the server has besides.
import { expect, test } from "vitest";
import { evaluateQuestion } from "../../src/access/evaluate/question.ts";
import type { Subject } from "../../src/access/model/subject.ts";
import type { Verdict } from "../../src/access/verdict.ts";
import type { DesiredState } from "../../src/model/desired.ts";
import type { FamilyPolicy, Policies } from "../../src/model/policy.ts";
import { parseQuestion } from "../../src/questions/asked.ts";
import { findPartlyDeclared, listOpenAskers, openSubject } from "../../src/questions/partly-declared.ts";
import { type Random, randomFrom } from "../fixtures/random.ts";
import type { Fixture } from "../support/evaluated.ts";
import { countOf } from "../support/extent.ts";
import { modelOfFixture } from "../support/modelled.ts";
import { seed } from "./seed.ts";

const names = ["own-1", "own-2", "far-1", "far-2"];
const backendRoles = ["hr", "ops", "x"];

function serverFrom(random: Random): Fixture {
  const some = <T>(make: () => T): Readonly<Record<string, T>> =>
    Object.fromEntries(random.some(names, 1, 4).map((name) => [name, make()]));
  return {
    product: random.pick(["opensearch", "search-guard-7"] as const),
    groups: some(() => random.some(["indices:data/read/*", "indices:data/write/*", ...names], 1, 2)),
    roles: some(() => ({
      index_permissions: [
        {
          index_patterns: [random.pick(["hr-*", "logs", "hr-1"])],
          allowed_actions: random.some([...names, "indices:data/read/search", "cluster:x"], 1, 2),
        },
      ],
    })),
    mappings: some(() => ({ backend_roles: random.some([...backendRoles, "h*"], 0, 2) })),
    blocks: random.chance(0.1) ? [{ type: "name", verdict: "disallow", value: ["*"] }] : [],
  };
}

const policies: readonly FamilyPolicy[] = [
  {},
  {},
  { mode: "adopt" },
  { mode: "observe" },
  { include: ["own-*"] },
  { exclude: ["far-*"] },
  { mode: "adopt", exclude: ["far-1"] },
];

/** What files say of a server that a plan has nothing to change on. */
function declaredOf<T>(random: Random, held: Readonly<Record<string, T>>, policy: FamilyPolicy) {
  const isManaged = (name: string) => !(policy.include || policy.exclude?.includes("far-*")) || name.startsWith("own-");
  const isKept = () => policy.mode === undefined || random.chance(0.5);
  const isOut = (name: string) => policy.exclude?.includes(name) ?? false;
  return Object.fromEntries(
    Object.entries(held).filter(([name]) => isManaged(name) && !isOut(name) && isKept()),
  ) as Readonly<Record<string, T>>;
}

function toDesired({ groups, roles, mappings }: Fixture): DesiredState {
  const families = { action_groups: groups, roles, role_mappings: mappings };
  const resources = Object.entries(families).map(([family, held]) => [
    family,
    new Map(Object.keys(held).map((name) => [name, {}])),
  ]);
  return { resources: new Map(resources as []) } as unknown as DesiredState;
}

const asked = parseQuestion({ action: "search", index: "hr-1" }, "2.19");

function ask(fixture: Fixture, subject: Subject): string {
  const model = modelOfFixture(fixture);
  return asked.of === "request" ? evaluateQuestion(model, subject, asked.request, asked.indices).verdict : "unknown";
}

test(`no answer by a part is another than the server's, seed ${seed}`, () => {
  const random = randomFrom(`partly declared ${seed}`);
  const seen: Record<Verdict, number> = { yes: 0, no: 0, unknown: 0 };
  for (let count = 0; count < countOf(20_000, 1500); count++) {
    const server = serverFrom(random);
    const stated = {
      action_groups: random.pick(policies),
      roles: random.pick(policies),
      role_mappings: random.pick(policies),
    } satisfies Policies;
    const files: Fixture = {
      ...server,
      groups: declaredOf(random, server.groups, stated.action_groups),
      roles: declaredOf(random, server.roles, stated.roles),
      mappings: declaredOf(random, server.mappings, stated.role_mappings),
    };
    const partly = findPartlyDeclared(stated, toDesired(files));
    const model = modelOfFixture(files);
    const askers = backendRoles.map((name) => ({ subject: { backendRoles: [{ name }] }, title: name }));
    const isAnyOpen = partly && listOpenAskers(partly, model, askers).some((one) => ask(files, one.subject) !== "no");
    for (const { subject } of askers) {
      const known = ask(files, subject);
      const open = partly && known !== "yes" ? openSubject(partly, model, subject) : undefined;
      const answer = (open ? ask(files, open) : known) as Verdict;
      const right = ask(server, subject);
      seen[answer] += 1;
      const context = JSON.stringify({ server, files, stated, subject });
      if (answer !== "unknown") expect(answer, context).toBe(right);
      // Where all is declared, nothing is left open by it.
      if (!partly) expect(known, context).toBe(right);
      // Who is let in by the server alone is among those who may be more.
      if (right === "yes" && known !== "yes") expect(isAnyOpen, context).toBe(true);
    }
  }
  // Each of them comes: a check that finds everything unknown would hold, too.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(100);
}, 900_000);
