import type { AccessState, HeldEntries } from "../../access/model/state.ts";
import type { Change } from "../../model/change.ts";
import { type Address, createAddress } from "../../model/names.ts";

/** Before a plan, and once all of it is done. */
export interface CauseEnds {
  readonly before: AccessState;
  readonly after: AccessState;
}

/** More are not tried one by one. */
const mostTried = 40;

/**
 * The changes that cause a finding: without all of these it does not arise, so waiving them waives all of it. Where
 * several cause it only together, all are named.
 *
 * @param changes those that may have to do with it
 * @param comes whether the finding arises, from one state to another
 */
export function findCauses(
  changes: readonly Change[],
  { before, after }: CauseEnds,
  comes: (before: AccessState, after: AccessState) => boolean,
): readonly Address[] {
  const found = new Set<Change>();
  const with_ = (made: (change: Change) => boolean) => mixed({ before, after }, changes, made);
  for (;;) {
    const left = changes.filter((change) => !found.has(change));
    if (
      left.length === 0 ||
      !comes(
        before,
        with_((change) => !found.has(change)),
      )
    )
      break;
    const causes =
      left.length > mostTried || left.length === 1
        ? left
        : left.filter(
            (one) =>
              comes(
                before,
                with_((change) => change === one),
              ) ||
              !comes(
                before,
                with_((change) => change !== one && !found.has(change)),
              ),
          );
    for (const one of causes.length > 0 ? causes : left) found.add(one);
  }
  // By others it comes, too, such as a setting of the config that is no change of its own here.
  const all = found.size > 0 ? [...found] : changes;
  return changes.filter((one) => all.includes(one)).map(({ family, name }) => createAddress(family, name));
}

/** The state after a plan of which some changes are made, and the others of these are not. */
function mixed(
  { before, after }: CauseEnds,
  changes: readonly Change[],
  made: (change: Change) => boolean,
): AccessState {
  const without = changes.filter((change) => !made(change));
  const held = (family: Change["family"], was: HeldEntries, is: HeldEntries): HeldEntries => {
    const relevant = without.filter((change) => change.family === family);
    if (relevant.length === 0) return is;
    const all = new Map(is);
    for (const { name } of relevant) {
      const old = was.get(name);
      if (old) all.set(name, old);
      else all.delete(name);
    }
    return all;
  };
  return {
    ...after,
    roles: held("roles", before.roles, after.roles),
    mappings: held("role_mappings", before.mappings, after.mappings),
    groups: held("action_groups", before.groups, after.groups),
    tenants: held("tenants", before.tenants, after.tenants),
    blocks: held("blocks", before.blocks, after.blocks),
    ...(before.changedUsers &&
      after.changedUsers && {
        changedUsers: {
          names: before.changedUsers.names,
          held: held("internal_users", before.changedUsers.held, after.changedUsers.held),
        },
      }),
    settings: without.some(({ family }) => family === "config") ? before.settings : after.settings,
  };
}
