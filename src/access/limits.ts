import type { Limits, Query } from "../model/access.ts";
import { coversIndex, type IndexName } from "./coverage.ts";
import { type Holding, holdingCondition } from "./holders.ts";
import { type Held, heldRules, perhapsHeld } from "./judge.ts";
import { maskFaults, unsureMasks } from "./masks.ts";
import type { AccessModel } from "./model.ts";
import { type Place, placesOf, restrictionPattern } from "./places.ts";
import { type IndexRule, isRestricting, type Restriction } from "./roles.ts";
import type { Subject } from "./subject.ts";
import { type Condition, conditionOf, ifAny, outcomesOf, type Verdict, verdictOf } from "./verdict.ts";

/** An element of a role that covers the index, or may. */
export interface Covering {
  readonly role: string;
  /** `yes` or `unknown`. */
  readonly verdict: Verdict;
  readonly restricts: Restriction;
  /** By what the server finds the restriction, and on what condition; never none. */
  readonly by: readonly Place[];
}

export function limitsOn(model: AccessModel, subject: Subject, index: IndexName): Limits {
  return limitsBy(coveringRules(model, subject, index), model);
}

/** What certainly restricts, all of it; `unsure` has the roles by which it may be more, less, or not all of that. */
export function limitsBy(covering: readonly Covering[], model: AccessModel): Limits {
  const found = certainlyBy(covering, model);
  const only = found.unsure.length > 0 && !masksAreUnsure(covering) ? onlyLimits(covering, model) : undefined;
  return only ?? found;
}

/** What is seen whatever holds of what is unknown; undefined where that is not the same. */
function onlyLimits(covering: readonly Covering[], model: AccessModel): Limits | undefined {
  const conditions = covering.flatMap(({ by }) => by.map(({ when }) => when));
  const found = outcomesOf(conditions, (holds) =>
    possibleLimits(covering, model, holds).map((limits) => JSON.stringify(limits)),
  );
  const [only] = found ?? [];
  return found?.size === 1 && only !== undefined ? (JSON.parse(only) as Limits) : undefined;
}

function certainlyBy(covering: readonly Covering[], model: AccessModel): Limits {
  const lifts = liftsLimits(model);
  const sure = limitsFrom(
    sourcesIn(
      covering.filter(({ verdict }) => verdict === "yes"),
      lifts,
    ),
  );
  const unsure = unique([
    ...covering
      .filter(({ verdict, restricts }) => verdict === "unknown" && (isRestricting(restricts) || lifts))
      .map(({ role }) => role),
    ...(model.state.judging.restrictsByOnePattern ? rivals(sourcesIn(covering, false)) : []),
    ...unsureMasks(covering),
  ]);
  const isDoubtful = unsure.length > 0 && (lifts || sure.restricted === "no");
  return {
    ...sure,
    unsure,
    ...(isDoubtful && { restricted: "unknown" }),
    ...maskFaults(covering, model.state.judging),
  };
}

/**
 * All that may be left of an index to be seen, where it is known which conditions hold: several where the server takes
 * the restrictions of one pattern, and nobody knows of which.
 */
export function possibleLimits(
  covering: readonly Covering[],
  model: AccessModel,
  holds: (condition: Condition) => boolean,
): readonly Limits[] {
  const there = covering.flatMap(({ by, ...one }): readonly Covering[] => {
    const found = by.filter(({ when }) => holds(when));
    return found.length > 0 ? [{ ...one, by: found }] : [];
  });
  const sources = sourcesIn(there, liftsLimits(model));
  if (!model.state.judging.restrictsByOnePattern) return [limitsFrom(sources)];
  return choicesOf(sources.queries, ({ key }) => key).flatMap((queries) =>
    choicesOf(sources.lists, String).flatMap((lists) =>
      choicesOf(sources.masks, String).map((masks) => limitsFrom({ queries, lists, masks })),
    ),
  );
}

/** Whether not all of what restricts applies, and nobody knows what of it does. */
export function hasRivals(covering: readonly Covering[], { state }: AccessModel): boolean {
  return state.judging.restrictsByOnePattern && rivals(sourcesIn(covering, false)).length > 0;
}

/** Whether nobody knows which fields are masked, or how. */
export function masksAreUnsure(covering: readonly Covering[]): boolean {
  return unsureMasks(covering).length > 0;
}

/** There an element without a restriction lifts that of another, so that whatever covers an index counts. */
export function liftsLimits({ state: { judging, settings } }: AccessModel): boolean {
  return settings.emptyLifts ?? judging.emptyLifts;
}

/** By what each kind of restriction comes about. */
interface Sources {
  readonly queries: readonly Source<Query>[];
  readonly lists: readonly Source<string>[];
  readonly masks: readonly Source<string>[];
}

interface Source<T> {
  readonly role: string;
  readonly keys: readonly string[];
  /** Never none. */
  readonly values: readonly T[];
}

