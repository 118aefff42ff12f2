import type { Fields } from "../json/value.ts";
import type { Identity } from "../model/identity.ts";
import { includes } from "./patterns/includes.ts";
import { meets } from "./patterns/meets.ts";
import { type Subject, type Way, type Who, waysOf } from "./subject.ts";
import { allOf, anyOf, type Verdict } from "./verdict.ts";

/** What products and their settings make of a mapping; `unknown` where nobody knows which it is. */
export interface Mapping {
  /** `*` among backend roles stands for having none, too. */
  readonly starMeetsNone: Verdict;
  /** Entries of `hosts` may be names, not addresses alone. */
  readonly resolvesHosts: Verdict;
}

const whicheverServer: Mapping = { starMeetsNone: "unknown", resolvesHosts: "unknown" };

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
  return anyOf(waysOf(mapping).map((way) => isGiven(way, subject, whicheverServer)));
}

/** Whether one way of a mapping leads to a subject: to all of it, where it is a pattern. */
export function isGiven({ field, entries }: Way, subject: Subject, mapping: Mapping): Verdict {
  switch (field) {
    case "users":
      return anyOf(entries.map((pattern) => (subject.user ? isAmong(pattern, subject.user) : meansAll(pattern))));
    case "hosts":
      return anyOf(entries.map((pattern) => comesFrom(pattern, subject.host, mapping)));
    default:
      return allOf(entries.map((pattern) => hasRole(pattern, subject, mapping)));
  }
}

function hasRole(pattern: string, { backendRoles }: Subject, { starMeetsNone }: Mapping): Verdict {
  if (pattern === "*" && backendRoles.length === 0) return starMeetsNone;
  return anyOf(backendRoles.map((role) => isAmong(pattern, role)));
}

/** A host's name counts as the config of the server says, which depends on what its resolver answers. */
function comesFrom(pattern: string, host: Subject["host"], { resolvesHosts }: Mapping): Verdict {
  const whoever = meansAll(pattern);
  if (host === undefined || whoever === "yes") return whoever;
  if (host === "unknown") return "unknown";
  const met = isAmong(pattern, host);
  const mayBeName = !/^[\d.*?]+$|:/.test(pattern);
  return met === "no" && mayBeName && resolvesHosts !== "no" ? "unknown" : met;
}

function isAmong(pattern: string, who: Who): Verdict {
  return "name" in who ? meets(pattern, who.name) : includes([pattern], who.pattern);
}

/** Whether whoever there is meets it. */
export function meansAll(pattern: string): Verdict {
  return /[*/]/.test(pattern) ? includes([pattern], "*") : "no";
}
