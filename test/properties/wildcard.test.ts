// The guard `wildcard` refuses a plan by which users gain whose names are written nowhere, however the mappings are
// written, and no other: by the naive evaluator, asked for such users before and after.
import { expect, test } from "vitest";
import type { Fields } from "../../src/json/value.ts";
import type { Change } from "../../src/model/change.ts";
import type { ResourceFamily } from "../../src/model/names.ts";
import { wildcard } from "../../src/plan/guards/wildcard.ts";
import { type Random, randomFrom } from "../fixtures/index.ts";
import type { Fixture, Mapping } from "../support/evaluated.ts";
import { modelOfFixture, stateOf } from "../support/modelled.ts";
import { evaluated } from "../unit/plan/evaluated.ts";
import { accessDiffOfAnybody } from "./access/anybody.ts";
import { products, walk } from "./access/fixtures.ts";
import { seed, seeds } from "./seed.ts";

const minutes = 600_000;
const sample = seeds(60, 2);

const users = ["*", "**", "a*", "*a", "??*", "?", "*q*", "/[^q]*/", "/.+/", "team-*", "ana", "ops-??", "/team-[a-z]+/"];
const backendRoles = ["*", "a*", "*q*", "/[^q]*/", "?*", "hr", "hr-*", "/dev-.*/"];
const hosts = ["*", "1*", "*9", "*.*", "?.*", "10.*", "10.0.0.1", "*.example.org"];
/** Not decided here: what is unknown is refused. */
const unknownUsers = ["/(?=a)a.*/", "/(?!q).*/"];

test.each(products)(
  `what anybody gains is refused, and nothing else, seed ${seed}: %s`,
  (product) => {
    let [refused, passed] = [0, 0];
    for (const each of sample) {
      const random = randomFrom(`wildcard ${product} ${each}`);
      for (const [before, after] of plansOf(random, product)) {
        const changes = changesBetween(before, after);
        const found = addressesOf(before, after, changes);
        const accessDiff = accessDiffOfAnybody(before, after);
        if (found === undefined) passed += 1;
        else refused += 1;
        if (accessDiff.length > 0 !== (found !== undefined))
          expect({ before, after, found, accessDiff }).toBe("as evaluated");
        if (found && sameApart(before, after)) {
          // Without what is named nothing is gained: who agrees to these agrees to all.
          const left = accessDiffOfAnybody(before, without(after, before, found));
          if (left.length > 0) expect({ before, after, found, left }).toBe("all named");
        }
      }
    }
    expect(refused).toBeGreaterThan(0);
    expect(passed).toBeGreaterThan(0);
  },
  minutes,
);

test(
  `with patterns that are not understood, at least what anybody gains is refused, seed ${seed}`,
  () => {
    for (const each of sample) {
      const random = randomFrom(`wildcard unknown ${each}`);
      for (const [before, after] of plansOf(random, "opensearch", [...users, ...unknownUsers, ...unknownUsers])) {
        const found = addressesOf(before, after, changesBetween(before, after));
        const accessDiff = accessDiffOfAnybody(before, after);
        if (accessDiff.length > 0 && !found) expect({ before, after, accessDiff }).toBe("refused");
      }
    }
  },
  minutes,
);

function addressesOf(before: Fixture, after: Fixture, changes: readonly Change[]): readonly string[] | undefined {
  const access = { before: modelOfFixture(before), after: modelOfFixture(after) };
  const [finding] = wildcard.evaluate(evaluated(changes, { access }));
  if (finding) expect(finding.addresses.length).toBeGreaterThan(0);
  return finding?.addresses;
}

function* plansOf(
  random: Random,
  product: Fixture["product"],
  ofUsers = users,
): Generator<readonly [before: Fixture, after: Fixture]> {
  let mappings: Fixture["mappings"] = {};
  let last: Fixture | undefined;
  for (const fixture of walk(random, product, 12)) {
    if (random.chance(0.5)) mappings = { ...mappings, [random.pick(rolesOf(fixture))]: mappingFrom(random, ofUsers) };
    const next = { ...fixture, mappings };
    if (last) yield [last, next];
    last = next;
  }
}

/** The role of the dashboards among them, where a product has one. */
function rolesOf({ roles }: Fixture): readonly string[] {
  return [...new Set(["r", "s", ...Object.keys(roles)])].sort();
}

function mappingFrom(random: Random, ofUsers: readonly string[]): Mapping {
  return {
    users: random.some(ofUsers, 0, 2),
    backend_roles: random.chance(0.6) ? [] : random.some(backendRoles, 1, 2),
    and_backend_roles: random.chance(0.8) ? [] : random.some(backendRoles, 1, 2),
    hosts: random.chance(0.7) ? [] : random.some(hosts, 1, 2),
  };
}

function changesBetween(before: Fixture, after: Fixture): readonly Change[] {
  const [was, is] = [stateOf(before), stateOf(after)];
  const families: readonly (readonly [ResourceFamily, keyof typeof was])[] = [
    ["roles", "roles"],
    ["role_mappings", "mappings"],
    ["action_groups", "groups"],
    ["tenants", "tenants"],
    ["blocks", "blocks"],
  ];
  return families.flatMap(([family, key]) => {
    const [old, wanted] = [was[key], is[key]] as ReadonlyMap<string, Fields>[];
    const names = [...new Set([...(old?.keys() ?? []), ...(wanted?.keys() ?? [])])].sort();
    return names.flatMap((name): readonly Change[] => {
      const [from, to] = [old?.get(name), wanted?.get(name)];
      if (JSON.stringify(from) === JSON.stringify(to)) return [];
      const action = from === undefined ? "create" : to === undefined ? "delete" : "update";
      return [
        {
          family,
          name,
          action,
          reason: "declared",
          edits: [],
          ...(from && { before: from }),
          ...(to && { after: to }),
        },
      ];
    });
  });
}

/** Whether all that differs are entries that their names identify. */
function sameApart(before: Fixture, after: Fixture): boolean {
  const others = ({ tenants, blocks, settings }: Fixture) => JSON.stringify([tenants, blocks, settings]);
  return others(before) === others(after);
}

function without(after: Fixture, before: Fixture, addresses: readonly string[]): Fixture {
  const back = <T>(family: ResourceFamily, was: Readonly<Record<string, T>>, is: Readonly<Record<string, T>>) => {
    const all = new Map(Object.entries(is));
    for (const address of addresses.filter((one) => one.startsWith(`${family}/`))) {
      const name = address.slice(family.length + 1);
      const old = was[name];
      if (old === undefined) all.delete(name);
      else all.set(name, old);
    }
    return Object.fromEntries(all);
  };
  return {
    ...after,
    roles: back("roles", before.roles, after.roles),
    mappings: back("role_mappings", before.mappings, after.mappings),
    groups: back("action_groups", before.groups, after.groups),
  };
}
