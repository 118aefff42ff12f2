import type { FoundProblem } from "../../engine/editor/check-project.ts";
import type { QuickFix } from "../../engine/editor/quick-fixes.ts";
import { escapeInvisible } from "../../render/escape.ts";
import { createDiagnosticView } from "../../render/views/diagnostics.ts";
import { convertToRange } from "./places.ts";
import type { CodeAction, ShownDiagnostic } from "./protocol.ts";

/** @param uri of the file that it is about */
export function showQuickFix(
  { title, diagnostic, edit, isOnlyAnswer }: QuickFix,
  uri: string,
  show: (problem: FoundProblem) => ShownDiagnostic,
): CodeAction {
  const { fix } = createDiagnosticView(diagnostic).diagnostic;
  const place = diagnostic.range && { ...diagnostic.range, start: edit.start, end: edit.end };
  return {
    title: escapeInvisible(isOnlyAnswer ? (fix ?? title) : title),
    kind: "quickfix",
    diagnostics: [show({ diagnostic })],
    isPreferred: true,
    ...(place && { edit: { changes: { [uri]: [{ range: convertToRange(place), newText: edit.text }] } } }),
  };
}
