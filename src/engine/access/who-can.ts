import { explainUnreadUsers } from "../../access/model/users.ts";
import type { FoundPrincipal, WhoCanAnswer } from "../../access/questions/answers.ts";
import { listIgnoredNotes, parseQuestion, type QuestionWords } from "../../questions/asked.ts";
import { listMisspeltNotes } from "../../questions/misspelt.ts";
import type { RunRequest } from "../request.ts";
import type { Source } from "../source.ts";
import { answerCanI } from "./can-i.ts";
import { listAnswerAssumptions, listMissingNotes } from "./left-open.ts";
import { openAccess } from "./open.ts";
import { listPrincipalsWithPersonas } from "./principals.ts";

export interface WhoCan extends WhoCanAnswer {
  readonly notices: readonly string[];
}

export async function answerWhoCan(request: RunRequest, words: QuestionWords, source?: Source): Promise<WhoCan> {
  const { model, release, personas, places, basis, missing, notes, notices } = await openAccess(request, source);
  const asked = parseQuestion(words, release, model.state.groups);
  const all = listPrincipalsWithPersonas(model, personas);
  const principals = all.flatMap((principal): readonly FoundPrincipal[] => {
    const { verdict, shares } = answerCanI(model, principal.subject, asked, { places, misses: false });
    return verdict === "no" ? [] : [{ principal, verdict, shares }];
  });
  const subjects = all.map(({ subject }) => subject);
  const facts = { model, asked, subjects };
  return {
    asked: asked.title,
    principals,
    of: all.length,
    places,
    basis,
    assumptions: listAnswerAssumptions(facts),
    notes: [
      ...explainUnreadUsers(model.state),
      ...listIgnoredNotes(asked),
      ...listMisspeltNotes(asked, model, subjects),
      ...listMissingNotes(missing, facts),
      ...notes,
    ],
    notices,
  };
}
