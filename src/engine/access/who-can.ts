import { isBlockedIn } from "../../access/evaluate/blocked.ts";
import { evaluateQuestion } from "../../access/evaluate/question.ts";
import { settleActions } from "../../access/evaluate/request.ts";
import { createConcernCheck } from "../../access/evaluate/roles-about.ts";
import { type AccessModel, createAccessModel } from "../../access/model/access-model.ts";
import { explainApiKeys } from "../../access/model/api-keys.ts";
import type { Subject } from "../../access/model/subject.ts";
import { formatMember } from "../../access/model/subject.ts";
import { explainUnreadUsers } from "../../access/model/users.ts";
import type { FoundPrincipal, WhoCanAnswer } from "../../access/questions/answers.ts";
import { findUnknownMember, type Principal } from "../../access/questions/who.ts";
import {
  type AskedQuestion,
  listFilterNotes,
  listIgnoredNotes,
  parseQuestion,
  type QuestionWords,
} from "../../questions/asked.ts";
import { listMisspeltNotes } from "../../questions/misspelt.ts";
import { listOpenAskers } from "../../questions/partly-declared.ts";
import type { RunRequest } from "../request.ts";
import { type AskedSource, openAccess } from "./asked-state.ts";
import { answerCanI, getAskedTenant, listWriteNotes } from "./can-i.ts";
import { listAnswerAssumptions, listMissingNotes, listPartNotes } from "./left-open.ts";
import { listPrincipalsWithPersonas } from "./principals.ts";

export interface WhoCan extends WhoCanAnswer {
  readonly notices: readonly string[];
}

export async function answerWhoCan(request: RunRequest, words: QuestionWords, source?: AskedSource): Promise<WhoCan> {
  const opened = await openAccess(request, source);
  const { model, dialect, release, personas, places, basis, missing, partly, notes, notices } = opened;
  const asked = parseQuestion(words, release, model.state.groups);
  const all = listPrincipalsWithPersonas(model, personas);
  const candidates = listCandidates(model, asked, all);
  const found = candidates.flatMap((principal) => {
    const { verdict, ...answer } = answerCanI(model, principal.subject, asked, { places, misses: false });
    return verdict === "no" ? [] : [{ ...answer, principal, verdict }];
  });
  const principals = found.map(({ principal, verdict, shares }): FoundPrincipal => ({ principal, verdict, shares }));
  const mayDo = (subject: Subject) => answerCanI(model, subject, asked, { places, misses: false }).verdict !== "no";
  const isPartly =
    partly !== undefined &&
    listOpenAskers(
      partly,
      model,
      all.map(({ subject }) => ({ subject, title: "" })),
      getAskedTenant(asked),
    ).some(({ subject }) => mayDo(subject));
  const unknown = findUnknownMember(model);
  const isUnknown = unknown !== undefined && mayDo(unknown.subject);
  const listed = new Set(principals.map(({ principal }) => principal));
  const open = createAccessModel({ ...model.state, blocks: new Map() });
  const shutOut = candidates.filter(
    (one) =>
      !listed.has(one) &&
      isBlockedIn(model.state, one.subject) === "yes" &&
      answerCanI(open, one.subject, asked, { places, misses: false }).verdict !== "no",
  );
  const subjects = all.map(({ subject }) => subject);
  const facts = { model, asked, subjects };
  return {
    asked: asked.title,
    principals,
    of: all.length,
    mayBeMore: isPartly || isUnknown,
    places,
    basis,
    assumptions: listAnswerAssumptions(facts),
    notes: [
      ...listShutOutNotes(shutOut),
      ...explainUnreadUsers(model.state),
      ...explainApiKeys(model.state),
      ...listIgnoredNotes(asked),
      ...listFilterNotes(asked, model.state),
      ...(found.some(({ isRestrictedWrite }) => isRestrictedWrite) ? listWriteNotes(dialect) : []),
      ...listMisspeltNotes(asked, model, subjects),
      ...listMissingNotes(missing, facts),
      ...(isPartly ? listPartNotes(partly, asked) : []),
      ...(isUnknown ? [`Not counted: whom fields that gate-sync does not know give ${unknown.roles.join(", ")}.`] : []),
      ...notes,
    ],
    notices,
  };
}

/** Without those whom no role concerns, where the answer for one of them, and so for all, is no. */
function listCandidates(model: AccessModel, asked: AskedQuestion, all: readonly Principal[]): readonly Principal[] {
  if (asked.of === "tenant") return all;
  const isConcerned = createConcernCheck(model, { ...settleActions(model, asked.request), indices: asked.indices });
  const concerned = all.filter(({ subject }) => isConcerned(subject));
  const other = all.find(({ subject }) => !isConcerned(subject));
  const isNo = other && evaluateQuestion(model, other.subject, asked.request, asked.indices).verdict === "no";
  return isNo ? concerned : all;
}

/** More are too many to read at once. */
const mostNamed = 20;

function listShutOutNotes(shutOut: readonly Principal[]): readonly string[] {
  if (shutOut.length === 0) return [];
  const names = shutOut
    .slice(0, mostNamed)
    .map((one) => (one.kind === "persona" ? `persona ${one.name}` : formatMember(one.member)));
  const more = shutOut.length > mostNamed ? ` and ${shutOut.length - mostNamed} more` : "";
  return [`Shut out by blocks, and not listed: ${names.join(", ")}${more}.`];
}
