import type { AccessModel } from "../../access/model/access-model.ts";
import { listAllPrincipals, type Principal } from "../../access/questions/who.ts";
import type { Persona } from "../../model/persona.ts";
import { createAsker } from "../../questions/subject.ts";

/** Every member of every mapping, each alone, then every persona. */
export function listPrincipalsWithPersonas(
  model: AccessModel,
  personas: ReadonlyMap<string, Persona>,
): readonly Principal[] {
  const declared = [...personas.keys()].sort().map((persona): Principal => {
    const { subject } = createAsker({ backendRoles: [], attributes: [], persona }, personas, model.state);
    return { kind: "persona", name: persona, subject };
  });
  return [...listAllPrincipals(model), ...declared];
}
