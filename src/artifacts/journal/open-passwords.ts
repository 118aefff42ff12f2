// Passwords of users that a run was to write with --rotate, and may not have written: no server shows them.
import { writesCredentials } from "../../families/credentials.ts";
import type { JournalScope, RunBeginning } from "../../model/journal.ts";
import { type Address, createAddress } from "../../model/names.ts";
import type { DecidedPlan } from "../../plan/decided-plan.ts";
import type { KnownRun } from "./known-run.ts";

/** The users of such passwords after a run: of its own rotations, and those that earlier runs left open. */
export function listOpenPasswords({ plan, changeOutcomes }: KnownRun): readonly Address[] {
  const own = plan.changes
    .filter(({ rotates }) => rotates)
    .map(({ family, name }) => createAddress(family, name))
    .filter((address) => changeOutcomes.get(address)?.kind !== "done");
  return [...new Set([...own, ...(plan.passwords ?? [])])];
}

/** Those that another run neither writes nor finds to be as declared, and that are still declared. */
export function listKeptOpenPasswords(
  before: KnownRun,
  { plan }: DecidedPlan,
  { command, scope }: { readonly command: RunBeginning["command"]; readonly scope: JournalScope },
): readonly Address[] {
  const changes = new Map(plan.changes.map((change) => [createAddress(change.family, change.name), change]));
  return listOpenPasswords(before).filter((address) => {
    const change = changes.get(address);
    if (!change) return scope.of !== "all";
    if (change.action === "delete" || writesCredentials(change)) return false;
    // What a rollback restores holds no passwords.
    if (command === "rollback") return true;
    const isKnown = change.reason === "in-sync" && !change.passwordUnknown;
    return change.after !== undefined && !isKnown;
  });
}
