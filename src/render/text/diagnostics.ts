import type { Severity } from "../../diagnostics/catalogue.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { flowItems, joinLines, wrap, wrapIndented } from "../layout.ts";
import type { Style } from "../style.ts";
import { formatDiagnosticPlaces, listDiagnosticParts } from "../views/diagnostic-parts.ts";
import { createDiagnosticView, type DiagnosticsView } from "../views/diagnostics.ts";
import type { ListPart } from "../views/list-parts.ts";
import { paint, type Tone } from "./ansi.ts";
import { formatFrameLines } from "./frame.ts";

/**
 * Diagnostics as short messages with their places, then the count of them all. Of many, equal ones are shown once. No
 * newline at its end.
 */
export function renderDiagnosticsText(view: DiagnosticsView, style: Style): string {
  const { diagnostics, summary, firstCode } = view;
  const cut = style.full || style.verbose ? undefined : view.cut;
  const rest = cut ? wrap(cut.rest, style.width, 2) : [];
  if (cut?.shown.length === 0) return joinLines(rest);
  return joinLines([
    ...listDiagnosticParts(cut?.shown ?? diagnostics, style).flatMap((part) => [...partLines(part, style), ""]),
    ...rest,
    ...wrap(summary, style.width).map((line) => paint(line, "strong", style)),
    ...(firstCode === "" ? [] : [`More: gate-sync explain ${firstCode}`]),
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

const tones: Readonly<Record<Severity, Tone>> = { error: "refused", warning: "changed" };

/** Of the same code, with other words. */
function moreLines({ items }: ListPart<Diagnostic>, style: Style): readonly string[] {
  const [{ code, severity }] = items;
  const title = `${items.length} more  ${paint(severity, tones[severity], style)}  ${code}`;
  return [title, ...placeLines("at", items, style)];
}

function placeLines(title: string, diagnostics: readonly Diagnostic[], style: Style): readonly string[] {
  const [first = "", ...rest] = formatDiagnosticPlaces(diagnostics);
  return flowItems([`${title}: ${first}`, ...rest], ", ", style.width - 2, 2).map((line) => `  ${line}`);
}

/** One diagnostic: its place, what is written there, and what there is to say of it. */
export function formatDiagnosticLines(diagnostic: Diagnostic, style: Style): readonly string[] {
  const { place, range, code, severity, sentences, related } = createDiagnosticView(diagnostic);
  const tone = tones[severity];
  const say = (sentence: string) => wrapIndented(sentence, 2, style.width);
  return [
    [place, paint(severity, tone, style), code].filter((part) => part !== "").join("  "),
    ...(range === undefined ? [] : formatFrameLines(range, tone, style)),
    ...sentences.flatMap(say),
    ...related.flatMap((other) => [...say(other.sentence), ...formatFrameLines(other.range, "faint", style)]),
  ];
}
