import { type AccessModel, createAccessModel } from "../access/model/access-model.ts";
import { buildDeclaredAccess } from "../access/model/states.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { DesiredState } from "../model/desired.ts";

/** What the files say of who may do what. */
export function buildDeclaredModel(desired: DesiredState, dialect: Dialect): AccessModel {
  return createAccessModel(buildDeclaredAccess(desired, dialect));
}
