import { memoise, memoiseByKey } from "../../json/memoise.ts";
import { isList, isObject, listTexts } from "../../json/value.ts";
import { resolveIndexPattern } from "../evaluate/coverage.ts";
import { getRestrictionPattern } from "../evaluate/covering-places.ts";
import { removesLimits } from "../evaluate/limits.ts";
import { listHeldRules } from "../evaluate/permission.ts";
import { takesGlobalTenant } from "../evaluate/tenants.ts";
import type { AccessModel } from "../model/access-model.ts";
import { getHoldingCondition } from "../model/holders.ts";
import { isRestricting } from "../model/roles.ts";
import type { KnownUser, Subject } from "../model/subject.ts";
import { formatWho } from "../model/subject.ts";
import { includes, overlaps } from "../patterns/includes.ts";
import { joinPatterns } from "../patterns/joint.ts";
import { createOverlapFinder } from "../patterns/overlapping.ts";
import { getConditionKey } from "../verdict.ts";
import { numberOfSemantics } from "./table/grants.ts";
import {
  findTouched,
  getMostEvaluated,
  listPrincipals,
  type TouchedPrincipal,
  type TouchedPrincipals,
} from "./touched.ts";

// Why pairs are evaluated at all: access does not add up. A user with two roles sees less where one of them restricts
// what the other grants. Taking that role away shows more, and no principal by itself gains anything. Without pairs a
// plan would not say so. Measured: see "Pairs of principals stay" in src/DECISIONS.md.

/** Two principals that may be one person, of which the first has a role that restricts what others grant. */
export interface SubjectPair {
  readonly first: TouchedPrincipal;
  readonly second: TouchedPrincipal;
  readonly subject: Subject;
}

/** More pairs than these are not readable, and take too long to evaluate. */
const mostPairs = 300;
const mostRoles = 400;

/**
 * Access does not add up: DLS, FLS, masking and exclusions of one role restrict what another grants. Where such a
 * role changes, each principal that has it is evaluated together with each principal that has another role on the
 * same indices.
 */
export function findPairs(before: AccessModel, after: AccessModel): SubjectPairs {
  const last = worked.get(before);
  if (last?.after === after) return last.pairs;
  const pairs = findPairsAmong(findTouched(before, after), [before, after]);
  worked.set(before, { after, pairs });
  return pairs;
}

export interface SubjectPairs {
  readonly pairs: readonly SubjectPair[];
  /** The keys of the principals of which the restrictions change. */
  readonly firsts: ReadonlySet<string>;
  readonly tooMany: boolean;
}

/** The order of the writes and the access diff ask for the same pairs. */
const worked = new WeakMap<AccessModel, { readonly after: AccessModel; readonly pairs: SubjectPairs }>();

/**
 * Among any number of states that have roles and mappings of two.
 *
 * @param touched what differs between the two
 * @param except keys of first ones whose pairs are known
 */
export function findPairsAmong(
  { roles: touched, everybody }: TouchedPrincipals,
  models: readonly AccessModel[],
  except: ReadonlySet<string> = new Set(),
): SubjectPairs {
  const firsts = everybody
    .slice(0, getMostEvaluated(models))
    .filter(({ key, subject }) => !except.has(key) && isRestrictedOtherwise(subject, models));
  const keys = new Set(firsts.map(({ key }) => key));
  if (firsts.length === 0) return { pairs: [], firsts: keys, tooMany: false };
  const concernedBy = createConcernFinder(models);
  const every = [...new Set(models.flatMap(({ state }) => [...state.roles.keys()]))];
  // What restricts as before takes as much from others as before.
  const isConcerned = concernedBy(listRolesOf(firsts, models).filter((role) => touched.has(role)));
  const concerned: string[] = [];
  for (const role of every) {
    if (isConcerned(role)) concerned.push(role);
    if (concerned.length > mostRoles) break;
  }
  const others = listPrincipals(concerned, models);
  const isCut = Math.max(everybody.length, others.length) > getMostEvaluated(models);
  const seconds = others
    .slice(0, getMostEvaluated(models))
    .map((second) => ({ second, roles: listRolesOf([second], models) }));
  const pairs = new Map<string, SubjectPair>();
  for (const first of firsts) {
    const isOfSame = concernedBy(listRolesOf([first], models).filter((role) => touched.has(role)));
    for (const { second, roles } of seconds) {
      const key = [first.key, second.key].sort().join(" ");
      if (first.key === second.key || pairs.has(key) || isKnownWhole(first, second)) continue;
      if (!roles.some(isOfSame)) continue;
      const subject = joinSubjects(first.subject, second.subject);
      if (subject) pairs.set(key, { first, second, subject });
      if (pairs.size > mostPairs) return { pairs: [...pairs.values()], firsts: keys, tooMany: true };
    }
  }
  return { pairs: [...pairs.values()], firsts: keys, tooMany: isCut || concerned.length > mostRoles };
}

function listRolesOf(principals: readonly TouchedPrincipal[], models: readonly AccessModel[]): readonly string[] {
  const held = principals.flatMap(({ subject }) => models.flatMap((model) => model.holdings(subject)));
  return [...new Set(held.map(({ role }) => role))];
}

/**
 * Finds the roles from whose grants one of some roles takes, or to which it gives back: on the same indices, or on the
 * global tenant.
 */
