// The guard `escalation` refuses a plan by which a person comes to administer access control, and no other: by a naive
// evaluation of every person before and after.
import { expect, test } from "vitest";
import { createDialect } from "../../src/dialects/index.ts";
import { escalation } from "../../src/plan/guards/escalation.ts";
import { type Random, randomFrom } from "../fixtures/index.ts";
import type { Block, Element, Fixture, Mapping, Role } from "../support/evaluated.ts";
import { modelOfFixture } from "../support/modelled.ts";
import { changesBetween } from "../support/ordered.ts";
import { evaluated } from "../unit/plan/evaluated.ts";
import { adminRole, newAdministrators } from "./access/administrators.ts";
import { products } from "./access/fixtures.ts";
import { seed, seeds } from "./seed.ts";

const dialects = {
  opensearch: createDialect("opensearch", "2.19"),
  "search-guard-7": createDialect("search-guard", "7.x-38"),
  "search-guard-6": createDialect("search-guard", "6"),
} as const;

const ofOpenSearch = [".opendistro_security", ".open*", ".opendistro_securit?", "/\\.opendistro_.*/", "*y", "<.open*>"];
const ofSearchGuard = ["searchguard", "search*", "?earchguard", "/search[a-z]+/", "*guard", "/(logs|searchguard)/"];
const ofAny = ["logs-*", "logs-*", "a*", "*", "/.*/", "?*", "_all", "/[^q]*/", "/[^.s].*/", ".x*"];
const actions = ["*", "indices:data/write/*", "indices:data/read/*", "indices:admin/close", "/indices:.*/", "g", "i"];
const clusterActions = ["restapi:admin/roles", "restapi:*", "/r.*/", "*", "cluster:monitor/*", "c*", "g"];
// No two of them are about everybody together: the guard asks for each member of a mapping by itself.
const users = ["ana", "bo", "eve", "a*", "/[ab].*/", "??*", "*"];
const backendRoles = ["ops", "hr", "o*"];
const hosts = ["10.0.0.1", "10.*"];

test.each(products)(`new administrators are refused, and nothing else, seed ${seed}: %s`, (product) => {
  const counts = { refused: 0, passed: 0, unknown: 0 };
  for (const each of seeds(400, 25)) {
    const random = randomFrom(`escalation ${product} ${each}`);
    let before = changed(random, { product, groups: {}, roles: {}, mappings: {}, blocks: [] }, 8);
    for (let step = 0; step < 12; step++) {
      const after = changed(random, before, 1 + random.below(2));
      const found = findings(before, after);
      const gained = newAdministrators(before, after);
      // What is unknown is refused, too.
      const isUnknown = found.some(({ what }) => / may come to /.test(what)) || [before, after].some(letsInByAddress);
      if (gained.length > 0 ? found.length === 0 : found.length > 0 && !isUnknown) {
        expect({ before, after, found, gained }).toBe("as evaluated");
      }
      for (const { addresses } of found) expect(addresses.length).toBeGreaterThan(0);
      counts[gained.length > 0 ? "refused" : found.length > 0 ? "unknown" : "passed"] += 1;
      before = after;
    }
  }
  expect(counts.refused).toBeGreaterThan(20);
  expect(counts.passed).toBeGreaterThan(20);
  // Few, or unknown would hide what should be certain.
  expect(counts.unknown).toBeLessThan((counts.refused + counts.passed) * 0.05);
});

/** Whom a mapping by host lets administer is not held against the addresses that a block lets in: more is refused then. */
function letsInByAddress({ blocks = [] }: Fixture): boolean {
  return blocks.some(({ type, verdict }) => type !== "name" && verdict === "allow");
}

function findings(before: Fixture, after: Fixture) {
  const changes = changesBetween(before, after).flat();
  if (changes.length === 0) return [];
  const access = { before: modelOfFixture(before), after: modelOfFixture(after) };
  const adminRoles = [adminRole[before.product]];
  return escalation.evaluate(evaluated(changes, { access, adminRoles, dialect: dialects[before.product] }));
}

function changed(random: Random, fixture: Fixture, times: number): Fixture {
  return times === 0 ? fixture : changed(random, step(random, fixture), times - 1);
}

function step(random: Random, fixture: Fixture): Fixture {
  const { product, roles, mappings, groups } = fixture;
  const name = random.pick(["r", "r", "s", "s", adminRole[product]]);
  const without = <T>(all: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(all).filter(([other]) => other !== name));
  switch (random.below(7)) {
    case 0:
    case 1:
      return { ...fixture, roles: { ...roles, [name]: roleFrom(random, product) } };
    case 2:
    case 3:
      return { ...fixture, mappings: { ...mappings, [name]: mappingFrom(random) } };
    case 4: {
      const group = random.pick(["g", "i"]);
      // A cycle breaks a server.
      const from = [...actions, ...clusterActions].filter((one) => one !== "g" && (group === "g" || one !== "i"));
      return { ...fixture, groups: { ...groups, [group]: random.some(from, 0, 2) } };
    }
    case 5: {
      const blocks = random.chance(0.5) ? [] : [random.chance(0.3) ? blockByAddress(random) : blockByName(random)];
      return { ...fixture, blocks };
    }
    default:
      return random.chance(0.5) ? { ...fixture, roles: without(roles) } : { ...fixture, mappings: without(mappings) };
  }
}

function blockByName(random: Random): Block {
  return { type: "name", verdict: "disallow", value: random.some(["ana", "a*", "eve", "*"], 1, 2) };
}

function blockByAddress(random: Random): Block {
  const verdict = random.pick(["allow", "disallow"] as const);
  return random.chance(0.5)
    ? { type: "ip", verdict, value: random.some(["10.0.0.1", "10.9.9.9"], 1, 2) }
    : { type: "net_mask", verdict, value: random.some(["10.0.0.0/8", "10.0.0.0/16", "198.51.100.0/24"], 1, 1) };
}

function roleFrom(random: Random, product: Fixture["product"]): Role {
  const patterns = [...ofAny, ...(product === "opensearch" ? ofOpenSearch : ofSearchGuard)];
  const element = (): Element => ({
    index_patterns: random.some(patterns, 1, 2),
    allowed_actions: random.some(actions, 0, 2),
  });
  return {
    cluster_permissions: random.chance(0.6) ? [] : random.some(clusterActions, 1, 2),
    index_permissions: Array.from({ length: random.below(3) }, element),
  };
}

function mappingFrom(random: Random): Mapping {
  return {
    users: random.some(users, 0, 2),
    backend_roles: random.chance(0.6) ? [] : random.some(backendRoles, 1, 2),
    and_backend_roles: random.chance(0.8) ? [] : ["ops", "hr"],
    hosts: random.chance(0.8) ? [] : random.some(hosts, 1, 1),
  };
}
