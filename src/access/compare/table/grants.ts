import type { Semantics } from "../../../dialects/semantics.ts";
import { tenants as tenantFacts } from "../../../families/tenants.ts";
import { getUnknownText } from "../../../families/unknown.ts";
import { memoiseByKey, memoiseByObject } from "../../../json/memoise.ts";
import { getBlockedCondition } from "../../evaluate/blocked.ts";
import { mayHaveRivals, removesLimits } from "../../evaluate/limits.ts";
import { listHeldRules } from "../../evaluate/permission.ts";
import { listTenantWrites, takesGlobalTenant } from "../../evaluate/tenants.ts";
import type { AccessModel } from "../../model/access-model.ts";
import { listKeyRoles } from "../../model/api-keys.ts";
import { getHoldingCondition } from "../../model/holders.ts";
import { isRestricting, type RoleRules } from "../../model/roles.ts";
import type { HeldEntries } from "../../model/state.ts";
import type { Subject } from "../../model/subject.ts";
import { getConditionKey } from "../../verdict.ts";
import { listWithCrossedUsers } from "../crossed-users.ts";
import { listGrantPathsTo } from "../touched.ts";

/** The rules of touched roles that a state grants a subject, for comparing states without evaluating permissions. */
export interface Grants {
  /** The same where all of it is the same. */
  readonly key: string;
  /**
   * The same where a table shows the same of it. What is unknown is named in the order in which it is held, by each of the
   * members that give it; and by that order of several restrictions one may apply.
   */
  readonly ofTable: string;
  /** The rules held, each by its number. */
  readonly rules: ReadonlySet<string>;
  /** Those of them that take from what others grant. */
  readonly restricting: string;
  /** Those of them that are about tenants. */
  readonly ofTenants: ReadonlySet<string>;
  /** Those of them that take from what others grant on the global tenant. */
  readonly restrictingTenants: string;
  /** Blocks, tenants and settings that the evaluation depends on. */
  readonly others: string;
  /** Nothing of it depends on who it is. */
  readonly isSameForAll: boolean;
}

/** What a state grants anybody at all of what a plan touches. */
export interface GrantedActions {
  /** By role that the subject has: the same string for the same rules, given by the same mapping. */
  readonly roles: ReadonlyMap<string, string>;
  /** Some of them take from what others grant. */
  readonly takes: boolean;
  /** Blocks, settings, internal users that a plan changes, and tenants where one of the roles is about them. */
  readonly others: string;
}

export function createGrantedFinder(): (touched: AccessModel) => GrantedActions {
  const [numberOf, idOf] = [createRuleNumbers(), createObjectNumbers()];
  return (model) => {
    const { state } = model;
    const names = [state.roles, state.unlisted ?? none, listKeyRoles(state)].flatMap((roles) => [...roles.keys()]);
    const held = [...new Set(names)].flatMap((name) => {
      const rules = listGrantPathsTo(name, state).length > 0 ? model.rules(name) : undefined;
      const mapping = state.mappings.get(name);
      return rules ? [{ name, rules, text: `${numberOf(rules)} ${mapping ? idOf(mapping) : "-"}` }] : [];
    });
    const tenants = held.some(({ rules }) => isOfTenants(rules, model)) ? [...state.tenants.keys()].sort() : [];
    const blocks = [...state.blocks].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      roles: new Map(held.map(({ name, text }) => [name, text])),
      takes: held.some(({ rules }) => takesFromOthers(rules, model)),
      others: JSON.stringify([tenants, blocks, state.settings, idOf(state.changedUsers?.held ?? none)]),
    };
  };
}

const none: HeldEntries = new Map();

function hasAllOf(one: GrantedActions, other: GrantedActions): boolean {
  return [...other.roles].every(([name, text]) => one.roles.get(name) === text);
}

/** Whether no subject is granted what neither end grants, or misses what one of them grants: by `isOfTheEnds`. */
export function isOfTheEndsForAll(before: GrantedActions, between: GrantedActions, after: GrantedActions): boolean {
  const ends = [before, after];
  if (ends.some((end) => end.others === between.others && hasAllOf(end, between) && hasAllOf(between, end)))
    return true;
  if (ends.some(({ others, takes }) => takes || others !== between.others) || between.takes) return false;
  const isOfOne = [...between.roles].every(([name, text]) => ends.some(({ roles }) => roles.get(name) === text));
  return isOfOne && ends.some((end) => hasAllOf(between, end));
}

