import { createKindRequest } from "../../access/evaluate/asked-request.ts";
import { evaluateQuestion } from "../../access/evaluate/question.ts";
import { type ExplanationOptions, explainShares, explainTenant } from "../../access/explain/explanation.ts";
import type { AccessModel } from "../../access/model/access-model.ts";
import type { Subject } from "../../access/model/subject.ts";
import { explainInternalUser } from "../../access/model/users.ts";
import type { CanIAnswer } from "../../access/questions/answers.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { type RequestKind, requestKinds } from "../../dialects/requests.ts";
import {
  type AskedQuestion,
  listExistenceAssumptions,
  listFilterNotes,
  listIgnoredNotes,
  parseQuestion,
  type QuestionWords,
} from "../../questions/asked.ts";
import { listMisspeltNotes } from "../../questions/misspelt.ts";
import { type AskedTenant, openSubject } from "../../questions/partly-declared.ts";
import { createAsker, type Whom } from "../../questions/subject.ts";
import type { RunRequest } from "../request.ts";
import { type AskedSource, openAccess } from "./asked-state.ts";
import { listAnswerAssumptions, listMissingNotes, listPartNotes } from "./left-open.ts";

export interface CanI extends CanIAnswer {
  readonly notices: readonly string[];
}

/** @param source absent: the files alone are asked */
export async function canI(request: RunRequest, whom: Whom, words: QuestionWords, source?: AskedSource): Promise<CanI> {
  const opened = await openAccess(request, source);
  const { model, dialect, release, personas, places, basis, missing, partly, notes, notices } = opened;
  const { subject, title } = createAsker(whom, personas, model.state);
  const asked = parseQuestion(words, release, model.state.groups);
  const known = answerCanI(model, subject, asked, { places, misses: true });
  // What only the server has takes nothing away that is granted, and may grant what is refused.
  const open =
    partly && known.verdict !== "yes" ? openSubject(partly, model, subject, getAskedTenant(asked)) : undefined;
  const { isRestrictedWrite, ...answer } = open ? answerCanI(model, open, asked, { places, misses: true }) : known;
  const facts = { model, asked, subjects: [subject], verdict: answer.verdict };
  return {
    who: title,
    asked: asked.title,
    ...answer,
    places,
    basis,
    assumptions: [
      ...listAnswerAssumptions(facts),
      ...(answer.verdict === "yes" ? [] : listExistenceAssumptions(asked)),
    ],
    notes: [
      ...explainInternalUser(subject, model.state),
      ...listIgnoredNotes(asked),
      ...listFilterNotes(asked, model.state),
      ...(isRestrictedWrite ? listWriteNotes(dialect) : []),
      ...(answer.verdict === "yes" ? listActionNotes(model, subject, asked, release) : []),
      ...listMisspeltNotes(asked, model, [subject]),
      ...listMissingNotes(missing, facts),
      ...listPartNotes(partly, asked, answer.verdict),
      ...notes,
    ],
    notices,
  };
}

/** The answer itself, for one subject. */
export function answerCanI(
  model: AccessModel,
  subject: Subject,
  asked: AskedQuestion,
  how: Omit<ExplanationOptions, "reads">,
): Pick<CanI, "verdict" | "shares" | "tooMany" | "reduced" | "takesOneRole"> & {
  readonly isRestrictedWrite?: boolean;
} {
  if (asked.of === "tenant") {
    const share = explainTenant(model, subject, asked, how);
    return { verdict: share.verdict, shares: [share], tooMany: false, reduced: false };
  }
  const found = evaluateQuestion(model, subject, asked.request, asked.indices);
  const { verdict, tooMany, reduced, takesOneRole } = found;
  const shares = explainShares(model, subject, found, { ...how, reads: asked.request.reads });
  const isWrite = asked.request.index.some((action) => action.startsWith("indices:data/write/"));
  const isRestrictedWrite =
    isWrite && found.shares.some((share) => share.verdict !== "no" && (share.limits?.restricted ?? "no") !== "no");
  return { verdict, tooMany, reduced, shares, isRestrictedWrite, ...(takesOneRole && { takesOneRole }) };
}

/** An action may be granted, and no request with it, as each takes another one besides. */
function listActionNotes(
  model: AccessModel,
  subject: Subject,
  asked: AskedQuestion,
  release: string,
): readonly string[] {
  if (asked.of === "tenant" || asked.request.example !== undefined) return [];
  const { request, indices } = asked;
  const kinds = requestKinds.filter(({ index }) => index.includes(request.name));
  const isRefused = (kind: RequestKind): boolean =>
    evaluateQuestion(model, subject, createKindRequest(kind, release), indices).verdict === "no";
  if (kinds.length === 0 || !kinds.every(isRefused)) return [];
  const names = kinds.map(({ name }) => name);
  return [`No request takes ${request.name} alone, and those with it are refused: ask about ${names.join(" or ")}.`];
}

export function getAskedTenant(asked: AskedQuestion): AskedTenant | undefined {
  return asked.of === "tenant" ? asked : undefined;
}

/** No request of the security API shows the setting. */
export function listWriteNotes({ mayBlockWrites }: Dialect): readonly string[] {
  return mayBlockWrites
    ? [
        "Who has DLS, FLS or masks there may write unless the cluster setting plugins.security.dls.write_blocked is on, which is not known here.",
      ]
    : [];
}
