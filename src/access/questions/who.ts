import { roleMappings } from "../../families/role-mappings.ts";
import { getUnknownText } from "../../families/unknown.ts";
import { compareByCodeUnit } from "../../json/canonical.ts";
import { memoiseByObject } from "../../json/memoise.ts";
import type { AccessModel } from "../model/access-model.ts";
import { listKeyMembers } from "../model/api-keys.ts";
import { createPrincipalSubject, listAllowedMembers } from "../model/block-values.ts";
import type { HeldEntries } from "../model/state.ts";
import { listMembers, type Member, type Subject } from "../model/subject.ts";
import { listInternalUserMembers } from "../model/users.ts";

/** A subject to ask about: one member of a mapping and nothing else, or a persona. */
export type Principal =
  | { readonly kind: "entry"; readonly member: Member; readonly subject: Subject }
  | { readonly kind: "persona"; readonly name: string; readonly subject: Subject };

/** Every entry of every mapping, every internal user, and whom blocks let in of a pattern, once. */
export function listAllPrincipals({ state }: AccessModel): readonly Principal[] {
  const members = new Map<string, Member>();
  const mapped = [...state.mappings.values()].flatMap(listMembers);
  const all = [
    ...mapped,
    ...mapped.flatMap((member) => listAllowedMembers(member, [state])),
    ...listInternalUserMembers(state),
    ...listKeyMembers(state),
  ];
  for (const member of all) members.set(JSON.stringify([member.field, ...member.entries]), member);
  return [...members.values()]
    .map((member) => ({ member, place: order.indexOf(member.field), text: member.entries.join("\n") }))
    .sort((a, b) => a.place - b.place || compareByCodeUnit(a.text, b.text))
    .map(({ member }) => ({ kind: "entry", member, subject: placeAnywhere(createPrincipalSubject(member, [state])) }));
}

/** A principal of which no entry is known: one that a mapping may name by fields that gate-sync does not know. */
export interface UnknownMember {
  readonly subject: Subject;
  readonly roles: readonly string[];
}

/** @param except roles that do not count */
export function findUnknownMember({ state }: AccessModel, except: readonly string[] = []): UnknownMember | undefined {
  const roles = listUnknownMappings(state.mappings).filter((role) => !except.includes(role));
  return roles.length === 0 ? undefined : { subject: placeAnywhere({ backendRoles: [] }), roles };
}

const listUnknownMappings = memoiseByObject((mappings: HeldEntries): readonly string[] =>
  [...mappings].flatMap(([role, mapping]) =>
    getUnknownText(mapping, roleMappings.fields) === undefined ? [] : [role],
  ),
);

/** A question that states no address is about a principal that has one: blocks by address may shut it out. */
export function placeAnywhere(subject: Subject): Subject {
  return subject.host === undefined ? { ...subject, mayBeAnywhere: true } : subject;
}

const order: readonly Member["field"][] = [
  "users",
  "backend_roles",
  "and_backend_roles",
  "hosts",
  "itself",
  "api_keys",
];
