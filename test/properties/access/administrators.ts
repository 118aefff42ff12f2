// Who could administer access control, evaluated naively: by a role that the API accepts, by a permission for the API, or by
// write access to the index with the product's own configuration. It shares no code with src/access.

import type { Element, Fixture, Person } from "../../support/evaluated.ts";
import { expanded, rolesOf } from "../../support/evaluator.ts";
import { matches } from "../../support/evaluator-patterns.ts";
import { isOut } from "./people.ts";

export const adminRole: Readonly<Record<Fixture["product"], string>> = {
  opensearch: "all_access",
  "search-guard-7": "SGS_ALL_ACCESS",
  "search-guard-6": "sg_all_access",
};

const users = ["ana", "bo", "eve", "ab", "a", "b", "zz", "q", "bob"];
const backendRoles = [[], ["ops"], ["hr"], ["ops", "hr"], ["ox"]];
// Some that blocks name, and some beside these in each of their networks and outside of all.
const hosts = ["198.51.100.9", "203.0.113.7", "10.0.0.1", "10.9.9.9", "10.0.7.7", "10.8.8.8"];
const people: readonly Person[] = users.flatMap((user) =>
  backendRoles.flatMap((roles) => hosts.map((host) => ({ user, backendRoles: roles, host }))),
);

/** Each person that comes to administer, with what by, in lines. */
export function newAdministrators(before: Fixture, after: Fixture): readonly string[] {
  return people.flatMap((person) => {
    const had = powersOf(before, person);
    const found = [...powersOf(after, person)].filter((power) => !had.has(power));
    return found.map((power) => `${power} ${JSON.stringify(person)}`);
  });
}

function powersOf(fixture: Fixture, person: Person): ReadonlySet<string> {
  if (isOut(fixture, person)) return new Set();
  const held = rolesOf(fixture, person);
  const roles = held.map((name) => fixture.roles[name] ?? {});
  return new Set([
    ...(held.includes(adminRole[fixture.product]) ? ["api"] : []),
    ...(fixture.product === "opensearch" && roles.some((role) => isForApi(fixture, role.cluster_permissions))
      ? ["rest"]
      : []),
    ...(roles.some(({ index_permissions = [] }) => index_permissions.some((one) => changesIndex(fixture, one)))
      ? ["index"]
      : []),
  ]);
}

/** A star alone does not count: OpenSearch wants these permissions by name. */
function isForApi(fixture: Fixture, permissions: readonly string[] = []): boolean {
  return expanded(fixture, permissions).some((text) => text !== "*" && matches(text, "restapi:admin/roles"));
}

const changing = ["data/write/index", "data/write/bulk[s]", "data/write/delete", "admin/delete", "admin/close"];

function changesIndex(
  fixture: Fixture,
  { index_patterns: patterns = [], allowed_actions: actions = [] }: Element,
): boolean {
  const own = fixture.product === "opensearch" ? ".opendistro_security" : "searchguard";
  // A grant on all indices does not include this one: servers protect it, and such a grant is not meant for it.
  const isAbout = (pattern: string) => matches(pattern, own) && !others.every((name) => matches(pattern, name));
  return (
    patterns
      .filter((pattern) => pattern !== "_all")
      .some((pattern) => isAbout(pattern.replace(/^<([^{}]*)>$/, "$1"))) &&
    expanded(fixture, actions).some((text) => changing.some((action) => matches(text, `indices:${action}`)))
  );
}

const others = ["a", "s", ".x", "logs-2026", ".kibana_1", "q", "0", "searching", ".opensearch", "y"];
