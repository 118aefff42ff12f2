import type { ShareExplanation } from "../../access/explain/explanation.ts";
import type { Places } from "../../access/explain/grant-path.ts";
import type { CanIAnswer } from "../../access/questions/answers.ts";
import { escapeInvisible } from "../escape.ts";
import { joinLines, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { formatIndices, formatShareLines, verdictTones, verdictWords } from "./access-shares.ts";
import { paint } from "./ansi.ts";

/** The answer, its reason, and what it goes by. No newline at its end. */
export function renderCanIText(
  { who, asked, verdict, shares, tooMany, reduced, takesOneRole, places, basis, assumptions, notes }: CanIAnswer,
  style: Style,
): string {
  const answer = paint(verdictWords[verdict], verdictTones[verdict], style);
  const [only] = shares;
  const explained =
    only && shares.length === 1
      ? formatShareLines(only, places, 2, style)
      : shares.flatMap((share, at) => manyLines(share, at, places, style));
  return joinLines([
    ...wrap(`${answer}  ${escapeInvisible(`${who}: ${asked}`)}`, style.width, 2),
    "",
    ...explained,
    ...(reduced
      ? ["", ...wrap("The server answers with what is permitted, and does not refuse the rest.", style.width)]
      : []),
    ...(takesOneRole ? ["", ...wrap(oneRoleWords(verdict), style.width)] : []),
    ...(tooMany
      ? ["", ...wrap("Roles distinguish more of these indices than are shown: ask about fewer.", style.width)]
      : []),
    ...formatClosing([...assumptions, ...notes, basis], style),
  ]);
}

/** Why a request that each of its indices allows is refused, or may be. */
function oneRoleWords(verdict: CanIAnswer["verdict"]): string {
  return verdict === "no"
    ? "Each of these is granted, but one role has to grant all of them, and none does."
    : "One role has to grant all of these that exist: which exist is unknown, and no role grants all of them.";
}

function manyLines(share: ShareExplanation, at: number, places: Places, style: Style): readonly string[] {
  const words = `${verdictWords[share.verdict]}  ${share.indices ? formatIndices(share.indices) : ""}`;
  return [
    ...(at > 0 ? [""] : []),
    ...wrap(words, style.width - 2, 4).map((line) => `  ${paint(line, verdictTones[share.verdict], style)}`),
    ...formatShareLines(share, places, 4, style),
  ];
}

/** What an answer goes by, and what is not known. */
export function formatClosing(texts: readonly string[], style: Style): readonly string[] {
  return [
    "",
    ...texts.flatMap((text) => wrap(escapeInvisible(text), style.width)).map((line) => paint(line, "faint", style)),
  ];
}
