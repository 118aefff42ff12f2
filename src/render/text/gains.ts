import type { AccessDifferences, Statement } from "../../model/access.ts";
import type { Plan } from "../../model/plan.ts";
import { paint } from "../ansi.ts";
import { visible } from "../escape.ts";
import { administeringFirst } from "../gain-order.ts";
import { accessCounts, affectedWords, enteringSign, enteringWords, type Said, saidOf } from "../gain-words.ts";
import { blanks, flow, wrap, wrapParts } from "../layout.ts";
import type { Style } from "../style.ts";
import { countsColumn, tones } from "./family.ts";

/** More than this nobody reads at once. */
const mostStatements = 30;

type Told = Pick<Plan, "access" | "changes" | "violations" | "lifted">;

/** Who gains and who loses by a plan; nothing where it was not asked for. */
export function accessLines(plan: Told, style: Style): readonly string[] {
  const { access } = plan;
  return access ? [...titleLines(access, style), ...gainLines(access, plan, style)] : [];
}

/** The same without a title. */
export function gainLines(access: AccessDifferences, plan: Omit<Told, "access">, style: Style): readonly string[] {
  const { administering, others } = administeringFirst(access.statements, plan);
  const most = style.full ? access.statements.length : mostStatements;
  const shown = others.slice(0, Math.max(0, most - administering.length));
  const first = administering.slice(0, most);
  const left = access.statements.length - first.length - shown.length;
  return [
    ...first.flatMap((statement) => statementLines(statement, plan, style)),
    ...access.entering.flatMap((one) => signed({ sign: enteringSign(one), sentence: enteringWords(one) }, 2, style)),
    ...shown.flatMap((statement) => statementLines(statement, plan, style)),
    ...(left > 0 ? [`  ... ${left} more (--full)`] : []),
    ...access.untold.flatMap((why) => wrap(`  cannot tell: ${visible(why)}`, style.width, 4)),
  ];
}

function titleLines(access: AccessDifferences, style: Style): readonly string[] {
  const counts = accessCounts(access);
  const nothing = access.untold.length > 0 ? [] : ["nobody gains or loses any"];
  const [first = "", ...rest] = flow(counts.length > 0 ? counts : nothing, ", ", style.width - countsColumn);
  return [
    paint("Access", "strong", style) + blanks(countsColumn - "Access".length) + first,
    ...rest.map((line) => blanks(countsColumn) + line),
  ];
}

/** One thing in one sentence; several under the name of those whom they are about. */
function statementLines(statement: Statement, plan: Pick<Plan, "changes">, style: Style): readonly string[] {
  const whom = affectedWords(statement.who);
  const said = saidOf(statement, plan);
  const [only] = said;
  if (only && said.length === 1) return signed({ ...only, sentence: `${whom} ${only.sentence}` }, 2, style);
  return [
    ...wrap(whom, style.width - 4, 2).map((line) => blanks(4) + paint(line, "strong", style)),
    ...said.flatMap((one) => signed(one, 6, style)),
  ];
}

function signed({ sign, sentence, details = [] }: Said, indent: number, style: Style): readonly string[] {
  return [
    ...wrap(sentence, style.width - indent - 2, 2).map(
      (line, at) => blanks(indent) + (at === 0 ? `${paint(sign, tones[sign], style)} ` : "  ") + line,
    ),
    ...details.flatMap((detail) =>
      wrapParts(detail, style.width - indent - 4, 2).map((line) => blanks(indent + 4) + paint(line, "faint", style)),
    ),
  ];
}