function isOfTenants({ name, tenants }: RoleRules, { state }: AccessModel): boolean {
  return tenants.length > 0 || state.semantics.globalTenantRoles.includes(name);
}

export function createGrantsFinder(): (touched: AccessModel, subject: Subject) => Grants {
  const numberOf = createRuleNumbers();
  const factsIn = memoiseByObject((model: AccessModel) =>
    memoiseByObject((rules: RoleRules) => ({
      number: numberOf(rules),
      takes: takesFromOthers(rules, model),
      isOfTenants: isOfTenants(rules, model),
      takesTenant: takesGlobalTenant(rules, model),
      isSameForAll: isSameForAll(rules),
      isCertain: isPlain(rules) && !hasRivals(rules, model),
    })),
  );
  return (model, subject) => {
    const factsOf = factsIn(model);
    const held = listHeldRules(model, subject).map(({ holding, rules }) => {
      const facts = factsOf(rules);
      return { name: `${getConditionKey(getHoldingCondition(holding))} ${facts.number}`, facts, holding };
    });
    const namesOf = (is: (facts: (typeof held)[number]["facts"]) => boolean): readonly string[] =>
      held.flatMap(({ name, facts }) => (is(facts) ? [name] : [])).sort();
    const names = namesOf(() => true);
    const rules = new Set(names);
    const others = describeOthers(model, subject);
    // It is held for certain, it is known which indices and actions it is about, and that its restrictions apply.
    const isCertain = held.every(({ facts, holding }) => facts.isCertain && holding.verdict === "yes");
    return {
      key: `${names} ${others}`,
      ofTable: `${isCertain ? [...rules] : [...new Set(held.map(({ name }) => name))]} ${others}`,
      rules,
      restricting: namesOf(({ takes }) => takes).join(),
      restrictingTenants: namesOf(({ takesTenant }) => takesTenant).join(),
      ofTenants: new Set(namesOf(({ isOfTenants }) => isOfTenants)),
      others,
      isSameForAll: held.every(({ facts }) => facts.isSameForAll),
    };
  };
}

/**
 * The same string for two states that permit a subject the same, by rules that say the same on the same conditions: what
 * their roles are called decides nothing, but for roles with which a product gives a tenant.
 */
export function createContentFinder(): (model: AccessModel, subject: Subject) => string {
  const numberOf = createTextNumbers();
  const contentIn = memoiseByObject((model: AccessModel) =>
    memoiseByObject((rules: RoleRules) => {
      const isNamed = model.state.semantics.globalTenantRoles.includes(rules.name);
      return numberOf(JSON.stringify([{ ...rules, name: isNamed ? rules.name : "" }, listTenantWrites(rules, model)]));
    }),
  );
  return (model, subject) => {
    const contentOf = contentIn(model);
    const all = listHeldRules(model, subject);
    const held = all.map(
      ({ holding, rules }) => `${contentOf(rules)} ${getConditionKey(getHoldingCondition(holding))}`,
    );
    const content = all.some(({ rules }) => hasRivals(rules, model)) ? held : [...new Set(held)].sort();
    return `${content} ${describeOthers(model, subject)}`;
  };
}

function hasRivals({ index }: RoleRules, model: AccessModel): boolean {
  return index.some(({ restricts }) => mayHaveRivals(restricts, model));
}

/** Variables, dates, expressions, and what products read differently: what it matches may be unknown. */
const unsure = /[/<$]|\*\?|[^ -~]/;

const isPlain = memoiseByObject(({ cluster, index, notCluster, notIndex, unknown }: RoleRules): boolean => {
  const lists = [...index, ...notIndex];
  const patterns = [
    ...lists.flatMap((rule) => rule.patterns),
    ...[cluster, notCluster, ...lists.map(({ actions }) => actions)].flatMap((list) => list.map((one) => one.pattern)),
  ];
  return unknown === undefined && index.every(({ hinges }) => !hinges) && !patterns.some((text) => unsure.test(text));
});

/** Blocks, tenants, settings and how the product evaluates them, as far as they decide what a subject is permitted. */
function describeOthers({ state: { blocks, tenants, settings, semantics } }: AccessModel, subject: Subject): string {
  const blocked = getConditionKey(getBlockedCondition(listBlocks(blocks), subject));
  return `${blocked} ${JSON.stringify(settings)} ${describeTenants(tenants)} ${numberOfSemantics(semantics)}`;
}

