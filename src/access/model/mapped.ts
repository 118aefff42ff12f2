import type { Fields } from "../../json/value.ts";
import type { Identity } from "../../model/identity.ts";
import { includes } from "../patterns/includes.ts";
import { matchesPattern } from "../patterns/matches.ts";
import { combineAll, combineAny, type Verdict } from "../verdict.ts";
import { type KnownUser, listMembers, type Member, type Subject } from "./subject.ts";

/** How the product and its settings evaluate a mapping; `unknown` where the settings are unknown. */
export interface Mapping {
  /** `*` among backend roles also matches a user without any. */
  readonly starMatchesNone: Verdict;
  /** Entries of `hosts` may be names, not addresses alone. */
  readonly resolvesHosts: Verdict;
}

export const whicheverServer: Mapping = { starMatchesNone: "unknown", resolvesHosts: "unknown" };

/**
 * Whether a role mapping gives its role to an identity: by the user name, by any backend role, by having all of
 * `and_backend_roles`, or by the host.
 */
export function isMapped(mapping: Fields, { user, backendRoles, address }: Identity): Verdict {
  const subject: Subject = {
    user: { name: user },
    backendRoles: backendRoles.map((name) => ({ name })),
    host: address === undefined ? "unknown" : { name: address },
  };
  return combineAny(listMembers(mapping).map((member) => isGiven(member, subject, whicheverServer)));
}

/** Whether one member of a mapping matches a subject: all of the subject, where that is a pattern. */
export function isGiven({ field, entries }: Member, subject: Subject, mapping: Mapping): Verdict {
  switch (field) {
    case "users":
      return combineAny(entries.map((pattern) => (subject.user ? isAmong(pattern, subject.user) : meansAll(pattern))));
    case "hosts":
      return combineAny(entries.map((pattern) => isFromHost(pattern, subject.host, mapping)));
    default:
      return combineAll(entries.map((pattern) => hasRole(pattern, subject, mapping)));
  }
}

function hasRole(pattern: string, { backendRoles }: Subject, { starMatchesNone }: Mapping): Verdict {
  if (pattern === "*" && backendRoles.length === 0) return starMatchesNone;
  return combineAny(backendRoles.map((role) => isAmong(pattern, role)));
}

/** A host's name counts as the config of the server says, which depends on what its resolver answers. */
function isFromHost(pattern: string, host: Subject["host"], { resolvesHosts }: Mapping): Verdict {
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

/** Whether a pattern matches every name. */
export function meansAll(pattern: string): Verdict {
  // Nearly all are names, or all that begins in one way.
  if (/^[\w.:@-]+\**$/.test(pattern)) return "no";
  return /[*/]/.test(pattern) ? includes([pattern], "*") : "no";
}
