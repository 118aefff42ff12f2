import type { CanIAnswer } from "../../access/questions/answers.ts";
import type { Places } from "../../access/questions/steps.ts";
import type { ToldShare } from "../../access/questions/told.ts";
import { paint } from "../ansi.ts";
import { visible } from "../escape.ts";
import { joined, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { indicesWords, shareLines, verdictTones, verdictWords } from "./access-shares.ts";

/** The answer, its reason, and what it goes by. No newline at its end. */
export function canIToText(
  { who, asked, verdict, shares, tooMany, reduced, takesOneRole, places, basis, assumptions, notes }: CanIAnswer,
  style: Style,
): string {
  const answer = paint(verdictWords[verdict], verdictTones[verdict], style);
  const [only] = shares;
  const told =
    only && shares.length === 1
      ? shareLines(only, places, 2, style)
      : shares.flatMap((share, at) => manyLines(share, at, places, style));
  return joined([
    ...wrap(`${answer}  ${visible(`${who}: ${asked}`)}`, style.width, 2),
    "",
    ...told,
    ...(reduced
      ? ["", ...wrap("The server answers with what is permitted, and does not refuse the rest.", style.width)]
      : []),
    ...(takesOneRole ? ["", ...wrap(oneRoleWords(verdict), style.width)] : []),
    ...(tooMany
      ? ["", ...wrap("There are more ways in which roles tell these indices apart: ask about fewer.", style.width)]
      : []),
    ...closing(basis, [...assumptions, ...notes], style),
  ]);
}

/** Why a request that each of its indices allows is refused, or may be. */
function oneRoleWords(verdict: CanIAnswer["verdict"]): string {
  return verdict === "no"
    ? "Each of these is granted, but one role has to grant all of them, and none does."
    : "One role has to grant all of these that exist: which exist is unknown, and no role grants all of them.";
}

function manyLines(share: ToldShare, at: number, places: Places, style: Style): readonly string[] {
  const words = `${verdictWords[share.verdict]}  ${share.indices ? indicesWords(share.indices) : ""}`;
  return [
    ...(at > 0 ? [""] : []),
    ...wrap(words, style.width - 2, 4).map((line) => `  ${paint(line, verdictTones[share.verdict], style)}`),
    ...shareLines(share, places, 4, style),
  ];
}

/** What an answer goes by, and what is not known. */
export function closing(basis: string, notes: readonly string[], style: Style): readonly string[] {
  return [
    "",
    ...[...notes, basis].flatMap((text) => wrap(visible(text), style.width)).map((line) => paint(line, "faint", style)),
  ];
}
