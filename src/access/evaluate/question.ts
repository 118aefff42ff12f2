import type { Limits } from "../../model/access.ts";
import type { AccessModel } from "../model/access-model.ts";
import type { Subject } from "../model/subject.ts";
import { matchesPattern } from "../patterns/matches.ts";
import { combineAll, negate, type Verdict } from "../verdict.ts";
import { type AskedRequest, isOneName } from "./asked-request.ts";
import { everything } from "./coverage.ts";
import { createNamedPart, type IndexPart, partitionIndices } from "./index-parts.ts";
import { findLimits } from "./limits.ts";
import { createPermission, isProtected } from "./permission.ts";
import { failsByAnyQuery, failsByQuery } from "./query-failures.ts";
import {
  evaluateRequest,
  getDashboardsIndex,
  isReduced,
  type RequestAnswer,
  settleActions,
  settleReduction,
} from "./request.ts";
import { findRoleOrderFaults } from "./role-order.ts";

/** `partly`: with some of the indices that are named, and with others not. */
export type RequestVerdict = Verdict | "partly";

/** The answer to one question, in parts. */
export interface RequestEvaluation {
  readonly verdict: RequestVerdict;
  /** One for each part of the indices that evaluates alike; one without an index for a question about none. */
  readonly shares: readonly Share[];
  /** There are more shares than these. */
  readonly tooMany: boolean;
  /** Where some is not permitted, the server answers with the rest. */
  readonly reduced: boolean;
  /** Each share is permitted by itself, but one role has to grant all of them, and none does. */
  readonly takesOneRole?: true;
}

export interface Share {
  /** Absent where no index has a say. */
  readonly part?: IndexPart;
  readonly verdict: Verdict;
  readonly answer: RequestAnswer;
  /** Of an index: what is left of it to be seen. */
  readonly limits?: Limits;
  /** It is granted, and fails all the same, as DLS, FLS or masking applies; `unknown`: or may. */
  readonly failsAsRestricted?: Verdict;
  /** The same, as the server fails over a query of DLS. */
  readonly failsByQuery?: Verdict;
  /** The variable of a query of which it is unknown whether it has a value, without which the server fails. */
  readonly lacksValue?: string;
  /** The same, as the server writes the restrictions of the subject in two ways. */
  readonly failsByRoleOrder?: "yes" | "unknown";
}

/** @param indices names and patterns, as in a request; none for what is about no index, or names none and is about all */
export function evaluateQuestion(
  model: AccessModel,
  subject: Subject,
  asked: AskedRequest,
  indices: readonly string[],
): RequestEvaluation {
  const request = settleActions(model, asked);
  const settled = settleReduction(model, subject, request.index, indices);
  const found = evaluateOnIndices(settled, subject, request, indices);
  const fails = findRoleOrderFaults(model, subject)([...request.cluster, ...request.index]);
  return fails === "no" ? found : failShares(found, fails);
}

function failShares(found: RequestEvaluation, fails: "yes" | "unknown"): RequestEvaluation {
  return {
    ...found,
    verdict: fails === "yes" || found.verdict === "no" ? "no" : "unknown",
    shares: found.shares.map((share) => ({
      ...share,
      verdict: combineAll([share.verdict, negate(fails)]),
      ...(share.verdict !== "no" && { failsByRoleOrder: fails }),
    })),
  };
}

