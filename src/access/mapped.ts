import { type Fields, isList } from "../json/value.ts";
import type { Identity } from "../model/identity.ts";
import { meets } from "./patterns/meets.ts";
import { allOf, anyOf, type Verdict } from "./verdict.ts";

/**
 * Whether a role mapping gives its role to somebody: by the name, by any backend role, by having all of
 * `and_backend_roles`, or by where the request comes from.
 */
export function isMapped(mapping: Fields, { user, backendRoles, address }: Identity): Verdict {
  const [users, any, all, hosts] = (["users", "backend_roles", "and_backend_roles", "hosts"] as const).map((field) =>
    textsIn(mapping, field),
  ) as [readonly string[], readonly string[], readonly string[], readonly string[]];
  const hasRole = (pattern: string): Verdict => {
    // On OpenSearch it stands for having none, too.
    if (pattern === "*" && backendRoles.length === 0) return "unknown";
    return anyOf(backendRoles.map((role) => meets(pattern, role)));
  };
  return anyOf([
    ...users.map((pattern) => meets(pattern, user)),
    ...any.map(hasRole),
    all.length > 0 ? allOf(all.map(hasRole)) : "no",
    ...hosts.map((pattern) => comesFrom(pattern, address)),
  ]);
}

/** A host's name counts as the config of the server says, which depends on what its resolver answers. */
function comesFrom(pattern: string, address: string | undefined): Verdict {
  if (/^\*+$/.test(pattern)) return "yes";
  if (address === undefined) return "unknown";
  const met = meets(pattern, address);
  return met === "no" && !/^[\d.*?]+$|:/.test(pattern) ? "unknown" : met;
}

function textsIn(mapping: Fields, field: string): readonly string[] {
  const value = mapping[field];
  return isList(value) ? value.filter((item) => typeof item === "string") : [];
}
