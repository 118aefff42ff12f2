import { type Diagnostic, isError, sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import { formatLocation } from "../../diagnostics/source.ts";
import { maskDiagnostic } from "../../secrets/masked-message.ts";
import { escapeInvisible } from "../escape.ts";
import { flowItems, joinLines, wrap, wrapIndented } from "../layout.ts";
import type { Style } from "../style.ts";
import { formatDiagnosticPlace, formatDiagnosticPlaces, listDiagnosticParts } from "../views/diagnostic-parts.ts";
import type { ListPart } from "../views/list-parts.ts";
import { pluralise } from "../views/words.ts";
import { paint, type Tone } from "./ansi.ts";
import { formatFrameLines } from "./frame.ts";

/** How much was looked at, and what that means for the run: one sentence. */
export interface DiagnosticSummary {
  readonly files: number;
  readonly consequence: string;
}

/**
 * Diagnostics as short messages with their places, sorted, then the count of them all. Of many, equal ones are shown
 * once. No newline at its end.
 */
export function renderDiagnosticsText(
  diagnostics: readonly Diagnostic[],
  summary: DiagnosticSummary,
  style: Style,
): string {
  const sorted = sortDiagnostics(diagnostics);
  const messages = listDiagnosticParts(sorted, style).flatMap((part) => [...partLines(part, style), ""]);
  const files = `in ${pluralise(summary.files, "file")}.`;
  const first = sorted.find(isError) ?? sorted[0];
  const last = `${countsOf(sorted)} ${files} ${escapeInvisible(summary.consequence)}`.trimEnd();
  return joinLines([
    ...messages,
    ...wrap(last, style.width).map((line) => paint(line, "strong", style)),
    ...(first ? [`More: gate-sync explain ${first.code}`] : []),
  ]);
}

function partLines(part: ListPart<Diagnostic>, style: Style): readonly string[] {
  switch (part.kind) {
    case "one":
      return formatDiagnosticLines(part.items[0], style);
    case "alike": {
      const [first, ...others] = part.items;
      const title = others.length === 1 ? "and 1 more place" : `and ${others.length} more places`;
      return [...formatDiagnosticLines(first, style), ...placeLines(title, others, style)];
    }
    case "more":
      return moreLines(part, style);
  }
}

/** Of the same code, with other words. */
function moreLines({ items }: ListPart<Diagnostic>, style: Style): readonly string[] {
  const [{ code, severity }] = items;
  const tone: Tone = severity === "error" ? "refused" : "changed";
  return [`${items.length} more  ${paint(severity, tone, style)}  ${code}`, ...placeLines("at", items, style)];
}

function placeLines(title: string, messages: readonly Diagnostic[], style: Style): readonly string[] {
  const [first = "", ...rest] = formatDiagnosticPlaces(messages);
  return flowItems([`${title}: ${first}`, ...rest], ", ", style.width - 2, 2).map((line) => `  ${line}`);
}

/** One diagnostic: its place, what is written there, and what there is to say of it. */
export function formatDiagnosticLines(diagnostic: Diagnostic, style: Style): readonly string[] {
  const { range, code, severity, what, why, fix, related = [] } = maskDiagnostic(diagnostic);
  const tone: Tone = isError(diagnostic) ? "refused" : "changed";
  return [
    [formatDiagnosticPlace(diagnostic), paint(severity, tone, style), code].filter((part) => part !== "").join("  "),
    ...(range === undefined ? [] : formatFrameLines(range, tone, style)),
    ...[what, why, fix].flatMap((sentence) => sentenceLines(sentence, style)),
    ...related.flatMap((other) => [
      ...sentenceLines(`${formatLocation(other.range)}: ${other.what}`, style),
      ...formatFrameLines(other.range, "faint", style),
    ]),
  ];
}

function sentenceLines(sentence: string | undefined, style: Style): readonly string[] {
  if (sentence === undefined) return [];
  return wrapIndented(escapeInvisible(sentence), 2, style.width);
}

function countsOf(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(isError).length;
  const warnings = diagnostics.length - errors;
  const parts = [
    ...(errors > 0 ? [pluralise(errors, "error")] : []),
    ...(warnings > 0 ? [pluralise(warnings, "warning")] : []),
  ];
  return parts.length === 0 ? "No problems" : parts.join(", ");
}
