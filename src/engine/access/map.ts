import { explainApiKeys } from "../../access/model/api-keys.ts";
import { explainUnreadUsers } from "../../access/model/users.ts";
import { createAccessMap } from "../../access/questions/access-map.ts";
import type { MapAnswer } from "../../access/questions/answers.ts";
import { createBuiltins } from "../../dialects/builtin/index.ts";
import { formatIndexAssumption } from "../../questions/asked.ts";
import type { RunRequest } from "../request.ts";
import { type AskedSource, openAccess } from "./asked-state.ts";
import { listAnswerAssumptions, listMissingNotes, listPartNotes } from "./left-open.ts";
import { listPrincipalsWithPersonas } from "./principals.ts";

export interface MappedAccess extends MapAnswer {
  readonly notices: readonly string[];
}

/** @param source absent: the files alone */
export async function buildAccessMap(request: RunRequest, source?: AskedSource): Promise<MappedAccess> {
  const opened = await openAccess(request, source);
  const { model, dialect, release, personas, places, basis, missing, partly, notes, notices } = opened;
  const principals = listPrincipalsWithPersonas(model, personas);
  const facts = { model, subjects: principals.map(({ subject }) => subject) };
  const map = createAccessMap(model, principals, release, places);
  const builtin = createBuiltins(dialect).roles;
  return {
    ...map,
    unheldBuiltins: map.unheldRoles.filter((role) => builtin.has(role)),
    basis,
    assumptions: [...listAnswerAssumptions(facts), formatIndexAssumption(model.state)],
    notes: [
      ...explainUnreadUsers(model.state),
      ...explainApiKeys(model.state),
      ...listMissingNotes(missing, facts),
      ...listPartNotes(partly),
      ...notes,
    ],
    notices,
  };
}
