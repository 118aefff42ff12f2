import type { Semantics } from "../../dialects/semantics.ts";
import { groupItems } from "../../json/collections.ts";
import type { Limits, Query } from "../../model/access.ts";
import type { AccessModel } from "../model/access-model.ts";
import { getHoldingCondition, type Holding } from "../model/holders.ts";
import { type IndexRule, isRestricting, type Restriction } from "../model/roles.ts";
import type { Subject } from "../model/subject.ts";
import { type Condition, combineAny, joinAny, listOutcomes, toCondition, toVerdict, type Verdict } from "../verdict.ts";
import { coversIndex, type IndexName } from "./coverage.ts";
import { type CoveringPlace, findCoveringPlaces, getRestrictionPattern } from "./covering-places.ts";
import { findMaskFaults, findUnknownMasks } from "./masks.ts";
import { type HeldRole, listHeldRules, listPerhapsHeld } from "./permission.ts";

/** An element of a role that covers the index, or may. */
export interface CoveredLimits {
  readonly role: string;
  /** `yes` or `unknown`. */
  readonly verdict: Verdict;
  readonly restricts: Restriction;
  /** By what the server finds the restriction, and on what condition; never none. */
  readonly by: readonly CoveringPlace[];
}

export function findLimits(model: AccessModel, subject: Subject, index: IndexName): Limits {
  return findCertainLimits(listCoveringLimits(model, subject, index), model);
}

/** What certainly restricts, all of it; `unsure` has the roles by which it may be more, less, or not all of that. */
export function findCertainLimits(covering: readonly CoveredLimits[], model: AccessModel): Limits {
  const found = findSureLimits(covering, model);
  const only =
    found.unsure.length > 0 && !areMasksUnknown(covering, model) ? findOnlyLimits(covering, model) : undefined;
  return only ?? found;
}

/** What is seen in every case that the unknown leaves open; undefined where the cases differ. */
function findOnlyLimits(covering: readonly CoveredLimits[], model: AccessModel): Limits | undefined {
  const conditions = covering.flatMap(({ by }) => by.map(({ when }) => when));
  const found = listOutcomes(conditions, (holds) =>
    listPossibleLimits(covering, model, holds).map((limits) => JSON.stringify(limits)),
  );
  const [only] = found ?? [];
  return found?.size === 1 && only !== undefined ? (JSON.parse(only) as Limits) : undefined;
}

function findSureLimits(covering: readonly CoveredLimits[], model: AccessModel): Limits {
  const removes = removesLimits(model);
  const { semantics } = model.state;
  const sure = combineLimits(
    collectSources(
      covering.filter(({ verdict }) => verdict === "yes"),
      removes,
    ),
    semantics,
  );
  const unsure = sortUnique([
    ...covering
      .filter(({ verdict, restricts }) => verdict === "unknown" && (isRestricting(restricts) || removes))
      .map(({ role }) => role),
    ...listRivalRoles(collectSources(covering, false), semantics),
    ...findUnknownMasks(covering, semantics),
  ]);
  const isDoubtful = unsure.length > 0 && (removes || sure.restricted === "no");
  return {
    ...sure,
    unsure,
    ...(isDoubtful && { restricted: "unknown" }),
    ...findMaskFaults(covering, semantics),
  };
}

/**
 * All sets of limits that may apply to an index, given which conditions hold: several where the server applies the
 * restrictions of one pattern only, or one of a role, and it is unknown which.
 */
export function listPossibleLimits(
  covering: readonly CoveredLimits[],
  model: AccessModel,
  holds: (condition: Condition) => boolean,
): readonly Limits[] {
  const there = covering.flatMap(({ by, ...one }): readonly CoveredLimits[] => {
    const found = by.filter(({ when }) => holds(when));
    return found.length > 0 ? [{ ...one, by: found }] : [];
  });
  const { semantics } = model.state;
  const sources = collectSources(there, removesLimits(model));
  return listChoices(sources.queries, ({ key }) => key, semantics).flatMap((queries) =>
    listChoices(sources.lists, String, semantics).flatMap((lists) =>
      listChoices(sources.masks, String, semantics).map((masks) => combineLimits({ queries, lists, masks }, semantics)),
    ),
  );
}

