import { memoiseByObject } from "../../json/memoise.ts";
import { listTexts } from "../../json/value.ts";
import type { InternalUser } from "../../model/internal-user.ts";
import type { Verdict } from "../verdict.ts";
import type { AccessState } from "./state.ts";
import { createMemberSubject, type KnownUser, type Member, type Subject } from "./subject.ts";

type WithUsers = Pick<AccessState, "users">;

/** The subject with all that the internal user of its name has; the same where there is none. */
export function withInternalUser(subject: Subject, { users }: WithUsers): Subject {
  const { user } = subject;
  if (!users || !user || !("name" in user)) return subject;
  if (users.kind === "unread") return { ...subject, mayHaveMore: users.why };
  const own = users.byName.get(user.name);
  if (!own) return subject;
  const named = new Set(subject.backendRoles.flatMap((who) => ("name" in who ? [who.name] : [])));
  const more = own.backendRoles.filter((name) => !named.has(name));
  const attributes = mergeAttributes(own, subject);
  const hidden = Object.keys(attributes ?? {}).filter((name) => subject.attributes?.[name] === undefined);
  return {
    user,
    backendRoles: [...subject.backendRoles, ...more.map((name): KnownUser => ({ name }))],
    ...(subject.host !== undefined && { host: subject.host }),
    ...(attributes && { attributes }),
    ...(hidden.length > 0 && { hiddenAttributes: hidden }),
    roles: [...new Set([...(subject.roles ?? []), ...own.roles])],
  };
}

/** What a question says comes before what the server has. */
function mergeAttributes({ attributes }: InternalUser, stated: Subject): Subject["attributes"] {
  if (!attributes) return stated.attributes;
  const own = Object.entries(attributes).map(([name, value]) => [`internal.${name}`, value]);
  return { ...Object.fromEntries(own), ...stated.attributes };
}

/** The subject that one member of a mapping describes; a named user has what its internal user has, where known. */
export function createSubjectIn({ users }: WithUsers, member: Member): Subject {
  return users?.kind === "known"
    ? withInternalUser(createMemberSubject(member), { users })
    : createMemberSubject(member);
}

/** Questions about a state ask about the internal users that a plan changes as about all others; one that it lacks stays out. */
export function withChangedUsers(state: AccessState): AccessState {
  const { users, changedUsers } = state;
  if (!changedUsers || users?.kind === "unread") return state;
  const { names, held } = changedUsers;
  const changed = [...held].map(([name, { roles, backend_roles, attributes }]): [string, InternalUser] => [
    name,
    {
      roles: listTexts(roles),
      backendRoles: listTexts(backend_roles),
      attributes: attributes as Readonly<Record<string, string>>,
    },
  ]);
  return {
    ...state,
    users: { kind: "known", byName: new Map([...(users?.byName ?? []), ...changed]) },
    changedUsers: { names: new Set([...names].filter((name) => !held.has(name))), held: new Map() },
  };
}

/** Internal users that have a role by themselves, as members of its mapping would have it. */
export function listInternalHolders(role: string, { users }: WithUsers): readonly Member[] {
  if (users?.kind !== "known") return [];
  return indexHoldersByRole(users.byName).get(role) ?? [];
}

const indexHoldersByRole = memoiseByObject(
  (byName: ReadonlyMap<string, InternalUser>): ReadonlyMap<string, readonly Member[]> => {
    const byRole = new Map<string, Member[]>();
    for (const [name, { roles }] of byName) {
      for (const role of new Set(roles)) {
        const member: Member = { field: "users", entries: [name] };
        const others = byRole.get(role);
        if (others) others.push(member);
        else byRole.set(role, [member]);
      }
    }
    return byRole;
  },
);

/** Every internal user as a member of a mapping that names it. */
export function listInternalUserMembers({ users }: WithUsers): readonly Member[] {
  return users?.kind === "known"
    ? [...users.byName.keys()].map((name): Member => ({ field: "users", entries: [name] }))
    : [];
}

/** Any internal user of a server that does not show them; undefined where they are known, or no server was asked. */
export function findAnyInternalUser({ users }: WithUsers): Subject | undefined {
  return users?.kind === "unread" ? { backendRoles: [], mayHaveMore: users.why } : undefined;
}

/** Why a list of principals, or of what a principal may do, may be incomplete: internal users could not be read. */
export function explainUnreadUsers({ users }: WithUsers): readonly string[] {
  if (users?.kind !== "unread") return [];
  return [`Internal users could not be read (${users.why}): what they have by roles of their own is not included.`];
}

/** What an internal user has, in a sentence; of attributes the names alone. */
export function explainInternalUser({ user }: Subject, { users }: WithUsers): readonly string[] {
  if (users?.kind !== "known" || !user || !("name" in user)) return [];
  const own = users.byName.get(user.name);
  if (!own) return [];
  const attributes = Object.keys(own.attributes ?? {});
  const parts = [
    ...(own.roles.length > 0 ? [`roles ${own.roles.join(", ")}`] : []),
    ...(own.backendRoles.length > 0 ? [`backend roles ${own.backendRoles.join(", ")}`] : []),
    ...(attributes.length > 0 ? [`attributes ${attributes.join(", ")}`] : []),
  ];
  return [`${user.name} is an internal user with ${parts.length === 0 ? "no roles of its own" : parts.join("; ")}.`];
}

/** Whether a subject may hold what nothing known gives it. */
export function mayHold({ mayHaveMore, undeclared }: Subject): Verdict {
  return mayHaveMore === undefined && undeclared === undefined ? "no" : "unknown";
}
