import type { FoundPrincipal, WhoCanAnswer } from "../../access/questions/answers.ts";
import { type Principal, principalsIn } from "../../access/questions/who.ts";
import { unreadNotes } from "../../access/users.ts";
import type { Request } from "../request.ts";
import type { Source } from "../source.ts";
import { asideNotes, askedBy, indexAssumptions, type Words } from "./asked.ts";
import { answered } from "./can-i.ts";
import { doubtNotes } from "./misspelt.ts";
import { openAccess } from "./open.ts";
import { askerOf } from "./subject.ts";

export interface WhoCan extends WhoCanAnswer {
  readonly notices: readonly string[];
}

export async function whoCan(request: Request, words: Words, source?: Source): Promise<WhoCan> {
  const { model, release, personas, places, basis, assumptions, notes, notices } = await openAccess(request, source);
  const asked = askedBy(words, release, model.state.groups);
  const declared = [...personas.keys()].sort().map((persona): Principal => {
    const { subject } = askerOf({ backendRoles: [], attributes: [], persona }, personas, model.state);
    return { kind: "persona", name: persona, subject };
  });
  const all = [...principalsIn(model), ...declared];
  const principals = all.flatMap((principal): readonly FoundPrincipal[] => {
    const { verdict, shares } = answered(model, principal.subject, asked, { places, misses: false });
    return verdict === "no" ? [] : [{ principal, verdict, shares }];
  });
  return {
    asked: asked.title,
    principals,
    of: all.length,
    places,
    basis,
    assumptions: [...assumptions, ...indexAssumptions(asked)],
    notes: [
      ...unreadNotes(model.state),
      ...asideNotes(asked),
      ...doubtNotes(
        asked,
        model,
        all.map(({ subject }) => subject),
      ),
      ...notes,
    ],
    notices,
  };
}