/** Whether only some of the restrictions apply, and it is unknown which. */
export function hasRivals(covering: readonly CoveredLimits[], { state: { semantics } }: AccessModel): boolean {
  return listRivalRoles(collectSources(covering, false), semantics).length > 0;
}

/** Whether one such restriction may apply instead of another, which may depend on all that covers the index, in its order. */
export function mayHaveRivals(restricts: Restriction, { state }: AccessModel): boolean {
  return restricts.masks.length > 0 || (state.semantics.restrictsByOnePattern && isRestricting(restricts));
}

/** Whether it is unknown which fields are hidden or masked, or how. */
export function areMasksUnknown(covering: readonly CoveredLimits[], { state }: AccessModel): boolean {
  return findUnknownMasks(covering, state.semantics).length > 0;
}

/**
 * Whether an element without a restriction removes the restrictions of others: then everything that covers an index
 * counts.
 */
export function removesLimits({ state: { semantics, settings } }: AccessModel): boolean {
  return settings.emptyRemoves ?? semantics.emptyRemoves;
}

/** The elements that restrict documents, fields, and the values of fields. */
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

function collectSources(covering: readonly CoveredLimits[], removes: boolean): Sources {
  const sources = <T>(of: (one: Restriction) => readonly T[]): readonly Source<T>[] => {
    const all = covering.map(({ role, by, restricts }) => ({
      role,
      keys: by.map(({ key }) => key),
      values: of(restricts),
    }));
    const found = all.filter(({ values }) => values.length > 0);
    return removes && found.length < all.length ? [] : found;
  };
  return {
    queries: sources(({ dls }) => (dls ? [dls] : [])),
    lists: sources(({ fls }) => fls),
    masks: sources(({ masks }) => masks),
  };
}

function combineLimits(
  sources: Sources,
  { fieldPatterns }: Semantics,
): Omit<Limits, "restricted"> & { readonly restricted: "yes" | "no" } {
  const valuesOf = <T>(some: readonly Source<T>[]): readonly T[] => some.flatMap(({ values }) => values);
  const [queries, lists, masks] = [valuesOf(sources.queries), valuesOf(sources.lists), valuesOf(sources.masks)];
  const not = lists.filter((field) => /^[~!]/.test(field)).map((field) => field.slice(1));
  const sees = queries.length === 0 || queries.some(({ key }) => key === '{"match_all":{}}');
  return {
    ...(!sees && { documents: uniteQueries(queries) }),
    fields: {
      // One exclude anywhere, and nothing that is included counts.
      ...(not.length === 0 && lists.length > 0 && { only: sortUnique(lists) }),
      not: sortUnique(not),
      masks: sortUnique(masks),
      ...(fieldPatterns && lists.length > 0 && { arePatterns: true }),
    },
    restricted: queries.length + lists.length + masks.length > 0 ? "yes" : "no",
    unsure: [],
  };
}

/** Each choice of restrictions that a server may make, once. */
function listChoices<T>(
  sources: readonly Source<T>[],
  textOf: (value: T) => string,
  { restrictsByOnePattern, oneOfRoleRestricts }: Semantics,
): readonly (readonly Source<T>[])[] {
  const keys = sortUnique(sources.flatMap((one) => one.keys));
  const ofKey = (some: readonly Source<T>[], key: string) => some.filter((one) => one.keys.includes(key));
  const rivals = oneOfRoleRestricts
    ? groupItems(sources, ({ role }) => role).flatMap((some) => keys.map((key) => ofKey(some, key)))
    : [];
  const choices = restrictsByOnePattern
    ? keys.map((key) => ofKey(sources, key))
    : oneOfRoleRestricts
      ? chooseOneOfEach(rivals)
      : [sources];
  const texts = (some: readonly Source<T>[]) => sortUnique(some.flatMap(({ values }) => values.map(textOf)));
  const byText = new Map(choices.map((some) => [JSON.stringify(texts(some)), some]));
  return byText.size === 0 ? [[]] : [...byText.values()];
}

