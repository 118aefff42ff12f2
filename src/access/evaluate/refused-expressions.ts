// Which requests a server fails over as an index pattern of a role becomes, with the values of a subject in place of its
// variables, a regular expression that Java refuses. Tried on OpenSearch 2.19.1 and 3.4.0, Search Guard 7.5.1-38 and 6.5.4-24.
import type { Semantics } from "../../dialects/semantics.ts";
import { memoiseByObject } from "../../json/memoise.ts";
import type { AccessModel } from "../model/access-model.ts";
import { getHoldingCondition, type Holding } from "../model/holders.ts";
import { type IndexRule, isRestricting, type RoleRules } from "../model/roles.ts";
import { needsOneRole } from "../model/settings.ts";
import type { Subject } from "../model/subject.ts";
import { parseJavaRegex } from "../patterns/java-regex.ts";
import { explainRefusedExpression } from "../patterns/refused-regex.ts";
import { getExpressionText } from "../patterns/syntax.ts";
import { type Condition, createFact, joinAll, joinAny, toCondition, toVerdict, type Verdict } from "../verdict.ts";
import { resolveVariables } from "./coverage.ts";

/** A role that exists, and by what a subject holds it. */
export interface HeldRole {
  readonly holding: Holding;
  readonly rules: RoleRules;
}

/** With roles that refuse what the server fails over, because of a pattern of one that is held. */
export function addFailures(held: readonly HeldRole[], model: AccessModel, subject: Subject): readonly HeldRole[] {
  const { refusedExpressions } = model.state.semantics;
  if (!refusedExpressions) return held;
  const refused = held.flatMap((one) => listRefused(one, model.state.semantics, subject));
  if (refused.length === 0) return held;
  const { beside, cluster, alwaysOnIndices, onlyFilledIn } = refusedExpressions;
  const restricted = joinAny(
    held.filter(({ rules }) => isRestrictingRole(rules)).map(({ holding }) => getHoldingCondition(holding)),
  );
  const ofAll = refused.flatMap((one) => {
    const restricts = isRestricting(one.rule.restricts) ? "yes" : "no";
    const isReached = toCondition(onlyFilledIn && hasOtherRestrictions(one.rules) ? "unknown" : "yes", () =>
      JSON.stringify(["is come to", one.pattern]),
    );
    const when = joinAll([one.when, beside === "held" ? restricted : restricts, isReached]);
    return createRefusing(one, when, failAll(cluster));
  });
  if (!alwaysOnIndices) return [...held, ...ofAll];
  const free = refused.filter(({ rule }) => beside === "held" || !isRestricting(rule.restricts));
  if (!needsOneRole(model)) {
    const failing = model.state.settings.reducesRequests ? failReducedOnIndices : failOnIndices;
    return [...held, ...ofAll, ...free.flatMap((one) => createRefusing(one, one.when, failing(one.rule)))];
  }
  // It tries one role after the other, until one grants all: in an order that only the server knows.
  const order = createFact(JSON.stringify(["is tried first", held.map(({ rules }) => numberOf(rules))]));
  const broken = new Set(refused.filter(({ verdict }) => verdict === "yes").map(({ rules }) => rules));
  return [
    ...held.map((one) => (broken.has(one.rules) ? { ...one, rules: withoutIndexGrants(one.rules) } : one)),
    ...ofAll,
    ...free.flatMap((one) => createRefusing(one, joinAll([one.when, order]), failOnIndices(one.rule))),
  ];
}

/** An element with a pattern that Java refuses, or may. */
interface Refused extends HeldRole {
  readonly rule: IndexRule;
  readonly pattern: string;
  readonly verdict: Verdict;
  readonly when: Condition;
}

function listRefused({ holding, rules }: HeldRole, semantics: Semantics, subject: Subject): readonly Refused[] {
  return listRefusable(rules).flatMap(({ rule, pattern }): readonly Refused[] => {
    const verdict = isRefused(pattern, semantics, subject);
    const isMeant = toCondition(verdict, () => JSON.stringify(["is refused", pattern]));
    const when = joinAll([getHoldingCondition(holding), isMeant]);
    return verdict === "no" ? [] : [{ holding, rules, rule, pattern, verdict, when }];
  });
}

