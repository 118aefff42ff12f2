// Whom the order of the writes has to be evaluated for as one person, though it harms neither of the two alone.
//
// What two principals hold as one is what one or the other holds, where nothing that changes takes from what others grant.
// So in an intermediate state that harms neither, they gain nothing as one. They may miss something: what the plan takes
// from one of them and gives to the other. Without this, plans for many principals have more pairs than can be evaluated;
// `test/properties/order-pairs.test.ts` holds that none of those that are left out is harmed.
import { memoiseByKey, memoiseByObject } from "../../../json/memoise.ts";
import { listHeldRules } from "../../evaluate/permission.ts";
import type { AccessModel } from "../../model/access-model.ts";
import { getHoldingCondition } from "../../model/holders.ts";
import type { RoleRules } from "../../model/roles.ts";
import type { Subject } from "../../model/subject.ts";
import { overlaps } from "../../patterns/includes.ts";
import { getConditionKey } from "../../verdict.ts";
import { resolvePatterns } from "../pairs.ts";
import { createGrantsFinder, takesFromOthers } from "../table/grants.ts";

/** More pairs than these take too long to evaluate, and more comparisons of patterns too long to find them. */
const mostPairs = 780;
const mostCompared = 1_000_000;

/** The states of a plan, with the roles and mappings alone that it changes. */
export interface TogetherStates {
  readonly ends: readonly [before: AccessModel, after: AccessModel];
  /** With the roles of one end and the mappings of the other. */
  readonly crossed: readonly AccessModel[];
}

/** The pairs of some principals that an intermediate state may harm as one, though it harms neither of them. */
export function findHarmedTogether<T extends { readonly subject: Subject }>(
  principals: readonly T[],
  states: TogetherStates,
): { readonly pairs: readonly (readonly [T, T])[]; readonly tooMany: boolean } {
  const findShift = createShiftFinder(states);
  const shifts = principals.map(({ subject }) => findShift(subject));
  const pairs = new Map<number, readonly [T, T]>();
  const add = (a: number, b: number): boolean => {
    const [one, other] = [principals[Math.min(a, b)], principals[Math.max(a, b)]];
    if (one && other && one !== other) pairs.set(Math.min(a, b) * principals.length + Math.max(a, b), [one, other]);
    return pairs.size <= mostPairs;
  };
  const found = () => {
    const all = [...pairs].sort(([a], [b]) => a - b).map(([, pair]) => pair);
    return { pairs: all.slice(0, mostPairs), tooMany: all.length > mostPairs };
  };
  const mayBeBoth = memoiseByKey((one: string) => memoiseByKey((other: string) => overlaps(one, other) !== "no"));
  let compared = 0;
  for (const [at, { takesFrom }] of shifts.entries()) {
    if (takesFrom.length === 0) continue;
    for (const [other, { held }] of shifts.entries()) {
      compared += 1 + takesFrom.length * held.length;
      if (compared > mostCompared) return { ...found(), tooMany: true };
      const isTaken = takesFrom.includes("*") || takesFrom.some((one) => held.some(mayBeBoth(one)));
      if (isTaken && !add(at, other)) return found();
    }
  }
  const [lost, gained] = [groupByPlace(shifts.map((one) => one.lost)), groupByPlace(shifts.map((one) => one.gained))];
  if (lost.length * gained.length > mostCompared) return { ...found(), tooMany: true };
  for (const old of lost) {
    for (const wanted of gained) {
      if (old.level !== wanted.level || !mayBeBoth(old.on)(wanted.on)) continue;
      for (const [a, actions] of old.actions) {
        for (const [b, others] of wanted.actions) {
          if (actions.some((one) => others.some(mayBeBoth(one))) && !add(a, b)) return found();
        }
      }
    }
  }
  return found();
}

/** A permission: to take actions that match a pattern on what matches a pattern. */
interface Grant {
  readonly level: "cluster" | "index" | "tenant";
  readonly on: string;
  readonly action: string;
}

/** What a plan takes from a principal and what it gives to it; what it holds before and after is in neither. */
interface Shift {
  readonly lost: readonly Grant[];
  readonly gained: readonly Grant[];
  /** Index patterns of all that is granted in any of the states. */
  readonly held: readonly string[];
  /** Index patterns on which something that changes takes from what others grant; `*`: there, and elsewhere. */
  readonly takesFrom: readonly string[];
}

