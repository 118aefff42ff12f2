import { indexPattern } from "../coverage.ts";
import { heldRules } from "../judge.ts";
import type { AccessModel } from "../model.ts";
import { overlaps } from "../patterns/includes.ts";
import { isRestricting } from "../roles.ts";
import type { Subject, Who } from "../subject.ts";
import { shownWho } from "../subject.ts";
import { type Principal, principalsOf } from "./touched.ts";

/** Two principals that may be one person, of which the first has a role that restricts what others grant. */
export interface Pair {
  readonly first: Principal;
  readonly second: Principal;
  readonly subject: Subject;
}

/** More pairs than these nobody reads, and they take too long to judge. */
const mostPairs = 2000;

/**
 * Access does not add up: DLS, FLS, masking and exclusions of one role take from what another grants. So where such a
 * role is touched, whoever has it is judged together with whoever else has a role on the same indices.
 */
export function pairsOf(
  touched: Iterable<string>,
  models: readonly AccessModel[],
): { readonly pairs: readonly Pair[]; readonly tooMany: boolean } {
  const lifts = models.some(liftsLimits);
  const inAny = (of: typeof indexPatterns, role: string): readonly string[] => [
    ...new Set(models.flatMap((model) => of(model, role))),
  ];
  const pairs = new Map<string, Pair>();
  const found = new Map<string, boolean>();
  const mayMeet = (a: string, b: string): boolean => {
    const key = `${a} ${b}`;
    const known = found.get(key) ?? overlaps(a, b) !== "no";
    found.set(key, known);
    return known;
  };
  const doMeet = (some: readonly string[], others: readonly string[]): boolean =>
    some.some((a) => others.some((b) => mayMeet(a, b)));
  for (const role of touched) {
    const [taking, lifting] = [inAny(restrictedPatterns, role), lifts ? inAny(indexPatterns, role) : []];
    if (taking.length + lifting.length === 0) continue;
    const isConcerned = (model: AccessModel, other: string): boolean =>
      doMeet(taking, indexPatterns(model, other)) || doMeet(lifting, restrictedPatterns(model, other));
    const others = new Set(
      models.flatMap((model) => [...model.state.roles.keys()].filter((other) => isConcerned(model, other))),
    );
    others.delete(role);
    for (const [first, second] of couples(role, others, models)) {
      const subject = first.key === second.key ? undefined : together(first.subject, second.subject);
      const key = [first.key, second.key].sort().join(" ");
      if (subject && !pairs.has(key)) pairs.set(key, { first, second, subject });
      if (pairs.size > mostPairs) return { pairs: [...pairs.values()], tooMany: true };
    }
  }
  return { pairs: [...pairs.values()], tooMany: false };
}

function* couples(
  role: string,
  others: Iterable<string>,
  models: readonly AccessModel[],
): Generator<readonly [Principal, Principal]> {
  const firsts = principalsOf([role], models).filter(({ subject }) => isRestrictedOtherwise(subject, models));
  const seconds = firsts.length === 0 ? [] : principalsOf(others, models);
  for (const first of firsts) for (const second of seconds) yield [first, second];
  // Whoever is one that loses the role and one that gets it has it all along, but restricted otherwise.
  const [had = [], has = []] = models.map((model) => principalsOf([role], [model]));
  const without = (some: readonly Principal[], rest: readonly Principal[]): readonly Principal[] => {
    const keys = new Set(rest.map(({ key }) => key));
    return some.filter(({ key }) => !keys.has(key));
  };
  const gaining = without(has, had);
  for (const first of without(had, has)) for (const second of gaining) yield [first, second];
}

/** Else what others grant is restricted as before, and what they grant otherwise is told of them. */
function isRestrictedOtherwise(subject: Subject, models: readonly AccessModel[]): boolean {
  const restrictions = models.map((model) => {
    const lifts = liftsLimits(model);
    const found = heldRules(model, subject).flatMap(({ holding, rules }) => {
      const restricting = rules.index.filter(({ restricts }) => lifts || isRestricting(restricts));
      const all = [
        restricting.map(({ patterns, restricts }) => [patterns, restricts]),
        rules.notIndex,
        rules.notCluster,
      ];
      return all.some((some) => some.length > 0) ? [JSON.stringify([holding.verdict, all])] : [];
    });
    return found.sort().join();
  });
  return new Set(restrictions).size > 1;
}

/** There an element without a restriction lifts that of another, so that whatever covers an index counts. */
function liftsLimits({ state: { judging, settings } }: AccessModel): boolean {
  return settings.emptyLifts ?? judging.emptyLifts;
}

/** What they are tried as, of whomever; `*` where that is not known. */
function meant(patterns: readonly string[], { state: { judging } }: AccessModel): readonly string[] {
  return patterns.flatMap((pattern) => {
    const tried = indexPattern(pattern, judging, { backendRoles: [] });
    if (tried === undefined) return [];
    return typeof tried === "string" ? tried : "*";
  });
}

function restrictedPatterns(model: AccessModel, role: string): readonly string[] {
  const rules = model.rules(role);
  if (!rules) return [];
  const restricting = [...rules.index.filter(({ restricts }) => isRestricting(restricts)), ...rules.notIndex];
  const patterns = restricting.flatMap((rule) => rule.patterns);
  return [...meant(patterns, model), ...(rules.notCluster.length > 0 ? ["*"] : [])];
}

function indexPatterns(model: AccessModel, role: string): readonly string[] {
  return meant(model.rules(role)?.index.flatMap(({ patterns }) => patterns) ?? [], model);
}

/** Somebody who is both; undefined where nobody can be, having one name and one address. */
export function together(a: Subject, b: Subject): Subject | undefined {
  const user = same(a.user, b.user);
  const host = same(whoIn(a.host), whoIn(b.host));
  if (user === "none" || host === "none") return undefined;
  const roles = new Map([...a.backendRoles, ...b.backendRoles].map((who) => [shownWho(who), who]));
  return { ...(user && { user }), ...(host && { host }), backendRoles: [...roles.values()] };
}

function whoIn(host: Subject["host"]): Who | undefined {
  return host === "unknown" ? undefined : host;
}

/** The narrower of two. Of two patterns that overlap, nobody is a better name for who meets both than the first. */
function same(a: Who | undefined, b: Who | undefined): Who | undefined | "none" {
  if (!a || !b) return a ?? b;
  if (overlaps(shownWho(a), shownWho(b)) === "no") return "none";
  return "name" in b ? b : a;
}
