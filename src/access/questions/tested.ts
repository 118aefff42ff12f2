import { listDistinct } from "../../json/collections.ts";
import type { AccessTest } from "../../model/access-test.ts";
import type { AskedRequest } from "../evaluate/asked-request.ts";
import { everything, listComparedNames, resolveIndexPattern } from "../evaluate/coverage.ts";
import { listHeldRules } from "../evaluate/permission.ts";
import { evaluateQuestion, type RequestEvaluation, type RequestVerdict } from "../evaluate/question.ts";
import { mayAnswerAll, settleActions } from "../evaluate/request.ts";
import { explainShares, explainTenant, type ShareExplanation } from "../explain/explanation.ts";
import type { Places } from "../explain/grant-path.ts";
import { findLessenings, isLess, type Lessening } from "../explain/lessened.ts";
import type { AccessModel } from "../model/access-model.ts";
import type { Subject } from "../model/subject.ts";
import { mayHold } from "../model/users.ts";
import { overlaps } from "../patterns/includes.ts";
import { matchesPattern } from "../patterns/matches.ts";
import type { Verdict } from "../verdict.ts";

/** What a test asks, with its wording. */
export type Question = { readonly title: string } & (
  | { readonly of: "request"; readonly request: AskedRequest; readonly indices: readonly string[] }
  | { readonly of: "tenant"; readonly tenant: string; readonly writes: boolean }
);

export type TestOutcome = "passed" | "failed" | "unknown";

/** What became of an access test. */
export interface TestedAccess {
  readonly test: AccessTest;
  /** Its name; without one, what it says. */
  readonly title: string;
  readonly outcome: TestOutcome;
  /** True also where the verdict is unknown and the test allows that, or leaves it to plan. */
  readonly passes: boolean;
  /** Nothing that is declared contradicts it, but only a part is declared: what the server has decides. */
  readonly isLeftToPlan?: true;
  /** What contradicts the test; for an unknown verdict, what is unknown. */
  readonly findings: readonly Contradiction[];
}

/** What a test expects of a subject. */
export type ExpectedAccess = Pick<AccessTest, "expect" | "sees">;

/** The subject may do what it should not, may not do what it should, or sees less than it should. */
export interface Contradiction {
  readonly who: string;
  readonly asked: string;
  readonly expected: AccessTest["expect"];
  readonly outcome: Exclude<TestOutcome, "passed">;
  readonly verdict: RequestVerdict;
  /** Those of them that are not as expected. */
  readonly shares: readonly ShareExplanation[];
  /** Each of the shares is allowed by itself, but one role has to grant all of them, and none does. */
  readonly takesOneRole?: true;
  /** It is allowed, and less is seen than everything, or perhaps is: by these. */
  readonly less?: readonly Lessening[];
}

/** What contradicts the expected access; undefined where nothing does. */
export function findContradiction(
  model: AccessModel,
  { subject, title: who }: { readonly subject: Subject; readonly title: string },
  question: Question,
  { expect: expected, sees }: ExpectedAccess,
  places: Places,
): Contradiction | undefined {
  const explained = { who, asked: question.title, expected };
  if (question.of === "tenant") {
    const share = explainTenant(model, subject, question, { misses: expected === "allowed", places });
    const outcome = decideOutcome([share], share.verdict, expected);
    return outcome === "passed" ? undefined : { ...explained, outcome, verdict: share.verdict, shares: [share] };
  }
  if (expected === "denied" && isFarFrom(model, subject, question)) return undefined;
  const found = evaluateQuestion(model, subject, question.request, widenAsked(question.indices, expected));
  const outcome = decideOutcome(found.shares, found.verdict, expected);
  if (outcome === "passed") {
    const less = sees && findLessSeen(model, subject, found, places);
    return less && { ...explained, ...less, verdict: found.verdict };
  }
  const against = found.shares.filter(
    ({ verdict }) => verdict === (outcome === "failed" ? opposite[expected] : "unknown"),
  );
  // No share alone is refused: the request as a whole is, or there are too many shares to list.
  const shares: RequestEvaluation["shares"] = against.length > 0 ? against : found.shares;
  return {
    ...explained,
    outcome,
    verdict: found.verdict,
    ...(found.takesOneRole && { takesOneRole: true }),
    shares: explainShares(
      model,
      subject,
      { ...found, shares },
      { reads: question.request.reads, misses: true, places },
    ),
  };
}

/** What is not seen of what may be read; undefined where that is nothing. */
function findLessSeen(
  model: AccessModel,
  subject: Subject,
  found: RequestEvaluation,
  places: Places,
): Pick<Contradiction, "outcome" | "shares" | "less"> | undefined {
  const those = (verdict: Verdict) => found.shares.filter(({ limits }) => limits && isLess(limits) === verdict);
  const [less, unsure] = [those("yes"), those("unknown")];
  const shares = less.length > 0 ? less : unsure;
  if (shares.length === 0) return undefined;
  const lessenings = shares.flatMap((share) => findLessenings(model, subject, share, places));
  return {
    outcome: less.length > 0 ? "failed" : "unknown",
    shares: explainShares(model, subject, { ...found, shares }, { reads: true, misses: false, places }),
    less: listDistinct(lessenings),
  };
}

/** No role is near to granting it: true for most principals that are asked about, and fast to find. */
function isFarFrom(
  model: AccessModel,
  subject: Subject,
  { request: asked, indices }: Extract<Question, { of: "request" }>,
): boolean {
  const request = settleActions(model, asked);
  if (mayHold(subject) !== "no" || mayAnswerAll(model, request.index)) return false;
  const rules = listHeldRules(model, subject).flatMap((held) => held.rules.index);
  const names = indices.flatMap((one) => listComparedNames(one, model.state.semantics));
  const isMatched = (pattern: string): boolean => {
    const meant = resolveIndexPattern(pattern, model.state.semantics, subject);
    return meant !== undefined && (typeof meant !== "string" || names.some((one) => overlaps(meant, one) !== "no"));
  };
  return request.index.some((action) =>
    rules.every(
      ({ actions, patterns }) =>
        !actions.some(({ pattern }) => matchesPattern(pattern, action) !== "no") || !patterns.some(isMatched),
    ),
  );
}

/**
 * A request for all indices by the name `_all` may be refused where each index alone is allowed: `denied` covers
 * both.
 */
function widenAsked(indices: readonly string[], expected: AccessTest["expect"]): readonly string[] {
  return expected === "allowed" ? indices : indices.map((index) => (index === everything ? "**" : index));
}

const opposite = { allowed: "no", denied: "yes" } as const;

function decideOutcome(
  shares: readonly { readonly verdict: RequestVerdict }[],
  whole: RequestVerdict,
  expected: AccessTest["expect"],
): TestOutcome {
  if (shares.some(({ verdict }) => verdict === opposite[expected])) return "failed";
  if (whole === "unknown" || shares.some(({ verdict }) => verdict === "unknown")) return "unknown";
  if (expected === "allowed") return whole === "yes" ? "passed" : "failed";
  return "passed";
}