/** The same for two states of one product. */
export const numberOfSemantics = memoiseByObject((_: Semantics) => ++lastSemantics);
let lastSemantics = 0;

const describeTenants = memoiseByObject((tenants: HeldEntries) =>
  [...tenants]
    .map(([name, tenant]) => `${name} ${getUnknownText(tenant, tenantFacts.fields) ?? ""}`)
    .sort()
    .join(),
);

const listBlocks = memoiseByObject((blocks: HeldEntries) => [...blocks.values()]);

/**
 * What a subject's grants in a state depend on, found without evaluating them: an equal string means equal grants. An
 * intermediate state gives a role only by grant paths that one of the ends has, with the internal users of either.
 */
export function createGrantsBasisFinder(
  ends: readonly [AccessModel, AccessModel],
): (touched: AccessModel, subject: Subject) => string {
  const numberOf = createRuleNumbers();
  const idOf = createObjectNumbers();
  const models = listWithCrossedUsers(ends);
  const rolesOf = memoiseByObject((subject: Subject) => [
    ...new Set(models.flatMap((model) => model.holdings(subject).map(({ role }) => role))),
  ]);
  const basisIn = memoiseByObject((model: AccessModel) =>
    memoiseByKey((role: string) => {
      const rules = model.rules(role);
      const mapping = model.state.mappings.get(role);
      return `${rules ? numberOf(rules) : "-"} ${mapping ? idOf(mapping) : "-"}`;
    }),
  );
  return (model, subject) => {
    const { blocks, tenants, settings, changedUsers } = model.state;
    const users = idOf(changedUsers?.held ?? none);
    return `${rolesOf(subject).map(basisIn(model))} ${idOf(blocks)} ${idOf(tenants)} ${idOf(settings)} ${users}`;
  };
}

export function createObjectNumbers(): (thing: object) => number {
  let last = 0;
  return memoiseByObject(() => ++last);
}

/**
 * Whether, by the rules alone, a state between two others grants a subject nothing that neither of them does, and all
 * that one of them does: where the same rules take from what the others grant, those others add up.
 */
export function isOfTheEnds(before: Grants, between: Grants, after: Grants): boolean {
  if (between.key === before.key || between.key === after.key) return true;
  const ends = [before, after];
  if (ends.some(({ restricting, others }) => restricting !== between.restricting || others !== between.others))
    return false;
  return addUp(before.rules, between.rules, after.rules);
}

/** Like `isOfTheEnds`, for what is granted on tenants. */
export function isOfTheEndsInTenants(before: Grants, between: Grants, after: Grants): boolean {
  const isOther = ({ others, restrictingTenants }: Grants): boolean =>
    others !== between.others || restrictingTenants !== between.restrictingTenants;
  if ([before, after].some(isOther)) return false;
  return addUp(before.ofTenants, between.ofTenants, after.ofTenants);
}

type Rules = ReadonlySet<string>;

function addUp(before: Rules, between: Rules, after: Rules): boolean {
  const ends = [before, after];
  return (
    [...between].every((rule) => ends.some((rules) => rules.has(rule))) &&
    ends.some((rules) => [...rules].every((rule) => between.has(rule)))
  );
}

/** Whether a role takes from what others grant. */
export function takesFromOthers(rules: RoleRules, model: AccessModel): boolean {
  const { index, notIndex, notCluster } = rules;
  if (notIndex.length > 0 || notCluster.length > 0 || takesGlobalTenant(rules, model)) return true;
  return index.some(({ restricts }) => removesLimits(model) || isRestricting(restricts));
}

/** The same number for rules that say the same. */
function createRuleNumbers(): (rules: RoleRules) => number {
  const numberOf = createTextNumbers();
  return memoiseByObject((rules) => numberOf(getRulesText(rules)));
}

function createTextNumbers(): (text: string) => number {
  let last = 0;
  return memoiseByKey(() => ++last);
}

/** The same for rules that say the same. */
export const getRulesText = memoiseByObject((rules: RoleRules) => JSON.stringify(rules));

const isSameForAll = memoiseByObject((rules: RoleRules) => !getRulesText(rules).includes("${"));
