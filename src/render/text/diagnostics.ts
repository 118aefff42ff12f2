import { type Diagnostic, isError, sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import { locationOf } from "../../diagnostics/source.ts";
import { paint, type Tone } from "../ansi.ts";
import { visible } from "../escape.ts";
import { joined, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { plural } from "../words.ts";
import { frameLines } from "./frame.ts";

/** How much was looked at, and what that means for the run: one sentence. */
export interface DiagnosticSummary {
  readonly files: number;
  readonly consequence: string;
}

/** Every diagnostic as a short letter with its place, sorted, then the count of them. No newline at its end. */
export function diagnosticsToText(
  diagnostics: readonly Diagnostic[],
  summary: DiagnosticSummary,
  style: Style,
): string {
  const sorted = sortDiagnostics(diagnostics);
  const letters = sorted.flatMap((diagnostic) => [...letterLines(diagnostic, style), ""]);
  const files = `in ${plural(summary.files, "file")}.`;
  const last = `${countsOf(sorted)} ${files} ${visible(summary.consequence)}`.trimEnd();
  return joined([...letters, ...wrap(last, style.width).map((line) => paint(line, "strong", style))]);
}

/** One diagnostic: its place, what is written there, and what there is to say of it. */
export function letterLines(diagnostic: Diagnostic, style: Style): readonly string[] {
  const { range, code, severity, what, why, fix, related = [] } = diagnostic;
  const tone: Tone = isError(diagnostic) ? "refused" : "changed";
  const place = visible(range === undefined ? (diagnostic.path ?? "") : locationOf(range));
  return [
    [place, paint(severity, tone, style), code].filter((part) => part !== "").join("  "),
    ...(range === undefined ? [] : frameLines(range, tone, style)),
    ...[what, why, fix].flatMap((sentence) => sentenceLines(sentence, style)),
    ...related.flatMap((other) => [
      ...sentenceLines(`${locationOf(other.range)}: ${other.what}`, style),
      ...frameLines(other.range, "faint", style),
    ]),
  ];
}

function sentenceLines(sentence: string | undefined, style: Style): readonly string[] {
  if (sentence === undefined) return [];
  return wrap(visible(sentence), style.width - 2).map((line) => `  ${line}`);
}

function countsOf(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(isError).length;
  const warnings = diagnostics.length - errors;
  const parts = [
    ...(errors > 0 ? [plural(errors, "error")] : []),
    ...(warnings > 0 ? [plural(warnings, "warning")] : []),
  ];
  return parts.length === 0 ? "No problems" : parts.join(", ");
}
