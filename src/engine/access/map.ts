import { explainUnreadUsers } from "../../access/model/users.ts";
import { type AccessMap, createAccessMap } from "../../access/questions/access-map.ts";
import type { Grounded } from "../../access/questions/answers.ts";
import { indicesNotKnown } from "../../questions/asked.ts";
import type { RunRequest } from "../request.ts";
import type { Source } from "../source.ts";
import { listAnswerAssumptions, listMissingNotes } from "./left-open.ts";
import { openAccess } from "./open.ts";
import { listPrincipalsWithPersonas } from "./principals.ts";

export interface MappedAccess extends AccessMap, Grounded {
  readonly notices: readonly string[];
}

/** @param source absent: the files alone */
export async function buildAccessMap(request: RunRequest, source?: Source): Promise<MappedAccess> {
  const { model, release, personas, places, basis, missing, notes, notices } = await openAccess(request, source);
  const principals = listPrincipalsWithPersonas(model, personas);
  const facts = { model, subjects: principals.map(({ subject }) => subject) };
  return {
    ...createAccessMap(model, principals, release, places),
    basis,
    assumptions: [...listAnswerAssumptions(facts), indicesNotKnown],
    notes: [...explainUnreadUsers(model.state), ...listMissingNotes(missing, facts), ...notes],
    notices,
  };
}
