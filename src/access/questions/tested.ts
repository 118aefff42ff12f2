import type { AccessTest } from "../../model/access-test.ts";
import { dataStreamOf, everything, indexPattern } from "../coverage.ts";
import { heldRules } from "../judge.ts";
import type { AccessModel } from "../model.ts";
import { overlaps } from "../patterns/includes.ts";
import { meets } from "../patterns/meets.ts";
import { mayAnswerAll } from "../request.ts";
import type { Subject } from "../subject.ts";
import { mayHold } from "../users.ts";
import type { Verdict } from "../verdict.ts";
import { type Permitted, permitted, type Standing } from "./can.ts";
import { isLess, type Lessening, lesseningsOf } from "./lessened.ts";
import type { Request } from "./request.ts";
import type { Places } from "./steps.ts";
import { type ToldShare, toldShares, toldTenant } from "./told.ts";

/** What is asked of somebody, in words too. */
export type Question = { readonly title: string } & (
  | { readonly of: "request"; readonly request: Request; readonly indices: readonly string[] }
  | { readonly of: "tenant"; readonly tenant: string; readonly writes: boolean }
);

export type Outcome = "passed" | "failed" | "cannot-tell";

/** What became of an access test. */
export interface TestedAccess {
  readonly test: AccessTest;
  /** Its name; without one, what it says. */
  readonly title: string;
  readonly outcome: Outcome;
  /** Also where it cannot be told, and the test allows that. */
  readonly passes: boolean;
  /** What speaks against it: of what cannot be told, that. */
  readonly findings: readonly Contradiction[];
}

/** What a test says of somebody and what they want. */
export type Expected = Pick<AccessTest, "expect" | "sees">;

/** Somebody who may do what they should not, may not do what they should, or sees less of it than they should. */
export interface Contradiction {
  readonly who: string;
  readonly asked: string;
  readonly expected: AccessTest["expect"];
  readonly outcome: Exclude<Outcome, "passed">;
  readonly verdict: Standing;
  /** Those of them that are not as expected. */
  readonly shares: readonly ToldShare[];
  /** Each of the shares is allowed by itself, but one role has to grant all of them, and none does. */
  readonly takesOneRole?: true;
  /** It is allowed, and less is seen than everything, or perhaps is: by these. */
  readonly less?: readonly Lessening[];
}

/** Whether somebody may do something as it is expected; undefined where it is so. */
export function contradiction(
  model: AccessModel,
  { subject, title: who }: { readonly subject: Subject; readonly title: string },
  question: Question,
  { expect: expected, sees }: Expected,
  places: Places,
): Contradiction | undefined {
  const told = { who, asked: question.title, expected };
  if (question.of === "tenant") {
    const share = toldTenant(model, subject, question, { misses: expected === "allowed", places });
    const outcome = outcomeOf([share], share.verdict, expected);
    return outcome === "passed" ? undefined : { ...told, outcome, verdict: share.verdict, shares: [share] };
  }
  if (expected === "denied" && isFarFrom(model, subject, question)) return undefined;
  const found = permitted(model, subject, question.request, meantBy(question.indices, expected));
  const outcome = outcomeOf(found.shares, found.verdict, expected);
  if (outcome === "passed") {
    const less = sees && lessSeen(model, subject, found, places);
    return less && { ...told, ...less, verdict: found.verdict };
  }
  const against = found.shares.filter(
    ({ verdict }) => verdict === (outcome === "failed" ? opposite[expected] : "unknown"),
  );
  // None of them alone: it is all of them together that is not permitted, or there are too many to be told.
  const shares: Permitted["shares"] = against.length > 0 ? against : found.shares;
  return {
    ...told,
    outcome,
    verdict: found.verdict,
    ...(found.takesOneRole && { takesOneRole: true }),
    shares: toldShares(model, subject, { ...found, shares }, { reads: question.request.reads, misses: true, places }),
  };
}

/** What is not seen of what may be read; undefined where that is nothing. */
function lessSeen(
  model: AccessModel,
  subject: Subject,
  found: Permitted,
  places: Places,
): Pick<Contradiction, "outcome" | "shares" | "less"> | undefined {
  const those = (verdict: Verdict) => found.shares.filter(({ limits }) => limits && isLess(limits) === verdict);
  const [less, unsure] = [those("yes"), those("unknown")];
  const shares = less.length > 0 ? less : unsure;
  if (shares.length === 0) return undefined;
  const lessenings = shares.flatMap((share) => lesseningsOf(model, subject, share, places));
  return {
    outcome: less.length > 0 ? "failed" : "cannot-tell",
    shares: toldShares(model, subject, { ...found, shares }, { reads: true, misses: false, places }),
    less: [...new Map(lessenings.map((one) => [JSON.stringify(one), one])).values()],
  };
}

/** No role says anything of it: most of those who are asked about, and told at once. */
function isFarFrom(
  model: AccessModel,
  subject: Subject,
  { request, indices }: Extract<Question, { of: "request" }>,
): boolean {
  if (mayHold(subject) !== "no" || mayAnswerAll(model, request.index)) return false;
  const rules = heldRules(model, subject).flatMap((held) => held.rules.index);
  const names = indices.flatMap((one) => [one, ...dataStreamOf(one, model.state.judging)]);
  const isMet = (pattern: string): boolean => {
    const meant = indexPattern(pattern, model.state.judging, subject);
    return meant !== undefined && (typeof meant !== "string" || names.some((one) => overlaps(meant, one) !== "no"));
  };
  return request.index.some((action) =>
    rules.every(
      ({ actions, patterns }) =>
        !actions.some(({ pattern }) => meets(pattern, action) !== "no") || !patterns.some(isMet),
    ),
  );
}

/** A request for all indices by that very name may be refused to somebody who may do it with each of some: to deny means these too. */
function meantBy(indices: readonly string[], expected: AccessTest["expect"]): readonly string[] {
  return expected === "allowed" ? indices : indices.map((index) => (index === everything ? "**" : index));
}

const opposite = { allowed: "no", denied: "yes" } as const;

function outcomeOf(
  shares: readonly { readonly verdict: Standing }[],
  whole: Standing,
  expected: AccessTest["expect"],
): Outcome {
  if (shares.some(({ verdict }) => verdict === opposite[expected])) return "failed";
  if (whole === "unknown" || shares.some(({ verdict }) => verdict === "unknown")) return "cannot-tell";
  if (expected === "allowed") return whole === "yes" ? "passed" : "failed";
  return "passed";
}
