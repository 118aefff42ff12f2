import { isEverybody } from "../../access/compare/touched.ts";
import type { AffectedPrincipal, Member } from "../../model/access.ts";
import { formatName, joinNames } from "../escape.ts";
import { joinWithAnd } from "./words.ts";

// What principals are called whose access a plan changes.

const mostNames = 6;
const mostPairs = 3;

const nouns = {
  users: ["user", "users"],
  backend_roles: ["backend role", "backend roles"],
  hosts: ["host", "hosts"],
} as const;

/**
 * Each by itself: `backend roles analysts and interns, user worf`; both members of a pair: `principals with both
 * backend role hr and user ana`.
 */
export function formatAffected(who: readonly AffectedPrincipal[]): string {
  const members = who.flatMap((one) => (one.kind === "principal" ? [one.member] : []));
  const personas = who.flatMap((one) => (one.kind === "persona" ? [`persona ${formatName(one.name)}`] : []));
  const pairs = who.flatMap((one) => (one.kind === "pair" ? [joinWithAnd(one.members.map(formatOneMember))] : []));
  return [...listPrincipalNames(members), ...personas, ...listPairs(pairs)].join(", ");
}

/** Of everybody and some more of whom the same holds, everybody is enough. */
export function listPrincipalNames(members: readonly Member[]): readonly string[] {
  if (members.some(isEverybody)) return ["everybody"];
  const simple = (["users", "backend_roles", "hosts"] as const).flatMap((field) => {
    const names = members.flatMap((member) => (member.field === field ? member.entries : []));
    return names.length === 0 ? [] : [`${nouns[field][names.length === 1 ? 0 : 1]} ${joinSomeNames(names)}`];
  });
  const others = members.filter((member) => !(member.field in nouns));
  return [...simple, ...others.map(formatOneMember)];
}

/** `user`, `users`; of others, which have no noun of their own, undefined. */
export function formatMemberNoun(member: Member): readonly [one: string, several: string] | undefined {
  const { field } = member;
  if (isEverybody(member) || field === "itself" || field === "api_keys" || field === "and_backend_roles")
    return undefined;
  return nouns[field];
}

function listPairs(pairs: readonly string[]): readonly string[] {
  if (pairs.length === 0) return [];
  const left = pairs.length - mostPairs;
  const rest = left > 0 ? `; or of ${left} more ${left === 1 ? "pair" : "pairs"}` : "";
  return [`principals with both ${pairs.slice(0, mostPairs).join("; or with both ")}${rest}`];
}

function formatOneMember(member: Member): string {
  const { field, entries } = member;
  if (isEverybody(member)) return "anybody";
  if (field === "api_keys") return `api key ${joinNames(entries)}`;
  if (field === "itself") return `role ${joinNames(entries)}`;
  if (field === "and_backend_roles" && entries.length === 1) return `backend role ${joinNames(entries)}`;
  if (field !== "and_backend_roles") return `${nouns[field][0]} ${joinNames(entries)}`;
  // Beside others, of which each is enough.
  return `anybody with all of the backend roles ${joinWithAnd(entries.map(formatName))}`;
}

/** `a, b and 3 more`. */
export function joinSomeNames(names: readonly string[]): string {
  const left = names.length - mostNames;
  return left > 0 ? `${joinNames(names.slice(0, mostNames))} and ${left} more` : joinNames(names);
}
