import { memoiseByObject } from "../../json/memoise.ts";
import { type Fields, listTexts } from "../../json/value.ts";
import type { Member } from "../../model/access.ts";
import { isNetwork } from "../patterns/network.ts";

export type { Member } from "../../model/access.ts";

/** One name, or all names that a pattern of the server matches. */
export type KnownUser = { readonly name: string } | { readonly pattern: string };

/**
 * Who asks: known by name, or as every principal with certain names. A subject does not have what is not stated of
 * it.
 */
export interface Subject {
  readonly user?: KnownUser;
  readonly backendRoles: readonly KnownUser[];
  /** The name of the API key that it logs in with: it has what the key has, and nothing by a mapping. */
  readonly apiKey?: string;
  /** An IP address or name; `unknown` where it may be any. */
  readonly host?: KnownUser | "unknown";
  /** No address is stated, and it has one: blocks by address may shut it out, though mappings by host give it nothing. */
  readonly mayBeAnywhere?: true;
  /** Values for variables such as `${attr.internal.dept}`, keyed without `attr.`; absent where they are unknown. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Those of `attributes` whose values the server keeps, and which are never shown; absent: none. */
  readonly hiddenAttributes?: readonly string[];
  /** Roles that it holds whatever mappings say. */
  readonly roles?: readonly string[];
  /** Values of blocks that its pattern matches: it is neither one of these names nor at one of these addresses. */
  readonly otherThan?: ReadonlySet<string>;
  /** Why it may have more roles, backend roles and attributes than these: internal users could not be read. */
  readonly mayHaveMore?: string;
  /** Why it may have more than these give it: only a part of what grants access is declared. */
  readonly undeclared?: string;
}

/** What an entry of each field names. */
export const nounOfMember: Readonly<Record<Member["field"], string>> = {
  users: "user",
  backend_roles: "backend role",
  and_backend_roles: "backend role",
  hosts: "host",
  itself: "role",
  api_keys: "api key",
};

/** `backend role hr`, `backend roles a and b`. */
export function formatMember(member: Member): string {
  return formatMemberBy(member, (entry) => entry);
}

export function formatMemberBy({ field, entries }: Member, formatEntry: (entry: string) => string): string {
  return `${nounOfMember[field]}${entries.length > 1 ? "s" : ""} ${entries.map(formatEntry).join(" and ")}`;
}

export function formatWho(who: KnownUser): string {
  return "name" in who ? who.name : who.pattern;
}

/** The subject that one member of a mapping describes, and that has nothing else. */
export function createMemberSubject({ field, entries }: Member): Subject {
  const who = entries.map(toKnownUser);
  const [first] = who;
  switch (field) {
    case "users":
      return { ...(first && { user: first }), backendRoles: [] };
    case "hosts":
      return { backendRoles: [], ...(first && { host: pickAddress(first) }) };
    case "api_keys":
      // As the server calls it where a variable asks for the user's name.
      return { user: { name: `token:${entries.join()}` }, backendRoles: [], apiKey: entries.join() };
    default:
      return { backendRoles: who };
  }
}

/** Of a network that a block names, one address. */
function pickAddress(host: KnownUser): KnownUser {
  const [address = "", bits] = "name" in host && isNetwork(host.name) ? host.name.split("/") : [];
  return bits === undefined ? host : { name: address };
}

/** A pattern is every principal that it matches. */
export function toKnownUser(entry: string): KnownUser {
  return /[*?]|^\/.*\/$/s.test(entry) ? { pattern: entry } : { name: entry };
}

/** The members of a mapping: each one alone gives its role. Computed once for each mapping. */
export const listMembers = memoiseByObject((mapping: Fields): readonly Member[] => {
  const members: Member[] = [];
  for (const field of singly) {
    for (const entry of listTexts(mapping[field])) {
      if (field !== "hosts" || !isNetwork(entry)) members.push({ field, entries: [entry] });
    }
  }
  const all = listTexts(mapping.and_backend_roles);
  if (all.length > 0) members.push({ field: "and_backend_roles", entries: all });
  return members;
});

/** Each entry of these gives the role. */
const singly = ["users", "backend_roles", "hosts"] as const;
