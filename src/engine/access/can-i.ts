import type { AccessModel } from "../../access/model.ts";
import type { CanIAnswer } from "../../access/questions/answers.ts";
import { permitted } from "../../access/questions/can.ts";
import { type Telling, toldShares, toldTenant } from "../../access/questions/told.ts";
import type { Subject } from "../../access/subject.ts";
import { explainInternalUser } from "../../access/users.ts";
import type { Request } from "../request.ts";
import type { Source } from "../source.ts";
import { type Asked, asideNotes, askedBy, existenceAssumptions, indexAssumptions, type Words } from "./asked.ts";
import { doubtNotes } from "./misspelt.ts";
import { openAccess } from "./open.ts";
import { askerOf, type Whom } from "./subject.ts";

export interface CanI extends CanIAnswer {
  readonly notices: readonly string[];
}

/** @param source absent: the files alone are asked */
export async function canI(request: Request, whom: Whom, words: Words, source?: Source): Promise<CanI> {
  const { model, release, personas, places, basis, assumptions, notes, notices } = await openAccess(request, source);
  const { subject, title } = askerOf(whom, personas, model.state);
  const asked = askedBy(words, release, model.state.groups);
  const answer = answered(model, subject, asked, { places, misses: true });
  return {
    who: title,
    asked: asked.title,
    ...answer,
    places,
    basis,
    assumptions: [
      ...assumptions,
      ...indexAssumptions(asked),
      ...(answer.verdict === "yes" ? [] : existenceAssumptions(asked)),
    ],
    notes: [
      ...explainInternalUser(subject, model.state),
      ...asideNotes(asked),
      ...doubtNotes(asked, model, [subject]),
      ...notes,
    ],
    notices,
  };
}

/** The answer itself, for one subject. */
export function answered(
  model: AccessModel,
  subject: Subject,
  asked: Asked,
  how: Omit<Telling, "reads">,
): Pick<CanI, "verdict" | "shares" | "tooMany" | "reduced" | "takesOneRole"> {
  if (asked.of === "tenant") {
    const share = toldTenant(model, subject, asked, how);
    return { verdict: share.verdict, shares: [share], tooMany: false, reduced: false };
  }
  const found = permitted(model, subject, asked.request, asked.indices);
  const { verdict, tooMany, reduced, takesOneRole } = found;
  const shares = toldShares(model, subject, found, { ...how, reads: asked.request.reads });
  return { verdict, tooMany, reduced, shares, ...(takesOneRole && { takesOneRole }) };
}
