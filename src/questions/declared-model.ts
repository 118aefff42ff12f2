import { type AccessModel, createAccessModel } from "../access/model/access-model.ts";
import { buildDeclaredAccess } from "../access/model/states.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { decodeInternalUsers } from "../dialects/internal-users.ts";
import type { DesiredState } from "../model/desired.ts";
import type { Repository } from "../model/repository.ts";

/** What the files say of who may do what, internal users among it where a file holds them. */
export function buildDeclaredModel(
  desired: DesiredState,
  { internalUsers }: Repository,
  dialect: Dialect,
): AccessModel {
  const byName = internalUsers && decodeInternalUsers(dialect, Object.fromEntries(internalUsers));
  return createAccessModel({
    ...buildDeclaredAccess(desired, dialect),
    ...(byName && { users: { kind: "known", byName } }),
  });
}
