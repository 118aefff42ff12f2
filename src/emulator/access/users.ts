import type { AccessModel } from "../../access/model/access-model.ts";
import type { Subject } from "../../access/model/subject.ts";
import { withInternalUser } from "../../access/model/users.ts";
import { listLikelyAdminRoles } from "../../dialects/caller.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import type { AdmittedUser, EmulatorUser } from "../settings.ts";

/** Users with the rights that the current state gives them. */
export function admitUsers(
  users: readonly EmulatorUser[],
  model: () => AccessModel,
  dialect: Dialect,
): readonly AdmittedUser[] {
  return users.map(({ rights, ...user }) => {
    if (rights !== "by-role") return { ...user, rights };
    const roles = listCertainRoles(model(), createUserSubject(user, model()));
    const administers = listLikelyAdminRoles(dialect).some((role) => roles.includes(role));
    return { ...user, roles, rights: administers ? "all" : "none" };
  });
}

/**
 * A user as the server knows it: it has nothing that is not stated. Every request comes from the emulator's own
 * address.
 */
export function createUserSubject(
  { name, backendRoles = [], roles = [] }: Omit<EmulatorUser, "rights">,
  { state }: AccessModel,
): Subject {
  const stated: Subject = {
    user: { name },
    backendRoles: backendRoles.map((role) => ({ name: role })),
    host: { name: "127.0.0.1" },
    attributes: {},
    roles,
  };
  return withInternalUser(stated, state);
}

export function listCertainRoles(model: AccessModel, subject: Subject): readonly string[] {
  return listSubjectRoles(model, subject, "yes");
}

/** Roles that a subject has, or may have. */
export function listSubjectRoles(model: AccessModel, subject: Subject, wanted: "yes" | "unknown"): readonly string[] {
  const held = model.holdings(subject).filter(({ verdict }) => verdict === wanted);
  return [...new Set(held.map(({ role }) => role))].sort();
}
