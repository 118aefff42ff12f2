import { type AccessModel, createAccessModel } from "../model/access-model.ts";

/**
 * The ends of a plan, and each of them with the internal users of the other: between two requests users may be written
 * already, and mappings not yet, or the other way round.
 */
export function listWithCrossedUsers([before, after]: readonly [AccessModel, AccessModel]): readonly AccessModel[] {
  const { changedUsers: were } = before.state;
  const { changedUsers: will } = after.state;
  if (!were || !will) return [before, after];
  return [
    before,
    after,
    createAccessModel({ ...before.state, changedUsers: will }),
    createAccessModel({ ...after.state, changedUsers: were }),
  ];
}