function sourcesIn(covering: readonly Covering[], lifts: boolean): Sources {
  const sources = <T>(of: (one: Restriction) => readonly T[]): readonly Source<T>[] => {
    const all = covering.map(({ role, by, restricts }) => ({
      role,
      keys: by.map(({ key }) => key),
      values: of(restricts),
    }));
    const found = all.filter(({ values }) => values.length > 0);
    return lifts && found.length < all.length ? [] : found;
  };
  return {
    queries: sources(({ dls }) => (dls ? [dls] : [])),
    lists: sources(({ fls }) => fls),
    masks: sources(({ masks }) => masks),
  };
}

function limitsFrom(sources: Sources): Omit<Limits, "restricted"> & { readonly restricted: "yes" | "no" } {
  const valuesOf = <T>(some: readonly Source<T>[]): readonly T[] => some.flatMap(({ values }) => values);
  const [queries, lists, masks] = [valuesOf(sources.queries), valuesOf(sources.lists), valuesOf(sources.masks)];
  const not = lists.filter((field) => /^[~!]/.test(field)).map((field) => field.slice(1));
  const sees = queries.length === 0 || queries.some(({ key }) => key === '{"match_all":{}}');
  return {
    ...(!sees && { documents: uniqueQueries(queries) }),
    fields: {
      // One exclude anywhere, and nothing that is included counts.
      ...(not.length === 0 && lists.length > 0 && { only: unique(lists) }),
      not: unique(not),
      masks: unique(masks),
    },
    restricted: queries.length + lists.length + masks.length > 0 ? "yes" : "no",
    unsure: [],
  };
}

/** Of restrictions under different keys those of one key alone apply: each that it may come to, once. */
function choicesOf<T>(sources: readonly Source<T>[], textOf: (value: T) => string): readonly (readonly Source<T>[])[] {
  const keys = unique(sources.flatMap((one) => one.keys));
  const choices = keys.map((key) => sources.filter((one) => one.keys.includes(key)));
  const texts = (some: readonly Source<T>[]) => unique(some.flatMap(({ values }) => values.map(textOf)));
  const byText = new Map(choices.map((some) => [JSON.stringify(texts(some)), some]));
  return byText.size === 0 ? [[]] : [...byText.values()];
}

/** Roles with restrictions of one kind of which not all apply. */
function rivals({ queries, lists, masks }: Sources): readonly string[] {
  const rolesOf = <T>(some: readonly Source<T>[], textOf: (value: T) => string): readonly string[] =>
    choicesOf(some, textOf).length > 1 ? some.map(({ role }) => role) : [];
  return [...rolesOf(queries, ({ key }) => key), ...rolesOf(lists, String), ...rolesOf(masks, String)];
}

/** An element of a role that somebody holds and that covers an index, or may, by one or more of its patterns. */
export interface CoveringElement {
  readonly holding: Holding;
  readonly rule: IndexRule;
  /** `yes` or `unknown`. */
  readonly verdict: Verdict;
  readonly by: readonly string[];
  readonly places: readonly Place[];
}

export function coveringElements(model: AccessModel, subject: Subject, index: IndexName): readonly CoveringElement[] {
  return elementsCovering(heldRules(model, subject), model, subject, index);
}

function elementsCovering(
  held: readonly Held[],
  model: AccessModel,
  subject: Subject,
  index: IndexName,
): readonly CoveringElement[] {
  return held.flatMap(({ holding, rules }) =>
    rules.index.flatMap((rule) => {
      const met = rule.patterns.map((pattern) => {
        return { pattern, verdict: coversIndex(restrictionPattern(pattern), index, model.state.judging, subject) };
      });
      const by = met.filter(({ verdict }) => verdict !== "no").map(({ pattern }) => pattern);
      if (by.length === 0) return [];
      const places = placesOf(conditionsOfElement(holding, rule), met, model.state.judging, subject, index);
      return [{ holding, rule, verdict: verdictOf(ifAny(places.map(({ when }) => when))), by, places }];
    }),
  );
}

function coveringRules(model: AccessModel, subject: Subject, index: IndexName): readonly Covering[] {
  const held = [...heldRules(model, subject), ...perhapsHeld(model, subject)];
  return elementsCovering(held, model, subject, index).map(({ holding, rule, verdict, places }) => ({
    role: holding.role,
    verdict,
    restricts: rule.restricts,
    by: places,
  }));
}

/** What has to hold besides that a pattern matches the index: somebody has the role, and whatever the element hinges on. */
export function conditionsOfElement(
  holding: Holding,
  { hinges, types, patterns }: Pick<IndexRule, "hinges" | "types" | "patterns">,
): readonly Condition[] {
  return [
    holdingCondition(holding),
    conditionOf(hinges ? "unknown" : "yes", () => JSON.stringify([hinges, types ?? patterns])),
  ];
}

function uniqueQueries(queries: readonly Query[]): readonly Query[] {
  return [...new Map(queries.map((query) => [query.key, query])).values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}
