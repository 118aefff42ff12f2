import { joinLines, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { mostWhole } from "../views/list-parts.ts";
import type { ReportView } from "../views/report.ts";
import { paint } from "./ansi.ts";
import { formatOutcomeLine } from "./outcome.ts";

/**
 * What is left to report after `formatOutcomeLine` reported each request that was made: those that were not made, what
 * reading back found, and the count. No newline at its end.
 */
export function renderReportText(
  { name, outcomes, readBack, conclusion, undo, report }: ReportView,
  style: Style,
): string {
  const total = outcomes.length;
  if (total === 0) return `${name}: nothing was pending, nothing was sent.`;
  return joinLines([
    ...formatUnmade(outcomes, style),
    ...(report.verified ? [`Read back: ${paint("in sync", "added", style)}.`] : []),
    ...(readBack === "" ? [] : wrap(readBack, style.width, 2)),
    ...conclusion.flatMap((sentence) => wrap(sentence, style.width).map((line) => paint(line, "strong", style))),
    // In one line, however long: it is there to be copied.
    ...(undo === "" ? [] : [`Backup kept. Undo: ${undo}`]),
  ]);
}

function formatUnmade(outcomes: ReportView["outcomes"], style: Style): readonly string[] {
  const unmade = outcomes.flatMap(({ outcome }, at) => (outcome.kind === "not-attempted" ? [{ outcome, at }] : []));
  if (unmade.length > mostWhole && !style.full && !style.verbose)
    return [`  ${unmade.length} of ${outcomes.length} requests: ${paint("not attempted", "faint", style)} (--full)`];
  return unmade.map(({ outcome, at }) => formatOutcomeLine(outcome, at, outcomes.length, style));
}
