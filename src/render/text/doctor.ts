import { joinLines, padEnd, wrapLabelled } from "../layout.ts";
import type { Style } from "../style.ts";
import type { DoctorView } from "../views/doctor.ts";
import { paint } from "./ansi.ts";
import { formatNoteLines } from "./plan.ts";

const labelColumn = 11;

/** A few lines for each question, each question at the start of its line. No newline at the end. */
export function renderDoctorText({ name, url, findings, notes, conclusion }: DoctorView, style: Style): string {
  return joinLines([
    `${paint(name, "strong", style)}  ${url}`,
    "",
    ...findings.flatMap(({ label, sentences }) =>
      sentences.flatMap((sentence, at) => {
        const lead = at === 0 ? paint(padEnd(label, labelColumn), "faint", style) : "";
        return wrapLabelled(lead, sentence, labelColumn, style.width);
      }),
    ),
    ...formatNoteLines(notes, style),
    "",
    paint(conclusion, "strong", style),
  ]);
}
