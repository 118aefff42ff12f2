import { type Diagnostic, isError, sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import { locationOf } from "../../diagnostics/source.ts";
import { paint, type Tone } from "../ansi.ts";
import { visible } from "../escape.ts";
import type { Part, Several } from "../fold.ts";
import { foldDiagnostics, placeOf, placesOf } from "../folded-diagnostics.ts";
import { flow, joined, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { plural } from "../words.ts";
import { frameLines } from "./frame.ts";

/** How much was looked at, and what that means for the run: one sentence. */
export interface DiagnosticSummary {
  readonly files: number;
  readonly consequence: string;
}

/**
 * Diagnostics as short letters with their places, sorted, then the count of them all. Of many, what says the same is
 * shown once. No newline at its end.
 */
export function diagnosticsToText(
  diagnostics: readonly Diagnostic[],
  summary: DiagnosticSummary,
  style: Style,
): string {
  const sorted = sortDiagnostics(diagnostics);
  const letters = foldDiagnostics(sorted, style).flatMap((part) => [...partLines(part, style), ""]);
  const files = `in ${plural(summary.files, "file")}.`;
  const last = `${countsOf(sorted)} ${files} ${visible(summary.consequence)}`.trimEnd();
  return joined([...letters, ...wrap(last, style.width).map((line) => paint(line, "strong", style))]);
}

function partLines(part: Part<Diagnostic>, style: Style): readonly string[] {
  switch (part.kind) {
    case "one":
      return letterLines(part.item, style);
    case "alike": {
      const [first, ...others] = part.items;
      const title = others.length === 1 ? "and 1 more place" : `and ${others.length} more places`;
      return [...letterLines(first, style), ...placeLines(title, others, style)];
    }
    case "more":
      return moreLines(part, style);
  }
}

/** Of the same code, with other words. */
function moreLines({ items }: Several<Diagnostic>, style: Style): readonly string[] {
  const [{ code, severity }] = items;
  const tone: Tone = severity === "error" ? "refused" : "changed";
  return [`${items.length} more  ${paint(severity, tone, style)}  ${code}`, ...placeLines("at", items, style)];
}

function placeLines(title: string, letters: readonly Diagnostic[], style: Style): readonly string[] {
  const [first = "", ...rest] = placesOf(letters);
  return flow([`${title}: ${first}`, ...rest], ", ", style.width - 2, 2).map((line) => `  ${line}`);
}

/** One diagnostic: its place, what is written there, and what there is to say of it. */
export function letterLines(diagnostic: Diagnostic, style: Style): readonly string[] {
  const { range, code, severity, what, why, fix, related = [] } = diagnostic;
  const tone: Tone = isError(diagnostic) ? "refused" : "changed";
  return [
    [placeOf(diagnostic), paint(severity, tone, style), code].filter((part) => part !== "").join("  "),
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