function evaluateOnIndices(
  model: AccessModel,
  subject: Subject,
  request: AskedRequest,
  asked: readonly string[],
): RequestEvaluation {
  const namesNone = asked.length === 0 && !isReduced(model, request.index);
  if (request.index.length === 0 || namesNone) {
    const answer = evaluateRequest(model, subject, { ...request, on: [] });
    const byQuery = request.index.length === 0 ? failsByAnyQuery(model, subject) : "no";
    const verdict = combineAll([answer.verdict, negate(byQuery)]);
    const share = { verdict, answer, ...(byQuery !== "no" && answer.verdict !== "no" && { failsByQuery: byQuery }) };
    return { verdict, shares: [share], tooMany: false, reduced: false };
  }
  const indices = asked.length === 0 ? [everything] : asked;
  const all = indices.includes(everything) && isOneName(model, request);
  if (all) {
    const answer = evaluateRequest(model, subject, { ...request, on: [{ name: everything }] });
    const share: Share = {
      part: { index: { name: everything }, ...createNamedPart(everything) },
      verdict: answer.verdict,
      answer,
    };
    if (answer.verdict !== "yes") return { verdict: answer.verdict, shares: [share], tooMany: false, reduced: false };
  }
  const found = indices.map((index) => {
    const { parts, tooMany } = partitionIndices(model, subject, index, {
      apart: [...listKeptIndices(model, request), ...listDashboardsIndex(model, index)],
      isAlone: indices.length === 1,
    });
    // Several indices that evaluate alike are called as the question called them.
    const isWhole = indices.length > 1 && parts.length === 1;
    return { parts: isWhole ? parts.map((part) => ({ ...part, by: [index] })) : parts, tooMany };
  });
  const shares = found.flatMap(({ parts }) => parts).map((part) => evaluateShare(model, subject, request, part));
  const tooMany = found.some((one) => one.tooMany);
  const onAll = (some: readonly Share[]): RequestAnswer =>
    evaluateRequest(model, subject, { ...request, on: some.flatMap(({ part }) => part?.index ?? []) });
  const whole = onAll(shares);
  const takesOneRole = whole.verdict === "no" && shares.every(({ verdict }) => verdict === "yes");
  // A pattern may match only some of its examples, and these one role may grant: only names are certain.
  const named = shares.filter(({ part }) => part?.one);
  const isOpen = takesOneRole && named.length < shares.length && (named.length === 0 || onAll(named).verdict !== "no");
  // What a server makes of a pattern that no index matches is not known.
  const unmatched = found.some(({ parts }) => parts.length === 0) ? (["unknown"] as const) : [];
  return {
    verdict: combineShares(
      [...shares.map(({ verdict }) => verdict), ...unmatched],
      isOpen ? "unknown" : whole.verdict,
      tooMany,
    ),
    shares,
    tooMany,
    reduced: whole.reducedTo !== undefined,
    ...(takesOneRole && { takesOneRole }),
  };
}

/**
 * The index with the product's own configuration is on every cluster: the server refuses a change of what a pattern
 * matches where that is among it. A document is written to one index by its name: there a pattern asks about each of
 * the others.
 */
function listKeptIndices(model: AccessModel, { index }: AskedRequest): readonly string[] {
  const { securityIndex, reducesByPattern } = model.state.semantics;
  // Left out of what a pattern matches, for all users.
  if (reducesByPattern && isReduced(model, index)) return [];
  const isKept = (action: string) =>
    !/^indices:data\/write\/(bulk|index|delete|update)(\[|$)/.test(action) &&
    isProtected(createPermission(action, { name: securityIndex }), model);
  return index.some(isKept) ? [securityIndex] : [];
}

/** The dashboards' index; none where the pattern also matches the security index, which is on every cluster. */
function listDashboardsIndex(model: AccessModel, asked: string): readonly string[] {
  const index = getDashboardsIndex(model);
  if (index === undefined || matchesPattern(asked, model.state.semantics.securityIndex) === "yes") return [];
  return [index];
}

function evaluateShare(model: AccessModel, subject: Subject, request: AskedRequest, part: IndexPart): Share {
  const answer = evaluateRequest(model, subject, { ...request, on: [part.index] });
  const limits = findLimits(model, subject, part.index);
  // A request that is reduced to no index is answered with nothing: the subject sees no data.
  const granted = answer.reaches ?? answer.verdict;
  const fails = combineAll([request.failsWhereRestricted, limits.restricted]);
  const masksFail = limits.mayFail && readsDocuments(request) ? "unknown" : "no";
  const { verdict: byQuery, depends } = failsByQuery(model, subject, part.index, request.index);
  const verdict = combineAll([granted, negate(fails), negate(masksFail), negate(byQuery)]);
  return {
    part,
    verdict,
    answer,
    limits,
    ...(fails !== "no" && granted !== "no" && { failsAsRestricted: fails }),
    ...(byQuery !== "no" && granted !== "no" && { failsByQuery: byQuery, ...(depends && { lacksValue: depends }) }),
  };
}

/** The fields that an index has are shown all the same. */
function readsDocuments({ index }: AskedRequest): boolean {
  return index.some((action) => /^indices:data\/read\/(?!field_caps$)/.test(action));
}

function combineShares(verdicts: readonly Verdict[], whole: Verdict, tooMany: boolean): RequestVerdict {
  const has = (verdict: Verdict) => verdicts.includes(verdict);
  if (has("yes") && has("no")) return "partly";
  if (has("unknown") || tooMany) return "unknown";
  if (has("no")) return "no";
  // Each by itself, but no role for all of them together.
  return whole;
}
