import { usualAdminRoles } from "../dialects/caller.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { callerSeen } from "../live/caller.ts";
import { isAdminCertificate } from "../live/survey.ts";
import { type Change, isPending } from "../model/change.ts";
import type { Applier, Identity } from "../model/identity.ts";
import type { ReadPort } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import { couldLockOut } from "../plan/guards/lock-out.ts";

/**
 * Who will make the requests. A run that makes them itself asks the server, with two or three small GETs; one that does
 * not goes by what gate-sync.yaml says. Whom that names keeps the right to apply, whoever applies this time. Undefined where nothing is changed that could shut anybody out.
 *
 * @param applies whether this run makes them
 */
export async function applierOf(
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
): Promise<Applier | undefined> {
  if (!changes.some((change) => isPending(change) && couldLockOut(change))) return undefined;
  const known = (...identities: readonly Identity[]): Applier => ({
    kind: "known",
    identities,
    adminRoles: adminRoles ?? usualAdminRoles(dialect),
  });
  const stated: Applier | undefined = adminCertificate ? { kind: "admin-certificate" } : applyAs && known(applyAs);
  if (!applies) return stated ?? { kind: "judged-at-apply" };
  const seen = await callerSeen(reader, dialect);
  // The live state was read: we are let in.
  const isAdmin = isAdminCertificate(seen, dialect, true);
  if (isAdmin === "yes" || (isAdmin === "unknown" && adminCertificate)) return stated ?? { kind: "admin-certificate" };
  const { name: user, backendRoles, roles, address } = seen;
  if (user === undefined) return stated ?? { kind: "untold" };
  const others = applyAs === undefined || applyAs.user === user ? [] : [applyAs];
  return known({ user, backendRoles, roles, ...(address !== undefined && { address }) }, ...others);
}
