// What questions say of a principal of whom no address is stated: certain only where it is so from every address, by the
// naive evaluator; and the same however it is asked about.
import { expect, test } from "vitest";
import { evaluateQuestion } from "../../src/access/evaluate/question.ts";
import type { Subject } from "../../src/access/model/subject.ts";
import { listAllPrincipals } from "../../src/access/questions/who.ts";
import { parseQuestion } from "../../src/questions/asked.ts";
import { createAsker, type Whom } from "../../src/questions/subject.ts";
import { type Random, randomFrom } from "../fixtures/random.ts";
import type { Block, Fixture, Mapping } from "../support/evaluated.ts";
import { evaluate } from "../support/evaluator.ts";
import { countOf } from "../support/extent.ts";
import { modelOfFixture } from "../support/modelled.ts";
import { seed } from "./seed.ts";

const users = ["ana", "bo", "adm-1", "svc1"];
const userPatterns = [...users, "a*", "adm-*", "?o", "*", "/(ana|bo)/", "/svc[0-9]/"];
const backendRoles = ["hr", "ops", "x", "y"];
const rolePatterns = [...backendRoles, "h*", "*", "/(x|y)/"];
const hosts = ["10.0.0.1", "10.0.7.3", "10.1.2.3", "192.168.1.5", "203.0.113.9"];
const hostPatterns = [...hosts, "10.0.*", "10.*", "192.168.1.?", "*"];
const networks = ["10.0.0.0/8", "10.0.7.0/24", "192.168.0.0/16", "0.0.0.0/0"];
const valuesOf = { name: userPatterns, ip: hosts, net_mask: networks } as const;

function mappingFrom(random: Random): Mapping {
  return {
    users: random.some(userPatterns, 0, 2),
    backend_roles: random.some(rolePatterns, 0, 2),
    hosts: random.some(hostPatterns, 0, 1),
    and_backend_roles: random.chance(0.3) ? random.some(backendRoles, 1, 2) : [],
  };
}

function blockFrom(random: Random): Block {
  const type = random.pick(["name", "ip", "net_mask"] as const);
  return { type, verdict: random.pick(["allow", "disallow"] as const), value: random.some(valuesOf[type], 0, 2) };
}

function fixtureFrom(random: Random): Fixture {
  const role = () => ({
    index_permissions: [{ index_patterns: [random.pick(["hr-*", "*", "logs"])], allowed_actions: ["*"] }],
  });
  return {
    product: random.pick(["opensearch", "search-guard-7"] as const),
    groups: {},
    roles: { r: role(), s: role() },
    mappings: { r: mappingFrom(random), s: mappingFrom(random) },
    blocks: Array.from({ length: random.below(4) }, () => blockFrom(random)),
  };
}

const asked = parseQuestion({ action: "search", index: "hr-1" }, "2.19");

function findProblems(fixture: Fixture, random: Random): readonly string[] {
  const model = modelOfFixture(fixture);
  const ask = (subject: Subject) =>
    asked.of === "request" ? evaluateQuestion(model, subject, asked.request, asked.indices).verdict : "unknown";
  const askOf = (whom: Partial<Whom>) =>
    ask(createAsker({ backendRoles: [], attributes: [], ...whom }, new Map()).subject);
  const listed = new Map(
    listAllPrincipals(model).flatMap((one) =>
      one.kind === "entry" ? [[`${one.member.field} ${one.member.entries.join()}`, ask(one.subject)] as const] : [],
    ),
  );
  const evaluated = (user: string, own: readonly string[], host: string) =>
    evaluate(fixture, { user, backendRoles: own, host }, ["indices:data/read/search"], [{ name: "hr-1" }])
      ? "yes"
      : "no";
  const anywhere = (user: string, own: readonly string[]) => hosts.map((host) => evaluated(user, own, host));
  const ofUsers = users.flatMap((user) => {
    const own = random.some(backendRoles, 0, 2);
    const certain = hosts.flatMap((host) => {
      const [found, wanted] = [askOf({ user, backendRoles: own, host }), evaluated(user, own, host)];
      return found === wanted ? [] : [`${user} with ${own.join()} from ${host} is ${wanted}, not ${found}`];
    });
    const open = askOf({ user, backendRoles: own });
    const isRight = open === "unknown" || anywhere(user, own).every((verdict) => verdict === open);
    const [alone, one] = [askOf({ user }), listed.get(`users ${user}`)];
    // Mappings by host are no part of what is asked about one member alone.
    const isSame = one === undefined || one === alone || (one === "no" && alone === "unknown");
    return [
      ...certain,
      ...(isRight ? [] : [`${user} with ${own.join()} from anywhere is not ${open}`]),
      ...(isSame ? [] : [`user ${user} is ${alone}, and among all ${one}`]),
    ];
  });
  const isNamed = (user: string) =>
    (fixture.blocks ?? []).some(
      ({ type, verdict, value }) =>
        type === "name" && verdict === "disallow" && value.some((one) => one === user || /[*?/]/.test(one)),
    );
  const ofRoles = backendRoles.flatMap((role) => {
    const [found, one] = [askOf({ backendRoles: [role] }), listed.get(`backend_roles ${role}`)];
    const isRight =
      found !== "yes" ||
      ["zoe", ...users].every((user) => isNamed(user) || anywhere(user, [role]).every((verdict) => verdict === "yes"));
    return [
      ...(isRight ? [] : [`backend role ${role} is not yes from everywhere`]),
      ...(one === undefined || one === found ? [] : [`backend role ${role} is ${found}, and among all ${one}`]),
    ];
  });
  return [...ofUsers, ...ofRoles];
}

test(`questions behind blocks and mappings of all kinds, seed ${seed}`, () => {
  const random = randomFrom(`questions ${seed}`);
  for (let count = 0; count < countOf(1000, 40); count++) {
    const fixture = fixtureFrom(random);
    expect(findProblems(fixture, random), JSON.stringify(fixture)).toEqual([]);
  }
}, 900_000);
