// Which requests a server fails over because of a query of DLS, or a list of FLS. Tried on OpenSearch 2.19.1 and 3.4.0.
import { clusterActions } from "../../dialects/requests.ts";
import type { Semantics } from "../../dialects/semantics.ts";
import type { AccessModel } from "../model/access-model.ts";
import type { ExpandedPermission } from "../model/groups.ts";
import { getHoldingCondition } from "../model/holders.ts";
import { isRestricting, type Restriction, type RoleRules } from "../model/roles.ts";
import type { Subject } from "../model/subject.ts";
import { matchesPattern } from "../patterns/matches.ts";
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
import type { IndexName } from "./coverage.ts";
import {
  type CoveredLimits,
  findCertainLimits,
  findCoveringElements,
  hasRivals,
  removesLimits,
  toCoveredLimits,
} from "./limits.ts";
import { type HeldRole, listHeldRules } from "./permission.ts";
import { findQueryFault } from "./query-faults.ts";

/** Requests that a server fails over though they are granted, because of what a role restricts, and when. */
export interface QueryFailure {
  readonly role: string;
  readonly actions: readonly ExpandedPermission[];
  readonly when: Condition;
  /** The variable of a query of which it is unknown whether it has a value. */
  readonly depends?: string;
}

/** Whether a server fails over a request that takes these actions on an index, though they are granted. */
export function failsByQuery(
  model: AccessModel,
  subject: Subject,
  index: IndexName,
  actions: readonly string[],
): FailsByQuery {
  if (actions.length === 0) return { verdict: "no" };
  const failures = listQueryFailures(findCoveringElements(model, subject, index).map(toCoveredLimits), model, subject);
  const isMeant = (failure: QueryFailure): boolean =>
    failure.actions.some(({ pattern }) => actions.some((action) => matchesPattern(pattern, action) === "yes"));
  const meant = failures.filter(isMeant);
  const verdict = combineAny(meant.map(({ when }) => toVerdict(when)));
  const { depends } = meant.find((failure) => failure.depends !== undefined) ?? {};
  return { verdict, ...(verdict === "unknown" && depends !== undefined && { depends }) };
}

export interface FailsByQuery extends Pick<QueryFailure, "depends"> {
  readonly verdict: Verdict;
}

/** @param covering all that covers an index */
export function listQueryFailures(
  covering: readonly CoveredLimits[],
  model: AccessModel,
  subject: Subject,
): readonly QueryFailure[] {
  const { semantics } = model.state;
  const mayHide = (name: string): boolean => mayHideFetched(model, subject, { name });
  const found = covering.flatMap((one): readonly QueryFailure[] => {
    const isThere = joinAny(one.by.map(({ when }) => when));
    return findFaults(one.restricts, semantics, subject, mayHide).map(({ actions, verdict, isOfQuery, depends }) => {
      const fails = toCondition(verdict, () => JSON.stringify(["fails over", describeRestriction(one.restricts)]));
      const counts = isOfQuery ? findWhetherItCounts(one, covering, model) : "yes";
      return { role: one.role, actions, when: joinAll([isThere, counts, fails]), ...(depends && { depends }) };
    });
  });
  if (found.length === 0) return found;
  const applies = findWhetherTheyApply(covering, model);
  return found.map((failure) => ({ ...failure, when: joinAll([failure.when, applies]) }));
}

/** The same for queries that differ in spaces alone. */
function describeRestriction({ dls, fls, masks }: Restriction): readonly unknown[] {
  return [dls?.key, fls, masks];
}

/** An update of a document fails wherever what is seen of its index is restricted at all. */
export function listFailuresOfUpdates(covering: readonly CoveredLimits[], model: AccessModel): readonly QueryFailure[] {
  const restricting = covering.filter(({ restricts }) => isRestricting(restricts));
  const [first] = restricting;
  if (!first) return [];
  const when = removesLimits(model)
    ? toCondition(findCertainLimits(covering, model).restricted, () =>
        JSON.stringify(["is restricted", restricting.map((one) => describeRestriction(one.restricts))]),
      )
    : joinAny(restricting.flatMap(({ by }) => by.map((place) => place.when)));
  return [{ role: first.role, actions: updates, when }];
}

/** Whether what an element without a restriction, or one by another pattern, leaves of them is all of them. */
function findWhetherTheyApply(covering: readonly CoveredLimits[], model: AccessModel): Condition {
  const { failsOverQueries, failsWithoutValue } = model.state.semantics;
  const queries = covering.flatMap(({ restricts: { dls } }) => dls?.key ?? []).sort();
  if (removesLimits(model)) {
    const open = covering.filter(({ restricts }) => !restricts.dls).flatMap(({ by }) => by.map(({ when }) => when));
    return failsWithoutValue ? negateCondition(joinAny(open)) : createFact(JSON.stringify(["stays", queries]));
  }
  const mayBeAnother = !failsOverQueries && hasRivals(covering, model);
  return mayBeAnother ? createFact(JSON.stringify(["is taken", queries])) : "yes";
}