/** Of each list one; of what may be chosen in very many ways, some. */
function chooseOneOfEach<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return lists
    .filter((list) => list.length > 0)
    .reduce<readonly (readonly T[])[]>(
      (chosen, list) => chosen.flatMap((some) => list.map((one) => [...some, one])).slice(0, mostChoices),
      [[]],
    );
}

const mostChoices = 1000;

/** Roles with restrictions of one kind of which not all apply. */
function listRivalRoles({ queries, lists, masks }: Sources, semantics: Semantics): readonly string[] {
  const rolesOf = <T>(some: readonly Source<T>[], textOf: (value: T) => string): readonly string[] => {
    if (listChoices(some, textOf, semantics).length < 2) return [];
    const roles = some.map(({ role }) => role);
    return semantics.oneOfRoleRestricts ? roles.filter((role, at) => roles.indexOf(role) !== at) : roles;
  };
  return [...rolesOf(queries, ({ key }) => key), ...rolesOf(lists, String), ...rolesOf(masks, String)];
}

/** An element of a held role that covers an index, or might, by one or more of its patterns. */
export interface CoveringElement {
  readonly holding: Holding;
  readonly rule: IndexRule;
  /** `yes` or `unknown`. */
  readonly verdict: Verdict;
  readonly by: readonly string[];
  readonly places: readonly CoveringPlace[];
}

export function findCoveringElements(
  model: AccessModel,
  subject: Subject,
  index: IndexName,
): readonly CoveringElement[] {
  return findElementsCovering(listHeldRules(model, subject), model, subject, index);
}

/** The same of some of the roles that the subject holds. */
export function findElementsCovering(
  held: readonly HeldRole[],
  model: AccessModel,
  subject: Subject,
  index: IndexName,
): readonly CoveringElement[] {
  const { semantics } = model.state;
  // The documents of a data stream are those of its indices, and restricted as these are.
  const names = [index, ...(semantics.aliases?.streams.get(index.name) ?? []).map((name): IndexName => ({ name }))];
  return held.flatMap(({ holding, rules }) =>
    rules.index.flatMap((rule) => {
      const matched = rule.patterns.map((pattern) => {
        const restricting = getRestrictionPattern(pattern, semantics);
        return {
          pattern,
          verdict: combineAny(names.map((name) => coversIndex(restricting, name, semantics, subject))),
        };
      });
      const by = matched.filter(({ verdict }) => verdict !== "no").map(({ pattern }) => pattern);
      if (by.length === 0) return [];
      const places = findCoveringPlaces(
        listElementConditions(holding, rule),
        matched,
        model.state.semantics,
        subject,
        index,
      );
      // An alias has the name: the server restricts by the pattern only what such aliases lead to.
      if (places.length === 0) return [];
      return [{ holding, rule, verdict: toVerdict(joinAny(places.map(({ when }) => when))), by, places }];
    }),
  );
}

export function listCoveringLimits(model: AccessModel, subject: Subject, index: IndexName): readonly CoveredLimits[] {
  const held = [...listHeldRules(model, subject), ...listPerhapsHeld(model, subject)];
  return findElementsCovering(held, model, subject, index).map(toCoveredLimits);
}

export function toCoveredLimits({ holding, rule, verdict, places }: CoveringElement): CoveredLimits {
  return { role: holding.role, verdict, restricts: rule.restricts, by: places };
}

/**
 * The conditions besides that a pattern matches the index: the subject holds the role, and what else the element
 * depends on.
 */
export function listElementConditions(
  holding: Holding,
  { hinges, types, patterns }: Pick<IndexRule, "hinges" | "types" | "patterns">,
): readonly Condition[] {
  return [
    getHoldingCondition(holding),
    toCondition(hinges ? "unknown" : "yes", () => JSON.stringify([hinges, types ?? patterns])),
  ];
}

function uniteQueries(queries: readonly Query[]): readonly Query[] {
  return [...new Map(queries.map((query) => [query.key, query])).values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

function sortUnique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}
