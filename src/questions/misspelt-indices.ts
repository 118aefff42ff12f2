import { resolveIndexPattern, widenPattern } from "../access/evaluate/coverage.ts";
import { meansAll } from "../access/model/mapped.ts";
import { overlaps } from "../access/patterns/includes.ts";
import type { Message } from "../diagnostics/failure.ts";
import { areNumbered, countEdits, formatSuggestion } from "../diagnostics/suggest.ts";
import type { Semantics } from "../dialects/semantics.ts";
import { isObject, listTexts, listValues } from "../json/value.ts";
import type { DesiredState } from "../model/desired.ts";

/** The index patterns of declared roles, but for those that match every index and those that may match any. */
export function listWrittenPatterns({ resources }: DesiredState, semantics: Semantics): readonly string[] {
  const elements = [...(resources.get("roles")?.values() ?? [])].flatMap(({ value }) => [
    ...listValues(value.index_permissions),
    ...listValues(value.alias_permissions),
    ...listValues(value.data_stream_permissions),
  ]);
  const patterns = elements
    .filter(isObject)
    .flatMap((one) => [one.index_patterns, one.alias_patterns, one.data_stream_patterns].flatMap(listTexts));
  return [...new Set(patterns)].filter((pattern) => {
    const meant = resolveIndexPattern(pattern, semantics, { backendRoles: [] });
    return pattern !== "_all" && meant !== undefined && meansAll(widen(pattern)) === "no";
  });
}

/** What it may match at most, with any value for its variables. */
function widen(pattern: string): string {
  return widenPattern(pattern) ?? (pattern.startsWith("/") && !pattern.includes("${") ? pattern : "*");
}

/** An index, or a pattern of indices, of a test that no role is about, and that is nearly what a role is about. */
export function findMisspeltIndex(index: string, written: readonly string[]): readonly Message[] {
  if (written.some((pattern) => overlaps(widen(pattern), index) !== "no")) return [];
  const meant = written.toSorted().find((pattern) => isNearly(index, widen(pattern)));
  if (meant === undefined) return [];
  return [
    {
      what: `No role is about the index "${index}".${formatSuggestion(meant)}`,
      why: "But for what matches every index, no pattern of a role matches it: the test would check nothing.",
      fix: `Write an index that ${meant} matches, if that is meant.`,
    },
  ];
}

/** Whether they are the same, up to a `*`, but for one part between separators, and there by a slip. */
function isNearly(index: string, pattern: string): boolean {
  const [own, theirs] = [index, pattern].map((text) => text.split(/(?=[-_.])/));
  const slips = (theirs ?? []).flatMap((part, at) => {
    const head = /[*?]/.exec(part)?.index;
    const other = own?.[at] ?? "";
    if (head === undefined) return part === other ? [] : [isSlip(other, part)];
    const literal = part.slice(0, head);
    if (other.startsWith(literal)) return [];
    return [[head - 1, head, head + 1].some((end) => isSlip(other.slice(0, end), literal))];
  });
  const isWhole = /[*?]/.test(pattern) || own?.length === theirs?.length;
  return isWhole && slips.length === 1 && slips[0] === true;
}

/** Shorter names that are near to one another are mostly two, and so are those that differ at an end: `user`, `users`. */
function isSlip(part: string, other: string): boolean {
  const isInside = part[0] === other[0] && part.at(-1) === other.at(-1);
  return (
    isInside && Math.min(part.length, other.length) >= 5 && countEdits(part, other) === 1 && !areNumbered(part, other)
  );
}