/** Another element of the same role may take the place of the query of this one. */
function findWhetherItCounts(
  { role, restricts: { dls }, by }: CoveredLimits,
  covering: readonly CoveredLimits[],
  { state: { semantics } }: AccessModel,
): Condition {
  if (!semantics.oneOfRoleRestricts) return "yes";
  const rivals = covering.flatMap((other) => {
    const { key = dls?.key } = other.restricts.dls ?? {};
    const isRival = other.role === role && key !== dls?.key;
    return isRival && by.some((place) => other.by.some((one) => one.key === place.key)) ? [key] : [];
  });
  return rivals.length === 0 ? "yes" : createFact(JSON.stringify(["counts", role, dls?.key, rivals]));
}

/**
 * Which roles make requests about no index fail, too: those that have a query that is none, on whatever indices.
 */
export function listFailuresOfAll(
  held: readonly HeldRole[],
  model: AccessModel,
  subject: Subject,
): readonly QueryFailure[] {
  const { semantics } = model.state;
  const { failsOverQueries, invalidQueries } = semantics;
  if (!failsOverQueries || invalidQueries !== "fail") return [];
  return held.flatMap(({ holding, rules }) => {
    // What only some servers take is left to what is about the index.
    const isBroken = rules.index.some(
      ({ restricts: { dls } }) =>
        dls && !dls.isOpaque && findQueryFault(dls.key, semantics, subject).isBroken === "yes",
    );
    return isBroken ? [{ role: holding.role, actions: aboutNoIndex, when: getHoldingCondition(holding) }] : [];
  });
}

export function failsByAnyQuery(model: AccessModel, subject: Subject): Verdict {
  const failures = listFailuresOfAll(listHeldRules(model, subject), model, subject);
  return combineAny(failures.map(({ when }) => toVerdict(when)));
}

interface Fault extends Pick<QueryFailure, "actions" | "depends"> {
  readonly verdict: Verdict;
  readonly isOfQuery?: boolean;
}

/** Whether a server may fail over what a role restricts, where that applies. */
export function hasFaults({ index }: RoleRules, semantics: Semantics, subject: Subject): boolean {
  return index.some(({ restricts }) => findFaults(restricts, semantics, subject).length > 0);
}

/** @param mayHide whether a field of an index that the server itself reads may be hidden */
function findFaults(
  { dls, fls }: Restriction,
  semantics: Semantics,
  subject: Subject,
  mayHide: (index: string) => boolean = () => false,
): readonly Fault[] {
  const { failsOverQueries } = semantics;
  const ofFields = failsOverQueries && fls.length > 0 ? findFaultsOfFields(fls) : [];
  if (!dls || dls.isOpaque) return ofFields;
  const { isBroken, looksUpIn, usesNow, depends } = findQueryFault(dls.key, semantics, subject);
  const ofQuery: readonly Omit<Fault, "isOfQuery">[] = failsOverQueries
    ? [
        { actions: everything, verdict: isBroken, ...(depends && { depends }) },
        { actions: besidesLookups, verdict: looksUpIn.length > 0 ? "yes" : "no" },
        { actions: reads, verdict: usesNow || looksUpIn.some(mayHide) ? "unknown" : "no" },
      ]
    : [{ actions: reads, verdict: isBroken }];
  return [
    ...ofFields,
    ...ofQuery.filter(({ verdict }) => verdict !== "no").map((one) => ({ ...one, isOfQuery: true })),
  ];
}

/**
 * An empty name fails what is filtered. Fields that the server itself reads of a document that is fetched are hidden
 * as all others: most such requests fail, and some of documents of data streams do not.
 */
function findFaultsOfFields(fls: readonly string[]): readonly Fault[] {
  return [
    ...(fls.includes("") ? [{ actions: readsAndFiltered, verdict: "yes" } as const] : []),
    ...(fls.some(hidesFetched) ? [{ actions: fetches, verdict: "unknown" } as const] : []),
  ];
}

function hidesFetched([sign = "", ...name]: string): boolean {
  return (
    /[~!]/.test(sign) && name.includes("*") && fetched.some((field) => matchesPattern(name.join(""), field) === "yes")
  );
}

function mayHideFetched(model: AccessModel, subject: Subject, index: IndexName): boolean {
  return findCoveringElements(model, subject, index).some(({ rule: { restricts } }) =>
    restricts.fls.some(hidesFetched),
  );
}

const fetched = ["_version", "_seq_no", "_primary_term"];

const toPermissions = (...patterns: readonly string[]) => patterns.map((pattern) => ({ pattern, via: [] }));
const everything = toPermissions("*");
const updates = toPermissions("indices:data/write/update");
/** All but the fields that an index has. */
const readingDocuments = "/indices:data/read/(?!field_caps$).*/";
const reads = toPermissions(readingDocuments);
const readsAndFiltered = toPermissions(readingDocuments, "indices:admin/mappings/get", "indices:admin/get");
const fetches = toPermissions(...["get", "mget[shard]", "explain", "tv"].map((name) => `indices:data/read/${name}`));
const besidesLookups = toPermissions("/(?!indices:data/read/(search|get|mget|msearch)(\\[.*)?$).*/");
/** The others name indices, and fail by what is about these. */
const aboutNoIndex = toPermissions(`/(?!(${[...clusterActions].join("|")})$).*/`);

/** By these requests are parted where some of them may fail so. */
export const failingPatterns: readonly string[] = [
  ...new Set(
    [everything, reads, readsAndFiltered, fetches, besidesLookups, aboutNoIndex].flat().map(({ pattern }) => pattern),
  ),
];
