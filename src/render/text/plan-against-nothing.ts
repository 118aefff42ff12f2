import { wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { countActions } from "../views/family.ts";
import type { PlanView } from "../views/plan.ts";
import { pluralise } from "../views/words.ts";
import { paint } from "./ansi.ts";
import { formatNoteLines } from "./plan.ts";

/**
 * What a plan against an empty server adds to the account of an import: its changes are the entries that were taken.
 * No newline at the end.
 *
 * @param command what to run next
 */
export function renderPlanAgainstNothingText(view: PlanView, command: string, style: Style): string {
  const notes = formatNoteLines(view.notes, style);
  const verdict = wrap(formatVerdict(view), style.width).map((line) => paint(line, "strong", style));
  return [...(notes.length === 0 ? [] : [...notes, ""]), ...verdict, "Next:", `  ${command}`]
    .map((line) => line.trimEnd())
    .join("\n");
}

/** Whether guards refuse it is up to the plan for a server: what an import adds is there already, most often. */
function formatVerdict({ families, warnings: { warnings } }: PlanView): string {
  const changes = families.flatMap((family) => family.changes);
  const { create, update } = countActions(changes);
  const compared = changes.filter(({ state }) => state === "left").length;
  const pending = [
    ...(create > 0 || update === 0 ? [create === 1 ? "1 entry to create" : `${create} entries to create`] : []),
    ...(update > 0 ? [`${update} to change`] : []),
  ];
  const found = `${pending.join(" and ")} on an empty server${compared > 0 ? `, ${compared} only compared` : ""}`;
  const besides = warnings === 0 ? "" : `, with ${pluralise(warnings, "warning")} that each plan shows`;
  return `The files plan without an error${besides}: ${found}.`;
}
