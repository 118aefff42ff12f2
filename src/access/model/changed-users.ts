import { memoiseByObject } from "../../json/memoise.ts";
import { createHoldingsFinder } from "./holders.ts";
import type { AccessState } from "./state.ts";
import type { Member } from "./subject.ts";

/** Of internal users that a plan changes: who has a role in a state, each as a member of its mapping that names the user. */
export const indexChangedUsers = memoiseByObject((state: AccessState): ReadonlyMap<string, readonly Member[]> => {
  const byRole = new Map<string, Member[]>();
  const names = [...(state.changedUsers?.names ?? [])];
  if (names.length === 0) return byRole;
  const holdings = createHoldingsFinder(state);
  for (const name of names) {
    const member: Member = { field: "users", entries: [name] };
    for (const role of new Set(holdings({ user: { name }, backendRoles: [] }).map((one) => one.role))) {
      const others = byRole.get(role);
      if (others) others.push(member);
      else byRole.set(role, [member]);
    }
  }
  return byRole;
});

/** The roles that internal users whom a plan changes have in one of its states. */
export function listRolesOfChangedUsers(...states: readonly AccessState[]): readonly string[] {
  return states.flatMap((state) => [...indexChangedUsers(state).keys()]);
}

/** A user that may not have been there, whatever names it. */
export function isChangedUser({ field, entries }: Member, { changedUsers }: AccessState): boolean {
  return field === "users" && entries.some((name) => changedUsers?.names.has(name));
}
