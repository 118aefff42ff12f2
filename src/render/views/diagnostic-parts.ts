import { type Diagnostic, getDiagnosticPath, isError } from "../../diagnostics/diagnostic.ts";
import { formatLocation } from "../../diagnostics/source.ts";
import { groupItems } from "../../json/collections.ts";
import { escapeInvisible } from "../escape.ts";
import type { Style } from "../style.ts";
import { type ListPart, listSingly } from "./list-parts.ts";

/** Up to so many messages are shown unfolded. */
const mostWhole = 20;
/** Different messages of one code that are shown; fixing these mostly fixes the rest. */
const mostOfCode = 20;
const mostPlaces = 5;

/**
 * Equal messages are one part, at the place of the first; of many different messages of one code the first are shown
 * and the rest, at the end, only counted (`more`). In a long list all errors come before all warnings, so that no
 * number of warnings hides an error. Each message is in exactly one part.
 *
 * @param sorted as `sortDiagnostics` does
 */
export function listDiagnosticParts(
  sorted: readonly Diagnostic[],
  { full }: Pick<Style, "full">,
): readonly ListPart<Diagnostic>[] {
  if (full || sorted.length <= mostWhole) return listSingly(sorted);
  return [
    ...splitByCode(sorted.filter(isError)),
    ...splitByCode(sorted.filter((userMessage) => !isError(userMessage))),
  ];
}

function splitByCode(messages: readonly Diagnostic[]): readonly ListPart<Diagnostic>[] {
  const groups = groupItems(messages, statesOf);
  const byCode = groupItems(groups, ([{ code }]) => code);
  const shown = new Set(byCode.flatMap((ofCode) => ofCode.slice(0, mostOfCode)));
  return [
    ...groups
      .filter((group) => shown.has(group))
      .map((group) => ({ kind: group.length === 1 ? "one" : "alike", items: group }) as const),
    ...groupItems(groups.filter((group) => !shown.has(group)).flat(), ({ code }) => code).map(
      (left) => ({ kind: "more", items: left }) as const,
    ),
  ];
}

function statesOf({ code, what, why, fix, related = [] }: Diagnostic): string {
  return JSON.stringify([code, what, why, fix, related.map((other) => other.what)]);
}

/** Some of the places, and how many are left out. */
export function formatDiagnosticPlaces(diagnostics: readonly Diagnostic[]): readonly string[] {
  const shown = diagnostics.length <= mostPlaces ? diagnostics : diagnostics.slice(0, mostPlaces - 1);
  const left = diagnostics.length - shown.length;
  return [...shown.map(formatDiagnosticPlace), ...(left === 0 ? [] : [`... ${left} more (--full)`])];
}

export function formatDiagnosticPlace(diagnostic: Diagnostic): string {
  const { range } = diagnostic;
  return escapeInvisible(range === undefined ? getDiagnosticPath(diagnostic) : formatLocation(range));
}
