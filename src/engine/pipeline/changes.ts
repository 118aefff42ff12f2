import { diff } from "../../diff/diff.ts";
import { getCredentials, holdsUnset, withoutCredentials } from "../../families/credentials.ts";
import { createTargetLoginHider } from "../../live/client/hiding.ts";
import type { Change } from "../../model/change.ts";
import type { DesiredResource, DesiredState } from "../../model/desired.ts";
import { type Address, createAddress } from "../../model/names.ts";
import { findSecretRoles } from "../../secrets/changed.ts";
import { findMovedLogin, findMovedSecrets, withoutSecretsElsewhere } from "../../secrets/moved.ts";
import type { PlanContext } from "./context.ts";
import { omitOthers } from "./only.ts";

export interface DecidedChanges {
  /** In them, live texts that repeat a secret of the repository or the login are hidden. */
  readonly changes: readonly Change[];
  /** The live entries that hold such texts. */
  readonly secret: ReadonlySet<Address>;
}

type ChangesContext = Pick<PlanContext, "desired" | "live" | "policies" | "target"> &
  Partial<
    Pick<
      PlanContext,
      "changedCredentials" | "hashes" | "only" | "showsLeftOut" | "isRollback" | "undone" | "files" | "secretEntries"
    >
  > & {
    readonly request: Pick<PlanContext["request"], "rotated">;
  };

/** Compares what is wanted with what is there, and hides the secrets that the server shows as plain text. */
export function decideChanges(context: ChangesContext): DecidedChanges {
  const { desired, live, policies, only, isRollback, request } = context;
  const all = diff(withRotations(desired, request.rotated), live, policies);
  const relevant = only ? all.flatMap((change) => narrowTo(change, only, context)) : all;
  const explained = relevant.map((change) => explainUnwritten(change, context));
  const changes = isRollback ? explained.map((change) => explainRollback(change, context.undone)) : explained;
  const secret = context.secretEntries ?? new Set(findSecretEntries(context, changes));
  return { changes: withoutSecretsElsewhere(changes, secret), secret };
}

/** A reviewed plan decided of no others; `--only` shows what it leaves out. */
function narrowTo(change: Change, only: ReadonlySet<Address>, { showsLeftOut }: ChangesContext): readonly Change[] {
  if (showsLeftOut) return [omitOthers(change, only)];
  return only.has(createAddress(change.family, change.name)) ? [change] : [];
}

/** A user whose password is known to be another one is not in sync, though nothing is written; nor is one whose is unknown. */
function explainUnwritten(change: Change, { desired, changedCredentials, hashes }: ChangesContext): Change {
  const { family, name, reason } = change;
  if (family !== "internal_users" || reason !== "in-sync") return change;
  if (hashes?.other.has(name)) return { ...change, reason: "other-hash" };
  if (changedCredentials?.has(name)) return { ...change, reason: "not-rotated" };
  const value = desired.resources.get(family)?.get(name)?.value ?? {};
  const isHashUnknown = Object.keys(getCredentials(value)).length > 0 && !hashes?.same.has(name);
  const isUnknown = isHashUnknown || holdsUnset(withoutCredentials(family, value));
  return isUnknown ? { ...change, passwordUnknown: true } : change;
}

/** Their credentials are written, though the server has the users. */
export function withRotations(desired: DesiredState, rotated: readonly Address[] = []): DesiredState {
  const users = desired.resources.get("internal_users");
  if (!users || rotated.length === 0) return desired;
  const names = new Set(rotated);
  const marked = [...users].map(([name, user]): [string, DesiredResource] => [
    name,
    names.has(createAddress("internal_users", name)) ? { ...user, rotates: true } : user,
  ]);
  return { ...desired, resources: new Map([...desired.resources, ["internal_users", new Map(marked)]]) };
}

function findSecretEntries({ files, target }: ChangesContext, changes: readonly Change[]): readonly Address[] {
  const login = findMovedLogin(changes, createTargetLoginHider(target));
  if (!files) return login;
  return [...findSecretRoles(changes, files.declared), ...findMovedSecrets(changes, files.declared), ...login];
}

function explainRollback(change: Change, undone?: ReadonlySet<Address>): Change {
  if (change.action !== "delete") return change;
  return { ...change, reason: undone?.has(createAddress(change.family, change.name)) ? "undone" : "reverted" };
}