function createShiftFinder({ ends: [before, after], crossed }: TogetherStates): (subject: Subject) => Shift {
  const grantsIn = createGrantsFinder();
  const models = [before, after, ...crossed];
  return (subject) => {
    const grants = models.map((model) => listGrants(model, subject));
    const [old = noGrants, wanted = noGrants] = grants;
    const odd = models.map((model) => listOddRules(model, subject));
    const isEverywhere = (key: string) => odd.every((rules) => rules.has(key));
    const isSameElsewhere = new Set(models.map((model) => grantsIn(model, subject).others)).size === 1;
    return {
      lost: [...old].flatMap(([key, grant]) => (wanted.has(key) ? [] : [grant])),
      gained: [...wanted].flatMap(([key, grant]) => (old.has(key) ? [] : [grant])),
      held: grants.flatMap((some) => [...some.values()].flatMap(({ level, on }) => (level === "index" ? [on] : []))),
      takesFrom: [
        ...(isSameElsewhere ? [] : ["*"]),
        ...odd.flatMap((rules) => [...rules].flatMap(([key, patterns]) => (isEverywhere(key) ? [] : patterns))),
      ],
    };
  };
}

const noGrants: ReadonlyMap<string, Grant> = new Map();

/** What is held that does more than grant, by what it says under whatever name, and where it does. */
function listOddRules(model: AccessModel, subject: Subject): ReadonlyMap<string, readonly string[]> {
  const odd = listHeldRules(model, subject).flatMap(({ holding, rules }) => {
    const { name: _, ...content } = rules;
    const text = JSON.stringify(content);
    const isOfNames = text.includes("${");
    if (rules.unknown === undefined && !isOfNames && !takesFromOthers(rules, model)) return [];
    const key = `${getConditionKey(getHoldingCondition(holding))} ${text}`;
    const isBoundToIndices = rules.unknown === undefined && rules.notCluster.length === 0 && rules.tenants.length === 0;
    const patterns = [...rules.index, ...rules.notIndex].flatMap((rule) => rule.patterns);
    return [[key, isBoundToIndices ? resolvePatterns(patterns, model) : ["*"]] as const];
  });
  return new Map(odd);
}

function listGrants(model: AccessModel, subject: Subject): ReadonlyMap<string, Grant> {
  const grants = new Map<string, Grant>();
  for (const { holding, rules } of listHeldRules(model, subject)) {
    const condition = getConditionKey(getHoldingCondition(holding));
    for (const { key, grant } of keyedGrantsIn(model)(rules)) grants.set(`${condition} ${key}`, grant);
  }
  return grants;
}

/** Thousands of principals have the same roles. */
const keyedGrantsIn = memoiseByObject((model: AccessModel) =>
  memoiseByObject((rules: RoleRules) => grantsOf(rules, model).map((grant) => ({ key: JSON.stringify(grant), grant }))),
);

function grantsOf({ name, cluster, index, tenants }: RoleRules, model: AccessModel): readonly Grant[] {
  const of = (level: Grant["level"], patterns: readonly string[], actions: RoleRules["cluster"]): readonly Grant[] =>
    patterns.flatMap((on) => actions.map(({ pattern }) => ({ level, on, action: pattern })));
  return [
    ...of("cluster", ["*"], cluster),
    ...index.flatMap(({ patterns, actions }) => of("index", resolvePatterns(patterns, model), actions)),
    // Whatever its actions, an element makes a tenant readable; and a role may give the global one by its name.
    ...tenants.flatMap(({ patterns, actions }) => of("tenant", patterns, [anything, ...actions])),
    ...(model.state.semantics.globalTenantRoles.includes(name) ? of("tenant", ["*"], [anything]) : []),
  ];
}

const anything = { pattern: "*", via: [] };

interface GrantsAt extends Pick<Grant, "level" | "on"> {
  /** The actions of each principal there, by its number. */
  readonly actions: ReadonlyMap<number, readonly string[]>;
}

function groupByPlace(ofPrincipals: readonly (readonly Grant[])[]): readonly GrantsAt[] {
  const places = new Map<string, Pick<Grant, "level" | "on"> & { readonly actions: Map<number, string[]> }>();
  for (const [at, grants] of ofPrincipals.entries()) {
    for (const { level, on, action } of grants) {
      const key = `${level} ${on}`;
      const place = places.get(key) ?? { level, on, actions: new Map<number, string[]>() };
      places.set(key, place);
      const actions = place.actions.get(at);
      if (actions) actions.push(action);
      else place.actions.set(at, [action]);
    }
  }
  return [...places.values()];
}
