// By what a server finds the restriction of an element, and when an alias takes its place.

import { getDataStream, type Semantics } from "../../dialects/semantics.ts";
import { compareByCodeUnit } from "../../json/canonical.ts";
import { groupItems } from "../../json/collections.ts";
import type { Subject } from "../model/subject.ts";
import { isDateMath } from "../patterns/date-math.ts";
import { matchesPattern } from "../patterns/matches.ts";
import { matchesOneName } from "../patterns/written-names.ts";
import {
  type Condition,
  combineAny,
  createFact,
  joinAll,
  joinAny,
  negateCondition,
  toCondition,
  toVerdict,
  type Verdict,
} from "../verdict.ts";
import { everything, getPatternCondition, type IndexName, listOtherNames, resolveVariables } from "./coverage.ts";

export interface CoveringPlace {
  /** What the server finds it by: the pattern, or `""` for every pattern that it resolves to names of indices. */
  readonly key: string;
  readonly when: Condition;
}

/** By which of the patterns of an element the index is covered, or may be: once for each key. */
export function findCoveringPlaces(
  others: readonly Condition[],
  matched: readonly { readonly pattern: string; readonly verdict: Verdict }[],
  semantics: Semantics,
  subject: Subject,
  index?: IndexName,
  otherNames: readonly string[] = index ? listOtherNames(index.name, semantics) : [],
): readonly CoveringPlace[] {
  const places = matched.flatMap(({ pattern, verdict }): readonly CoveringPlace[] => {
    if (verdict === "no") return [];
    const key = getRestrictionKey(getRestrictionPattern(pattern, semantics), semantics, subject);
    const isShown = index && mayShowHidden(pattern, index, semantics, subject);
    const found = getPatternCondition(pattern, verdict);
    const when = isShown ? joinAll([found, createFact(JSON.stringify(["is not hidden", index.name]))]) : found;
    const split = findSplitText(pattern, semantics, subject);
    if (split !== undefined) return listSplitPlaces({ key, when }, split, otherNames);
    const named = getDroppedCondition(key, semantics);
    if (named === "no") return [{ key, when }];
    const leads = getNamedCondition("an alias leads there by", key, semantics.aliases && otherNames);
    return [
      { key, when: joinAll([when, negateCondition(named)]) },
      // The server then takes the names of the indices behind such aliases instead of the pattern.
      { key: "", when: joinAll([when, named, leads]) },
    ].filter((place) => place.when !== "no");
  });
  return groupItems(places, ({ key }) => key)
    .map((some) => ({ key: some[0].key, when: joinAll([...others, joinAny(some.map(({ when }) => when))]) }))
    .sort((a, b) => compareByCodeUnit(a.key, b.key));
}

/** `_all` grants nothing on OpenSearch, and before 3.0 it restricts all the same. */
export function getRestrictionPattern(pattern: string, { allRestricts }: Semantics): string {
  return pattern === "_all" && allRestricts ? everything : pattern;
}

/** The same for all patterns that the server resolves to the names of indices; where that is done for each role, `*` is apart. */
function getRestrictionKey(pattern: string, semantics: Semantics, subject: Subject): string {
  if (semantics.oneOfRoleRestricts) return pattern === everything || isResolvedLater(pattern) ? pattern : "";
  const meant = resolveVariables(pattern, semantics, subject);
  const text = typeof meant === "string" ? meant : pattern;
  return !text.includes("?") && !/^\/.*\/$/s.test(text) ? "" : text;
}

/** When a request is made, as it depends on who makes it, and when. */
function isResolvedLater(pattern: string): boolean {
  return pattern.includes("${") || isDateMath(pattern);
}

/**
 * Whether a restriction does not apply to an index if that is hidden. Only of names that begin with a dot this is
 * likely: all others are taken for indices that are not hidden.
 */