/** Of thousands of patterns hardly any. */
const listRefusable = memoiseByObject(({ index }: RoleRules) =>
  index.flatMap((rule) => rule.patterns.filter(mayBeRefused).map((pattern) => ({ rule, pattern }))),
);

/** Whether a pattern is a regular expression that Java refuses, or may become one. */
export function mayBeRefused(pattern: string): boolean {
  const source = getExpressionText(pattern);
  return pattern.includes("${") || (source !== undefined && parseJavaRegex(source) === undefined);
}

function isRefused(pattern: string, semantics: Semantics, subject: Subject): Verdict {
  if (semantics.dotsMatchNothing && pattern.includes(".")) return "no";
  if (semantics.refusedExpressions?.onlyFilledIn && !pattern.includes("${")) return "no";
  const written = getExpressionText(pattern);
  // Of an expression itself, the order of backend roles decides nothing here.
  const meant = resolveVariables(written ?? pattern, semantics, subject);
  if (typeof meant !== "string") return written === undefined ? "no" : "unknown";
  const source = written === undefined ? getExpressionText(meant) : meant;
  if (source === undefined) return "no";
  if (explainRefusedExpression(source, semantics) !== undefined) return "yes";
  const isRead = (text: string): boolean => parseJavaRegex(text) !== undefined;
  // What is not read with any value is taken for what was tried by those who wrote it.
  return isRead(source) || !isRead((written ?? pattern).replace(/\$\{[^}]*\}/g, "x")) ? "no" : "unknown";
}

function createRefusing({ holding, pattern }: Refused, when: Condition, rules: RoleRules): readonly HeldRole[] {
  return createFailure(holding, { kind: "refused-expression", pattern, when }, rules);
}

/** A role that refuses what a server fails over, on a condition. */
export function createFailure(
  holding: Holding,
  failing: NonNullable<Holding["failing"]>,
  rules: RoleRules,
): readonly HeldRole[] {
  const verdict = toVerdict(failing.when);
  return verdict === "no" ? [] : [{ holding: { ...holding, verdict, failing }, rules }];
}

const isRestrictingRole = memoiseByObject(({ index }: RoleRules) =>
  index.some(({ restricts }) => isRestricting(restricts)),
);

/** Where a role restricts an index by another pattern, the server may never come to this one. */
const hasOtherRestrictions = memoiseByObject(
  ({ index }: RoleRules) =>
    index.filter(({ restricts }) => isRestricting(restricts)).flatMap(({ patterns }) => patterns).length > 1,
);

const refusing: RoleRules = { name: "", cluster: [], index: [], tenants: [], notCluster: [], notIndex: [] };
const toPermissions = (patterns: readonly string[]) => patterns.map((pattern) => ({ pattern, via: [] }));
const refuse = (patterns: readonly string[]): RoleRules["notIndex"] => [
  { patterns: ["*"], actions: toPermissions(patterns) },
];

const failAll = memoiseByObject(
  (cluster: readonly string[]): RoleRules => ({
    ...refusing,
    notCluster: toPermissions(cluster),
    notIndex: refuse(["*"]),
  }),
);

const onIndices: RoleRules = { ...refusing, notIndex: refuse(["*"]) };
const failOnIndices = (_: IndexRule): RoleRules => onIndices;

/** Of requests that are reduced, those alone that the element grants. */
const failReducedOnIndices = memoiseByObject(
  ({ actions }: IndexRule): RoleRules => ({
    ...refusing,
    notIndex: refuse([notReduced, ...actions.map(({ pattern }) => pattern)]),
  }),
);

const notReduced =
  "/(?!indices:data\\/read\\/|indices:admin\\/mappings\\/fields\\/get|indices:admin\\/shards\\/search_shards).*/";

const withoutIndexGrants = memoiseByObject(
  (rules: RoleRules): RoleRules => ({ ...rules, index: rules.index.map((rule) => ({ ...rule, actions: [] })) }),
);

let last = 0;
const numberOf = memoiseByObject((_: RoleRules) => ++last);