function createConcernFinder(models: readonly AccessModel[]): (some: readonly string[]) => (other: string) => boolean {
  const removes = models.some(removesLimits);
  const patternsOf = (of: typeof listCoveredPatterns) =>
    memoiseByKey((role: string) => [...new Set(models.flatMap((model) => of(model, role)))]);
  const [restricted, covered] = [patternsOf(listRestrictedPatterns), patternsOf(listCoveredPatterns)];
  const isGlobal = (role: string): boolean =>
    models.some(({ state: { semantics } }) => semantics.globalTenantRoles.includes(role));
  const takesGlobal = (role: string): boolean =>
    models.some((model) => {
      const rules = model.rules(role);
      return rules !== undefined && takesGlobalTenant(rules, model);
    });
  return (some) => {
    const isRestricted = createOverlapFinder(some.flatMap(restricted));
    const isCovered = memoise(() => createOverlapFinder(some.flatMap(covered)));
    const takes = memoise(() => some.some(takesGlobal));
    return memoiseByKey(
      (other) =>
        covered(other).some(isRestricted) ||
        (removes && restricted(other).some(isCovered())) ||
        (isGlobal(other) && takes()),
    );
  };
}

/**
 * Otherwise what the other roles grant is restricted as before, and each other change of them has its own statement.
 */
function isRestrictedOtherwise(subject: Subject, models: readonly AccessModel[]): boolean {
  const restrictions = models.map((model) => {
    const removes = removesLimits(model);
    const found = listHeldRules(model, subject).flatMap(({ holding, rules }) => {
      const restricting = rules.index.filter(({ restricts }) => removes || isRestricting(restricts));
      const all = [
        restricting.map(({ patterns, restricts }) => [patterns, restricts]),
        rules.notIndex,
        rules.notCluster,
        takesGlobalTenant(rules, model) ? rules.tenants : [],
      ];
      return all.some((some) => some.length > 0)
        ? [JSON.stringify([getConditionKey(getHoldingCondition(holding)), all])]
        : [];
    });
    return found.length === 0 ? "" : `${numberOfSemantics(model.state.semantics)} ${found.sort().join()}`;
  });
  return new Set(restrictions).size > 1;
}

/** With what is known of every subject put in for variables; `*` where that leaves something open. */
export function resolvePatterns(patterns: readonly string[], { state: { semantics } }: AccessModel): readonly string[] {
  return patterns.flatMap((pattern) => {
    const tried = resolveIndexPattern(pattern, semantics, { backendRoles: [] });
    if (tried === undefined) return [];
    return typeof tried === "string" ? tried : "*";
  });
}

function listRestrictedPatterns(model: AccessModel, role: string): readonly string[] {
  const rules = model.rules(role);
  if (!rules) return [];
  const restricting = [...rules.index.filter(({ restricts }) => isRestricting(restricts)), ...rules.notIndex];
  const patterns = restricting.flatMap((rule) =>
    rule.patterns.map((pattern) => getRestrictionPattern(pattern, model.state.semantics)),
  );
  return [...resolvePatterns(patterns, model), ...(rules.notCluster.length > 0 ? ["*"] : [])];
}

/** Read from the entry itself: no rules are made of thousands of roles for their patterns alone. */
function listCoveredPatterns(model: AccessModel, role: string): readonly string[] {
  const { roles, unlisted } = model.state;
  const { index_permissions: elements } = roles.get(role) ?? unlisted?.get(role) ?? {};
  if (!isList(elements)) return [];
  const patterns = elements.filter(isObject).flatMap((element) => listTexts(element.index_patterns));
  return resolvePatterns(patterns, model);
}

/** All that an internal user has is known but for the host that it comes from. */
function isKnownWhole(first: TouchedPrincipal, second: TouchedPrincipal): boolean {
  return (
    (first.isInternal && second.member.field !== "hosts") ||
    (second.isInternal && first.member.field !== "hosts") ||
    false
  );
}

/** A subject that is both; undefined where this is impossible: names or addresses differ, or a key has what it has alone. */
export function joinSubjects(a: Subject, b: Subject): Subject | undefined {
  if ((a.apiKey ?? b.apiKey) !== undefined) return undefined;
  const user = pickNarrower(a.user, b.user);
  const host = pickNarrower(getKnownHost(a.host), getKnownHost(b.host));
  if (user === "none" || host === "none") return undefined;
  const roles = new Map([...a.backendRoles, ...b.backendRoles].map((who) => [formatWho(who), who]));
  const carried = [...new Set([...(a.roles ?? []), ...(b.roles ?? [])])];
  const otherThan = new Set([...(a.otherThan ?? []), ...(b.otherThan ?? [])]);
  const attributes = a.attributes ?? b.attributes;
  const hidden = a.hiddenAttributes ?? b.hiddenAttributes;
  return {
    ...(user && { user }),
    ...(host && { host }),
    backendRoles: [...roles.values()],
    ...(carried.length > 0 && { roles: carried }),
    ...(attributes && { attributes }),
    ...(hidden && { hiddenAttributes: hidden }),
    ...(otherThan.size > 0 && { otherThan }),
  };
}

function getKnownHost(host: Subject["host"]): KnownUser | undefined {
  return host === "unknown" ? undefined : host;
}

/** The narrower of two; of patterns that overlap, what both match. */
function pickNarrower(a: KnownUser | undefined, b: KnownUser | undefined): KnownUser | undefined | "none" {
  if (!a || !b) return a ?? b;
  if (overlaps(formatWho(a), formatWho(b)) === "no") return "none";
  if ("name" in b) return b;
  if ("name" in a || includes([b.pattern], a.pattern) === "yes") return a;
  return includes([a.pattern], b.pattern) === "yes" ? b : { pattern: joinPatterns(a.pattern, b.pattern) };
}
