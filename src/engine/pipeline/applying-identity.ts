import { getCallerPaths, listUsualAdminRoles } from "../../dialects/caller.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { askCaller } from "../../live/caller.ts";
import { readInternalUsers } from "../../live/read.ts";
import { isAdminCertificate } from "../../live/survey.ts";
import { type Change, isPending } from "../../model/change.ts";
import type { ApplyingIdentity, Identity, PlanningLogin } from "../../model/identity.ts";
import type { InternalUsers } from "../../model/internal-user.ts";
import type { ReadPort } from "../../model/ports.ts";
import type { Target } from "../../model/target.ts";
import type { LoginFacts } from "../../plan/guards/guard.ts";
import { couldLockOut } from "../../plan/guards/lock-out.ts";

/**
 * Who will send the requests. A run that sends them itself asks the server, with two or three small GETs; another run
 * uses what gate-sync.yaml states. The stated identity keeps the right to apply, even where another applies this time. Undefined
 * where no change could lock anybody out.
 *
 * @param applies whether this run sends them
 */
export async function findApplyingIdentity(
  { applyAs, adminCertificate, adminRoles }: Target,
  {
    changes,
    dialect,
    reader,
    applies,
  }: {
    readonly changes: readonly Change[];
    readonly dialect: Dialect;
    readonly reader: ReadPort;
    readonly applies: boolean;
  },
): Promise<ApplyingIdentity | undefined> {
  if (!mayLockOut(changes)) return undefined;
  if (!applies && !adminCertificate && !applyAs)
    return { kind: getCallerPaths(dialect) ? "checked-at-apply" : "not-known" };
  const known = async (...identities: readonly Identity[]): Promise<ApplyingIdentity> => {
    const users = await readUsersOfMappings(changes, reader, dialect);
    return {
      kind: "known",
      identities: identities.map((one) => withOwnRoles(one, users)),
      adminRoles: adminRoles ?? listUsualAdminRoles(dialect),
    };
  };
  const stated = async (otherwise: "admin-certificate" | "not-known"): Promise<ApplyingIdentity> =>
    adminCertificate ? { kind: "admin-certificate" } : applyAs ? known(applyAs) : { kind: otherwise };
  if (!applies) return stated("not-known");
  const seen = await askCaller(reader, dialect);
  // The live state was read: we are let in.
  const isAdmin = isAdminCertificate(seen, dialect, true);
  if (isAdmin === "yes" || (isAdmin === "unknown" && adminCertificate)) return stated("admin-certificate");
  const { name: user, backendRoles, roles, address } = seen;
  if (user === undefined) return stated("not-known");
  const others = applyAs === undefined || applyAs.user === user ? [] : [applyAs];
  return known({ user, backendRoles, roles, ...(address !== undefined && { address }) }, ...others);
}

/**
 * The login of a run that only plans, where it is not the one of gate-sync.yaml: asked for with two or three small
 * GETs. Undefined where no change could take its access, and of an administrator's certificate, which keeps it.
 */
export async function findPlanningLogin(
  { applyAs, adminCertificate, adminRoles, auth }: Target,
  {
    changes,
    dialect,
    reader,
  }: { readonly changes: readonly Change[]; readonly dialect: Dialect; readonly reader: ReadPort },
): Promise<PlanningLogin | undefined> {
  const stated = auth?.kind === "basic" ? auth.username : undefined;
  if (!mayLockOut(changes) || (stated !== undefined && stated === applyAs?.user)) return undefined;
  const seen = await askCaller(reader, dialect);
  const isAdmin = isAdminCertificate(seen, dialect, true);
  if (isAdmin === "yes" || (isAdmin === "unknown" && adminCertificate && !auth)) return undefined;
  const { name: user = stated, backendRoles, roles, address } = seen;
  if (user === undefined) return { kind: "not-known" };
  if (user === applyAs?.user) return undefined;
  const identity = {
    user,
    backendRoles,
    // A server that does not say who asks says nothing of roles either.
    ...(seen.name !== undefined && { roles }),
    ...(address !== undefined && { address }),
  };
  return {
    kind: "known",
    identity: withOwnRoles(identity, await readUsersOfMappings(changes, reader, dialect)),
    adminRoles: adminRoles ?? listUsualAdminRoles(dialect),
  };
}

function mayLockOut(changes: readonly Change[]): boolean {
  return changes.some((change) => isPending(change) && couldLockOut(change));
}

async function readUsersOfMappings(
  changes: readonly Change[],
  reader: ReadPort,
  dialect: Dialect,
): Promise<InternalUsers | undefined> {
  const mayLoseRoles = changes.some((change) => change.family === "role_mappings" && isPending(change));
  return mayLoseRoles ? readInternalUsers(reader, dialect) : undefined;
}

/** How a run logs in, where that is known. */
export function describeLogin({ auth, tls }: Target): LoginFacts | undefined {
  if (auth?.kind === "basic") return "password";
  if (auth?.kind === "bearer") return "token";
  return auth === undefined && (tls?.cert !== undefined || tls?.pkcs12 !== undefined) ? "certificate" : undefined;
}

/**
 * With what its internal user has of its own. What the server itself says of an identity is whole: a user of that name
 * in another directory has none of it.
 */
export function withOwnRoles(identity: Identity, users: InternalUsers | undefined): Identity {
  if (users?.kind === "unread") return { ...identity, mayHaveMore: users.why };
  const own = users?.byName.get(identity.user);
  if (!own) return identity;
  const { roles: seen, backendRoles } = identity;
  if (seen) return { ...identity, ownRoles: own.roles.filter((role) => seen.includes(role)) };
  return { ...identity, ownRoles: own.roles, backendRoles: [...new Set([...backendRoles, ...own.backendRoles])] };
}
