import type { RequestVerdict } from "../../access/evaluate/question.ts";
import type { ShareExplanation } from "../../access/explain/explanation.ts";
import type { Places } from "../../access/explain/grant-path.ts";
import type { FoundPrincipal, WhoCanAnswer } from "../../access/questions/answers.ts";
import type { Principal } from "../../access/questions/who.ts";
import { escapeInvisible, formatName } from "../escape.ts";
import { joinLines, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { formatMemberKind } from "../views/access-reasons.ts";
import { formatLimitLines } from "./access-limits.ts";
import { formatChainLines, formatIndices, formatShareLines, verdictWords } from "./access-shares.ts";
import { paint } from "./ansi.ts";
import { formatClosing } from "./can-i.ts";

/** Principals of one verdict; more are too many to read at once. */
const mostPrincipals = 50;

/** Who may, then who may in part, then for whom it is unknown. No newline at its end. */
export function renderWhoCanText(
  { asked, principals, of, places, basis, assumptions, notes }: WhoCanAnswer,
  style: Style,
): string {
  const those = (verdict: RequestVerdict) => principals.filter((found) => found.verdict === verdict);
  const [sure, partly, unsure] = [those("yes"), those("partly"), those("unknown")];
  const head = sure.length === 0 ? `No principal can ${asked}` : `${sure.length} can ${asked}`;
  const block = (found: readonly FoundPrincipal[], title: string) =>
    found.length === 0 ? [] : ["", paint(escapeInvisible(title), "strong", style), ...manyLines(found, places, style)];
  const alone = principals.length === 0 ? [] : [each];
  return joinLines([
    ...wrap(paint(escapeInvisible(`${head}, of ${of} that mappings and personas name.`), "strong", style), style.width),
    ...manyLines(sure, places, style),
    ...block(partly, `With some of these indices, not with all: ${partly.length}`),
    ...block(unsure, `Unknown: ${unsure.length}`),
    ...formatClosing([...alone, ...assumptions, ...notes, basis], style),
  ]);
}

const each =
  "Each member of a mapping is asked about alone: a principal with several may see less, or more. A persona is asked about whole.";

/** `backend role hr`, `persona ana`. */
export function formatFoundPrincipal(principal: Principal): string {
  if (principal.kind === "persona") return `persona ${formatName(principal.name)}`;
  const everybody = principal.member.entries.every((entry) => /^\*+$/.test(entry));
  return `${formatMemberKind(principal.member)}${everybody ? ", which is everybody" : ""}`;
}

function manyLines(found: readonly FoundPrincipal[], places: Places, style: Style): readonly string[] {
  const shown = style.full ? found : found.slice(0, mostPrincipals);
  const left = found.length - shown.length;
  return [
    ...shown.flatMap((one) => foundLines(one, places, style)),
    ...(left > 0 ? ["", `  ... ${left} more (--full)`] : []),
  ];
}

function foundLines({ principal, shares, verdict }: FoundPrincipal, places: Places, style: Style): readonly string[] {
  const [only] = shares;
  const single = shares.length === 1 && only ? briefly(only, places, style) : undefined;
  return [
    "",
    `  ${formatFoundPrincipal(principal)}`,
    ...(single ??
      shares
        .filter((share) => verdict !== "partly" || share.verdict !== "no")
        .flatMap((share) => [
          `    ${verdictWords[share.verdict]}  ${share.indices ? formatIndices(share.indices) : ""}`,
          ...formatShareLines(share, places, 6, style),
        ])),
  ];
}

/** Of one permission, the chain says it all. */
function briefly(share: ShareExplanation, places: Places, style: Style): readonly string[] {
  const [only, ...others] = share.permissions;
  if (share.verdict !== "yes" || others.length > 0 || !only?.chain || share.unsure.length > 0)
    return formatShareLines(share, places, 4, style);
  return [
    ...formatChainLines(only.chain, "", 4, style),
    ...(share.limits ? formatLimitLines(share.limits, 4, style) : []),
  ];
}
