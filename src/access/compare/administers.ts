import { encodeCanonical } from "../../json/canonical.ts";
import { type Fields, listValues, type Value } from "../../json/value.ts";
import type { Identity } from "../../model/identity.ts";
import { isMapped } from "../model/mapped.ts";
import { combineAll, combineAny, type Verdict } from "../verdict.ts";

export type Mappings = ReadonlyMap<string, Fields>;

/** The roles by which a principal administers. */
export interface AdminRight {
  readonly held: readonly string[];
  /** One of these is enough; absent where it is unknown which: then all held roles are needed. */
  readonly enough?: readonly string[];
}

/**
 * By which of its roles an identity administers access control. Which roles may is a node setting that no API shows:
 * where it holds none of the usual ones, it can be any role that it holds.
 *
 * @param adminRoles roles that the target names, or the usual ones
 */
export function findAdminRight(identity: Identity, mappings: Mappings, adminRoles: readonly string[]): AdminRight {
  const held = listHeldRoles(identity, mappings);
  const administering = held.filter((role) => adminRoles.includes(role));
  return administering.length > 0 ? { held: administering, enough: adminRoles } : { held };
}

function listHeldRoles(identity: Identity, mappings: Mappings): readonly string[] {
  const mapped = [...mappings].filter(([, mapping]) => isMapped(mapping, identity) === "yes").map(([role]) => role);
  return [...new Set([...(identity.roles ?? []), ...(identity.ownRoles ?? []), ...mapped])].toSorted();
}

/** Whether a right that an identity had before still exists after, and which roles of it are lost or might be. */
export function checkRightKept(
  { held, enough }: AdminRight,
  identity: Identity,
  before: Mappings,
  after: Mappings,
): { readonly kept: Verdict; readonly lost: readonly string[] } {
  const verdicts = held.map((role) => isRoleKept(role, before, after, identity));
  const gained = (enough ?? [])
    .filter((role) => !held.includes(role))
    .map((role) => givesRole(after.get(role), identity));
  return {
    kept: enough ? combineAny([...verdicts, ...gained]) : combineAll(verdicts),
    lost: held.filter((_, at) => verdicts[at] !== "yes"),
  };
}

function isRoleKept(role: string, before: Mappings, after: Mappings, identity: Identity): Verdict {
  const [old, now] = [before.get(role), after.get(role)];
  const had = givesRole(old, identity);
  // Held all the same: the user itself carries it, and no mapping takes it away.
  if (had === "no" || identity.ownRoles?.includes(role)) return "yes";
  const still = givesRole(now, identity);
  if (still === "no" && identity.mayHaveMore !== undefined) return "unknown";
  return still === "unknown" && had === "unknown" && areMembersKept(old, now, identity) ? "yes" : still;
}

function givesRole(mapping: Fields | undefined, identity: Identity): Verdict {
  return mapping === undefined ? "no" : isMapped(mapping, identity);
}

/** Whether every member that gave `identity` the role before is still in the mapping; without `identity`: every member. */
export function areMembersKept(before: Fields = {}, after: Fields = {}, identity?: Identity): boolean {
  const isMember = (field: string, entry: Value): boolean =>
    identity === undefined || isMapped({ [field]: [entry] }, identity) !== "no";
  return (
    ["users", "backend_roles", "hosts"].every((field) => {
      const kept = listValues(after[field]);
      return listValues(before[field]).every((entry) => kept.includes(entry) || !isMember(field, entry));
    }) && encodeCanonical(before.and_backend_roles ?? null) === encodeCanonical(after.and_backend_roles ?? null)
  );
}
