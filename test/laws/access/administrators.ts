// Who could administer access control, evaluated naively: by a role that the API accepts, by a permission for the API, or by
// write access to the index with the product's own configuration. It shares no code with src/access.
import { expanded, rolesOf } from "../../support/judge.ts";
import { meets } from "../../support/judge-patterns.ts";
import type { Element, Person, World } from "../../support/judged.ts";
import { isOut } from "./people.ts";

export const adminRole: Readonly<Record<World["product"], string>> = {
  opensearch: "all_access",
  "search-guard-7": "SGS_ALL_ACCESS",
  "search-guard-6": "sg_all_access",
};

const users = ["ana", "bo", "eve", "ab", "a", "b", "zz", "q", "bob"];
const backendRoles = [[], ["ops"], ["hr"], ["ops", "hr"], ["ox"]];
const hosts = ["198.51.100.9", "10.0.0.1", "10.9.9.9"];
const people: readonly Person[] = users.flatMap((user) =>
  backendRoles.flatMap((roles) => hosts.map((host) => ({ user, backendRoles: roles, host }))),
);

/** Each person that comes to administer, with what by, in lines. */
export function newAdministrators(before: World, after: World): readonly string[] {
  return people.flatMap((person) => {
    const had = powersOf(before, person);
    const found = [...powersOf(after, person)].filter((power) => !had.has(power));
    return found.map((power) => `${power} ${JSON.stringify(person)}`);
  });
}

function powersOf(world: World, person: Person): ReadonlySet<string> {
  if (isOut(world, person)) return new Set();
  const held = rolesOf(world, person);
  const roles = held.map((name) => world.roles[name] ?? {});
  return new Set([
    ...(held.includes(adminRole[world.product]) ? ["api"] : []),
    ...(world.product === "opensearch" && roles.some((role) => isForApi(world, role.cluster_permissions))
      ? ["rest"]
      : []),
    ...(roles.some(({ index_permissions = [] }) => index_permissions.some((one) => changesIndex(world, one)))
      ? ["index"]
      : []),
  ]);
}

/** A star alone does not count: OpenSearch wants these permissions by name. */
function isForApi(world: World, permissions: readonly string[] = []): boolean {
  return expanded(world, permissions).some((text) => text !== "*" && meets(text, "restapi:admin/roles"));
}

const changing = ["data/write/index", "data/write/bulk[s]", "data/write/delete", "admin/delete", "admin/close"];

function changesIndex(
  world: World,
  { index_patterns: patterns = [], allowed_actions: actions = [] }: Element,
): boolean {
  const own = world.product === "opensearch" ? ".opendistro_security" : "searchguard";
  // A grant on all indices does not include this one: servers protect it, and such a grant is not meant for it.
  const isAbout = (pattern: string) => meets(pattern, own) && !others.every((name) => meets(pattern, name));
  return (
    patterns
      .filter((pattern) => pattern !== "_all")
      .some((pattern) => isAbout(pattern.replace(/^<([^{}]*)>$/, "$1"))) &&
    expanded(world, actions).some((text) => changing.some((action) => meets(text, `indices:${action}`)))
  );
}

const others = ["a", "s", ".x", "logs-2026", ".kibana_1", "q", "0", "searching", ".opensearch", "y"];
