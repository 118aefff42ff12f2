import type { Fields } from "../json/value.ts";
import type { Identity } from "../model/identity.ts";
import { includes } from "./patterns/includes.ts";
import { matchesPattern } from "./patterns/matches.ts";
import { type KnownUser, listMembers, type Member, type Subject } from "./subject.ts";
import { combineAll, combineAny, type Verdict } from "./verdict.ts";

/** What products and their settings make of a mapping; `unknown` where nobody knows which it is. */
export interface Mapping {
  /** `*` among backend roles stands for having none, too. */
  readonly starMatchesNone: Verdict;
  /** Entries of `hosts` may be names, not addresses alone. */
  readonly resolvesHosts: Verdict;
}

const whicheverServer: Mapping = { starMatchesNone: "unknown", resolvesHosts: "unknown" };

/**
 * Whether a role mapping gives its role to somebody: by the name, by any backend role, by having all of
 * `and_backend_roles`, or by where the request comes from.
 */
export function isMapped(mapping: Fields, { user, backendRoles, address }: Identity): Verdict {
  const subject: Subject = {
    user: { name: user },
    backendRoles: backendRoles.map((name) => ({ name })),
    host: address === undefined ? "unknown" : { name: address },
  };
  return combineAny(listMembers(mapping).map((member) => isGiven(member, subject, whicheverServer)));
}

/** Whether one way of a mapping leads to a subject: to all of it, where it is a pattern. */
export function isGiven({ field, entries }: Member, subject: Subject, mapping: Mapping): Verdict {
  switch (field) {
    case "users":
      return combineAny(entries.map((pattern) => (subject.user ? isAmong(pattern, subject.user) : meansAll(pattern))));
    case "hosts":
      return combineAny(entries.map((pattern) => comesFrom(pattern, subject.host, mapping)));
    default:
      return combineAll(entries.map((pattern) => hasRole(pattern, subject, mapping)));
  }
}

function hasRole(pattern: string, { backendRoles }: Subject, { starMatchesNone }: Mapping): Verdict {
  if (pattern === "*" && backendRoles.length === 0) return starMatchesNone;
  return combineAny(backendRoles.map((role) => isAmong(pattern, role)));
}

/** A host's name counts as the config of the server says, which depends on what its resolver answers. */
function comesFrom(pattern: string, host: Subject["host"], { resolvesHosts }: Mapping): Verdict {
  const everybody = meansAll(pattern);
  if (host === undefined || everybody === "yes") return everybody;
  if (host === "unknown") return "unknown";
  const matched = isAmong(pattern, host);
  const mayBeName = !/^[\d.*?]+$|:/.test(pattern);
  return matched === "no" && mayBeName && resolvesHosts !== "no" ? "unknown" : matched;
}

function isAmong(pattern: string, who: KnownUser): Verdict {
  return "name" in who ? matchesPattern(pattern, who.name) : includes([pattern], who.pattern);
}

/** Whether whoever there is meets it. */
export function meansAll(pattern: string): Verdict {
  return /[*/]/.test(pattern) ? includes([pattern], "*") : "no";
}