export function mayShowHidden(pattern: string, { name }: IndexName, semantics: Semantics, subject: Subject): boolean {
  if (!semantics.showsHiddenIndices || !name.startsWith(".")) return false;
  const meant = resolveVariables(getRestrictionPattern(pattern, semantics), semantics, subject);
  const text = typeof meant === "string" ? meant : pattern;
  if (getRestrictionKey(text, semantics, subject) !== "" || !text.includes("*") || text.startsWith(".")) return false;
  const stream = getDataStream(name);
  return stream === undefined || matchesPattern(text, stream) !== "yes";
}

/** The names because of which restrictions may apply to an index alone, of all that a pattern matches. */
export function listDroppingNames(index: string | undefined, semantics: Semantics): readonly string[] {
  const { aliasesDropRestrictions, aliasesSplitRestrictions } = semantics;
  if (index === undefined || !(aliasesDropRestrictions || aliasesSplitRestrictions)) return [];
  return listOtherNames(index, semantics);
}

/** Whether restrictions by a pattern hold otherwise for indices to which aliases of such names lead. */
export function decideByAlias(
  text: string,
  {
    aliasesDropRestrictions,
    aliasesSplitRestrictions,
  }: Pick<Semantics, "aliasesDropRestrictions" | "aliasesSplitRestrictions">,
): boolean {
  const isSingled = /\?|^\/.*\/$/s.test(text);
  return aliasesDropRestrictions ? isSingled : aliasesSplitRestrictions && (isSingled || text.includes("*"));
}

/** The aliases that lead to indices which a restriction by this pattern holds for otherwise than for others. */
export function listDecidingAliases(text: string, semantics: Semantics): readonly string[] {
  if (!semantics.aliases || !decideByAlias(text, semantics)) return [];
  return [...semantics.aliases.members.keys()].filter((name) => matchesPattern(text, name) !== "no");
}

/** What a pattern means, where the product splits it and some alias has a name that it matches. */
function findSplitText(pattern: string, semantics: Semantics, subject: Subject): string | undefined {
  if (!semantics.aliases || !semantics.aliasesSplitRestrictions) return undefined;
  const meant = resolveVariables(pattern, semantics, subject);
  return typeof meant === "string" && listDecidingAliases(meant, semantics).length > 0 ? meant : undefined;
}

/** By the name of the index where such an alias leads to it, and by the pattern as it is written. */
function listSplitPlaces(
  { key, when }: CoveringPlace,
  text: string,
  names: readonly string[],
): readonly CoveringPlace[] {
  const written = { key: key === "" ? text : key, when };
  if (!names.some((name) => matchesPattern(text, name) !== "no")) return [written];
  return [{ key: "", when }, ...(key === "" ? [] : [written])];
}

/** When a restriction with this key does not apply to all that the pattern matches, as an alias has such a name. */
function getDroppedCondition(key: string, { aliasesDropRestrictions, aliases }: Semantics): Condition {
  if (!aliasesDropRestrictions || key === "" || matchesOneName(key)) return "no";
  return getNamedCondition(
    "an alias is named by",
    key,
    aliases && [...aliases.members.keys(), ...aliases.streams.keys()],
  );
}

/** @param names undefined: they are not known */
function getNamedCondition(fact: string, key: string, names: readonly string[] | undefined): Condition {
  const isKnown = names !== undefined && !key.includes("${");
  const verdict = isKnown ? combineAny(names.map((name) => matchesPattern(key, name))) : "unknown";
  return toCondition(verdict, () => JSON.stringify([fact, key]));
}

/** The first pattern of which it is unknown whether a restriction by it applies to what it matches, because of an alias. */
export function findPatternDroppedByAliases(
  patterns: readonly string[],
  semantics: Semantics,
  subject: Subject,
): string | undefined {
  return patterns.find((pattern) => {
    const key = getRestrictionKey(getRestrictionPattern(pattern, semantics), semantics, subject);
    return toVerdict(getDroppedCondition(key, semantics)) === "unknown";
  });
}
