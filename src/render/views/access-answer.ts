import type { RequestVerdict } from "../../access/evaluate/question.ts";
import type { ShareExplanation } from "../../access/explain/explanation.ts";
import type { CanIAnswer, FoundPrincipal, WhoCanAnswer } from "../../access/questions/answers.ts";
import type { Principal } from "../../access/questions/who.ts";
import { escapeInvisible, formatName } from "../escape.ts";
import { formatMemberKind } from "./access-reasons.ts";
import { createShareView, type ShareView } from "./access-share.ts";

/** Everything that a format shows of the answer to `can-i`. Texts are fit to be shown. */
export interface CanIView {
  readonly verdict: RequestVerdict;
  /** `user ana: search hr-2026`. */
  readonly question: string;
  readonly shares: readonly ShareView[];
  /** What holds of the request as a whole, in sentences. */
  readonly remarks: readonly string[];
  /** What is taken for granted, notes, and what the evaluation is based on. */
  readonly closing: readonly string[];
  /** As the model has it, for programs. */
  readonly answer: CanIAnswer;
}

/** The same of `who-can`. */
export interface WhoCanView {
  /** `2 can search hr-2026, of 5 principals evaluated.` */
  readonly summary: string;
  /** Who may, then who may in part, then for whom it is unknown; a title only where it is not the first. */
  readonly groups: readonly { readonly title: string; readonly principals: readonly FoundPrincipalView[] }[];
  readonly closing: readonly string[];
  readonly answer: WhoCanAnswer;
}

export interface FoundPrincipalView {
  /** `backend role hr`, `persona ana`. */
  readonly who: string;
  /** Of who may in part: what they may. */
  readonly shares: readonly ShareView[];
  /** `chain`: it takes one permission, granted for certain, so that its grant path says it all. `one`: all is one share. */
  readonly shows: "chain" | "one" | "several";
}

export function createCanIView(answer: CanIAnswer): CanIView {
  const { who, asked, verdict, shares, tooMany, reduced, takesOneRole, places, basis, assumptions, notes } = answer;
  return {
    verdict,
    question: escapeInvisible(`${who}: ${asked}`),
    shares: shares.map((share) => createShareView(share, places)),
    remarks: [
      ...(reduced ? ["The server answers with what is permitted, and does not refuse the rest."] : []),
      ...(takesOneRole ? [oneRoleWords[verdict === "no" ? "no" : "unknown"]] : []),
      ...(tooMany ? ["Roles distinguish more of these indices than are shown: ask about fewer."] : []),
    ],
    closing: [...[...assumptions, ...notes, basis].map(escapeInvisible), moreOnAnswers],
    answer,
  };
}

/** Why a request that each of its indices allows is refused, or may be. */
const oneRoleWords = {
  no: "Each of these is granted, but one role has to grant all of them, and none does.",
  unknown: "One role has to grant all of these that exist: which exist is unknown, and no role grants all of them.",
} as const;

export function createWhoCanView(answer: WhoCanAnswer): WhoCanView {
  const { principals, places, basis, assumptions, notes } = answer;
  const those = (verdict: RequestVerdict) =>
    principals.filter((found) => found.verdict === verdict).map((found) => createFoundPrincipalView(found, places));
  const [sure, partly, unsure] = [those("yes"), those("partly"), those("unknown")];
  const alone = principals.some(({ principal }) => principal.kind === "entry") ? [each] : [];
  return {
    summary: escapeInvisible(formatWhoCanSummary(answer, sure.length, unsure.length)),
    groups: [
      { title: "", principals: sure },
      { title: `With some of these indices, not with all: ${partly.length}`, principals: partly },
      { title: `Unknown: ${unsure.length}`, principals: unsure },
    ].filter(({ principals: found }) => found.length > 0),
    closing: [...[...alone, ...assumptions, ...notes, basis].map(escapeInvisible), moreOnAnswers],
    answer,
  };
}

/** That of nobody it is certain is no no. */
function formatWhoCanSummary({ asked, of, mayBeMore }: WhoCanAnswer, sure: number, unsure: number): string {
  if (sure > 0) return `${mayBeMore ? "At least " : ""}${sure} can ${asked}, of ${of} principals evaluated.`;
  if (unsure === 0 && mayBeMore) return `Of ${of} principals evaluated, it is certain of none that they can ${asked}.`;
  if (unsure === 0) return `No principal can ${asked}, of ${of} principals evaluated.`;
  return `Of ${of} principals evaluated, it is certain of none that they can ${asked}, and unknown of ${unsure}.`;
}

/** What answers leave out in general is said there, and not under each. */
export const moreOnAnswers = "More: gate-sync explain access-questions";

const each =
  "Each member of a mapping is asked about alone: a principal with several may see less, or more. A persona is asked about whole.";

function createFoundPrincipalView(
  { principal, shares, verdict }: FoundPrincipal,
  places: WhoCanAnswer["places"],
): FoundPrincipalView {
  const isShown = (share: ShareExplanation) => verdict !== "partly" || share.verdict !== "no";
  const [first, ...others] = shares;
  const isOne = first !== undefined && others.length === 0;
  const some = shares.every(isShown) ? [] : shares;
  return {
    who: formatPrincipal(principal),
    shares: (isOne ? shares : shares.filter(isShown)).map((share) => createShareView(share, places, some)),
    shows: !isOne ? "several" : isGrantedPlainly(first) ? "chain" : "one",
  };
}

function isGrantedPlainly({ verdict, permissions: [permission, ...others], unsure }: ShareExplanation): boolean {
  return verdict === "yes" && permission?.chain !== undefined && others.length + unsure.length === 0;
}

export function formatPrincipal(principal: Principal): string {
  if (principal.kind === "persona") return `persona ${formatName(principal.name)}`;
  const everybody = principal.member.entries.every((entry) => /^\*+$/.test(entry));
  return `${formatMemberKind(principal.member)}${everybody ? " (everybody)" : ""}`;
}
