// By what a server finds the restriction of an element, and when an alias takes its place.
import type { Judging } from "../dialects/judging.ts";
import { dataStreamOf, everything, type IndexName, patternCondition, resolved } from "./coverage.ts";
import { matchesOneName } from "./patterns/breadth.ts";
import { meets } from "./patterns/meets.ts";
import type { Subject } from "./subject.ts";
import { type Condition, fact, ifAll, ifAny, ifNot, type Verdict } from "./verdict.ts";

export interface Place {
  /** Patterns that the server does not resolve stay as they are. */
  readonly key: string;
  readonly when: Condition;
}

/** By which of the patterns of an element the index is covered, or may be: once for each key. */
export function placesOf(
  others: readonly Condition[],
  met: readonly { readonly pattern: string; readonly verdict: Verdict }[],
  judging: Judging,
  subject: Subject,
  index?: IndexName,
): readonly Place[] {
  const byKey = new Map<string, Condition[]>();
  const add = (key: string, when: Condition): void => {
    const same = byKey.get(key);
    if (same) same.push(when);
    else byKey.set(key, [when]);
  };
  for (const { pattern, verdict } of met) {
    if (verdict === "no") continue;
    const key = restrictionKey(restrictionPattern(pattern), judging, subject);
    const isShown = index && mayShowHidden(pattern, index, judging, subject);
    const found = patternCondition(pattern, verdict);
    const when = isShown ? ifAll([found, fact(JSON.stringify(["is not hidden", index.name]))]) : found;
    if (!mayBeDropped(key, judging)) add(key, when);
    else {
      const named = fact(JSON.stringify(["an alias is named by", key]));
      add(key, ifAll([when, ifNot(named)]));
      // The server then takes the names of the indices behind such aliases instead of the pattern.
      add("", ifAll([when, named, fact(JSON.stringify(["an alias leads there by", key]))]));
    }
  }
  return [...byKey.keys()].sort().map((key) => ({ key, when: ifAll([...others, ifAny(byKey.get(key) ?? [])]) }));
}

/** `_all` grants nothing on OpenSearch, and restricts all the same. */
export function restrictionPattern(pattern: string): string {
  return pattern === "_all" ? everything : pattern;
}

/** The same for all patterns that the server resolves to the names of indices. */
function restrictionKey(pattern: string, judging: Judging, subject: Subject): string {
  const meant = resolved(pattern, judging, subject);
  const text = typeof meant === "string" ? meant : pattern;
  return !text.includes("?") && !/^\/.*\/$/s.test(text) ? "" : text;
}

/**
 * Whether a restriction does not apply to an index if that is hidden. Only of names that begin with a dot this is likely:
 * all others are taken for indices that are not hidden.
 */
export function mayShowHidden(pattern: string, { name }: IndexName, judging: Judging, subject: Subject): boolean {
  if (!judging.showsHiddenIndices || !name.startsWith(".")) return false;
  const meant = resolved(restrictionPattern(pattern), judging, subject);
  const text = typeof meant === "string" ? meant : pattern;
  if (restrictionKey(text, judging, subject) !== "" || !text.includes("*") || text.startsWith(".")) return false;
  return dataStreamOf(name, judging).every((stream) => meets(text, stream) !== "yes");
}

/** Whether a restriction that the server finds by a key may not apply, as an alias has a name that the pattern matches. */
function mayBeDropped(key: string, { aliasesDropRestrictions }: Judging): boolean {
  return aliasesDropRestrictions && key !== "" && !matchesOneName(key);
}

/** The first pattern by which a restriction of an element may not apply to what it matches, because of an alias. */
export function patternDroppedByAliases(
  patterns: readonly string[],
  judging: Judging,
  subject: Subject,
): string | undefined {
  return patterns.find((pattern) =>
    mayBeDropped(restrictionKey(restrictionPattern(pattern), judging, subject), judging),
  );
}
