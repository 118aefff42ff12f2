import { compareByCodeUnit } from "../../json/canonical.ts";
import type { AccessModel } from "../model/access-model.ts";
import { listMembers, type Member, type Subject } from "../model/subject.ts";
import { createSubjectIn, listInternalUserMembers } from "../model/users.ts";

/** A subject to ask about: one member of a mapping and nothing else, or a persona. */
export type Principal =
  | { readonly kind: "entry"; readonly member: Member; readonly subject: Subject }
  | { readonly kind: "persona"; readonly name: string; readonly subject: Subject };

/** Every entry of every mapping, and every internal user, once. */
export function listAllPrincipals({ state }: AccessModel): readonly Principal[] {
  const members = new Map<string, Member>();
  const all = [...[...state.mappings.values()].flatMap(listMembers), ...listInternalUserMembers(state)];
  for (const member of all) members.set(JSON.stringify([member.field, ...member.entries]), member);
  return [...members.values()]
    .toSorted(
      (a, b) =>
        order.indexOf(a.field) - order.indexOf(b.field) ||
        compareByCodeUnit(a.entries.join("\n"), b.entries.join("\n")),
    )
    .map((member) => ({ kind: "entry", member, subject: createSubjectIn(state, member) }));
}

const order: readonly Member["field"][] = ["users", "backend_roles", "and_backend_roles", "hosts", "itself"];
