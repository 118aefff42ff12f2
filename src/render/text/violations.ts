import { flowItems, spreadLine, wrap, wrapIndented } from "../layout.ts";
import type { Style } from "../style.ts";
import type { RemedyView, ViolationView } from "../views/violation.ts";
import { paint } from "./ansi.ts";

const mostNames = 20;
const mostLines = 40;

/** What refuses a plan, whom it is about, and what waives it, ready to be copied. */
export function formatViolationLines(
  { what, why, rule, names, remedies }: ViolationView,
  style: Style,
): readonly string[] {
  const [first = "", ...more] = wrap(what, style.width - 2, 2);
  const title = [`${paint("!", "refused", style)} ${first}`, ...more];
  return [
    ...title.slice(0, -1),
    ...spreadLine(title.at(-1) ?? "", paint(`guard ${rule}`, "faint", style), style.width),
    ...(why === undefined ? [] : wrapIndented(why, 4, style.width)),
    ...nameLines(names, style),
    ...remedies.flatMap((remedy) => remedyLines(remedy, style)),
  ];
}

/** To be copied whole: never wrapped, and never shown in part, as a part waives nothing. */
function remedyLines({ title, lines }: RemedyView, style: Style): readonly string[] {
  const isShown = style.full || lines.length <= mostLines;
  const shown = isShown ? lines : [`... ${lines.length} lines to paste (--full)`];
  return [`  ${title}`, ...shown.map((line) => `    ${line}`)];
}

function nameLines(names: readonly string[], style: Style): readonly string[] {
  const isWhole = style.full || names.length <= mostNames;
  const left = names.length - mostNames + 1;
  const shown = isWhole ? names : [...names.slice(0, mostNames - 1), `... ${left} more (--full)`];
  return flowItems(shown, ", ", style.width - 4).map((line) => `    ${line}`);
}
