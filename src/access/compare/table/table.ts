import { knownActions, patternsOfActionLevels } from "../../../dialects/requests.ts";
import type { Semantics } from "../../../dialects/semantics.ts";
import { memoise, memoiseByKey, memoiseByObject } from "../../../json/memoise.ts";
import type { Limits, UnknownCondition } from "../../../model/access.ts";
import { getBlockedCondition } from "../../evaluate/blocked.ts";
import { isOfOwnName, resolveIndexPattern, widenPattern } from "../../evaluate/coverage.ts";
import { listDecidingAliases } from "../../evaluate/covering-places.ts";
import { type HeldRole, listHeldRules } from "../../evaluate/permission.ts";
import { failingPatterns, hasFaults } from "../../evaluate/query-failures.ts";
import { sortConditions } from "../../explain/conditions.ts";
import type { AccessModel } from "../../model/access-model.ts";
import type { ExpandedPermission } from "../../model/groups.ts";
import { getHoldingCondition } from "../../model/holders.ts";
import { isRestricting, type RoleRules } from "../../model/roles.ts";
import type { HeldEntries } from "../../model/state.ts";
import type { Subject } from "../../model/subject.ts";
import { matchesPattern } from "../../patterns/matches.ts";
import { isLiteral } from "../../patterns/syntax.ts";
import { type Condition, negateCondition } from "../../verdict.ts";
import { verdicts } from "./codes.ts";
import {
  type CoveringRules,
  type CoveringsOfParts,
  createKnownCoverings,
  getClusterSignature,
  listCoverings,
} from "./covering.ts";
import {
  createEvaluatorFinder,
  type DoubtfulLimits,
  type EvaluatorFinder,
  type GrantEvaluation,
  type Sight,
} from "./evaluator.ts";
import { type FailingRules, findFailing } from "./failing.ts";
import { findHeldOnAll, type HeldOnAll } from "./held-on-all.ts";
import { createParting, type NameParts, type PartFinder } from "./parts.ts";

/** Everything that a subject may do on indices and the cluster, in each of several states, part by part. */
export interface Table {
  /** Names of indices, parted by the rules of all states. */
  readonly indices: NameParts;
  /** Actions likewise, of either level. */
  readonly actions: NameParts;
  readonly columns: readonly Column[];
  readonly part: PartFinder;
}

/** What a subject may do in one state. */
export interface Column {
  /** Whether it holds cluster permissions: a code of a verdict for each part of `actions`. */
  readonly cluster: () => Uint8Array;
  /** The same for permissions on an index, by its part of `indices`. */
  readonly index: (index: number) => Uint8Array;
  /** On what it depends whether it holds one of these; a table of codes alone does not show what is unknown alike. */
  readonly condition: (action: number, index?: number) => Condition;
  /** What it sees of an index. */
  readonly limits: (index: number) => Limits;
  /** The restrictions by which it sees that, each with the condition on which it applies. */
  readonly sight: (index: number) => Sight;
  /** The same text for two states in which an index is covered by the same rules, on the same conditions. */
  readonly signature: (index: number) => string;
  /** The same object where the same elements cover an index, on the same conditions: then all that is above is the same. */
  readonly evaluation: (index: number) => object;
  /**
   * The same text for two states in which whatever is unknown of an index, of any action, is unknown alike; undefined
   * where that takes a closer look.
   */
  readonly doubts: (index: number) => string | undefined;
  /** On what it depends, where that is unknown. */
  readonly depends: (action: number, index?: number) => readonly UnknownCondition[];
  /** Grants that are unknown, and nothing but grants: on an index, or of cluster permissions. */
  readonly doubtful: (index?: number) => readonly DoubtfulLimits[];
  /** The same state without some of these, by their signatures. */
  readonly without: (aside: ReadonlySet<string>) => Column;
}

/** Added to the actions of a table, so that what of the documents is seen is compared even if no role spells it out. */
const dataReads = "indices:data/read*";

/** Which parts show documents, as codes of verdicts. A point in time is searched by another action. */
export const findReads = memoiseByObject((actions: NameParts): Uint8Array => {
  const isOfPointInTime = (at: number) => actions.cells[at]?.example.startsWith("indices:data/read/point_in_time/");
  return actions.matchedBy(dataReads).map((code, at) => (isOfPointInTime(at) ? verdicts.no : code));
});

/** The cost of evaluating a table, in units of some two microseconds. */
export function estimateTableWork({ indices: { cells } }: Table): number {
  return 150 + (cells.length * cells.length) / 10;
}

export function buildTable(
  models: readonly AccessModel[],
  subject: Subject,
  part: PartFinder = createParting(),
  columnOf: (source: ColumnSource, at: number) => Column = createColumnMaker(),
  partsOf: RulePartsFinder = (rules) => partitionByRules(rules, subject, part),
): Table {
  const held = models.map((model) => listDistinctRules(model, subject));
  // Most of what is held is held in all of the states.
  const rules = new Map<RoleRules, Semantics>();
  for (const [at, { state }] of models.entries()) {
    for (const one of held[at] ?? []) if (!rules.has(one.rules)) rules.set(one.rules, state.semantics);
  }
  const { indices, actions } = partsOf(rules);
  const columns = models.map((model, at) => columnOf({ model, held: held[at] ?? [], subject, indices, actions }, at));
  return { indices, actions, columns, part };
}

/** Rules that are held, each with how its product evaluates requests. */
export type HeldRules = ReadonlyMap<RoleRules, Semantics>;

export type RulePartsFinder = (rules: HeldRules) => Pick<Table, "indices" | "actions">;

/** Parts indices and actions by all patterns of some rules. */
export function partitionByRules(
  all: HeldRules,
  subject: Subject,
  part: PartFinder,
): Pick<Table, "indices" | "actions"> {
  const patterns = new Set<string>();
  const actionPatterns = new Set<string>([...patternsOfActionLevels, dataReads, ...knownActions]);
  const addActions = (list: readonly ExpandedPermission[]): void => {
    for (const { pattern } of list)
      if (!actionPatterns.has(pattern) && isOfActions(pattern)) actionPatterns.add(pattern);
  };
  for (const [rules, semantics] of all) {
    const restricting = new Set<object>(rules.index.filter(({ restricts }) => isRestricting(restricts)));
    for (const rule of [...rules.index, ...rules.notIndex]) {
      for (const pattern of rule.patterns) {
        const meant = resolveIndexPattern(pattern, semantics, subject);
        const most = typeof meant === "object" ? widenPattern(pattern) : meant;
        if (most !== undefined) patterns.add(most);
        if (most !== undefined && restricting.has(rule))
          for (const alias of listDecidingAliases(most, semantics)) patterns.add(alias);
        // Who has no right on the product's own index has none on all, before and after.
        if (most === undefined || matchesPattern(most, semantics.securityIndex) === "no") continue;
        for (const action of semantics.askedOnAll) actionPatterns.add(action);
      }
      addActions(rule.actions);
    }
    if (hasFaults(rules, semantics, subject)) for (const pattern of failingPatterns) actionPatterns.add(pattern);
    addActions(rules.cluster);
    addActions(rules.notCluster);
  }
  const [semantics] = all.values();
  return { indices: part(patterns, "index", semantics), actions: part(actionPatterns, "text") };
}

/** Without roles that are held for certain once more: that another member gives them as well says nothing of what they grant. */
export function listDistinctRules(model: AccessModel, subject: Subject): readonly HeldRole[] {
  const seen = new Set<RoleRules>();
  return listHeldRules(model, subject).filter(({ holding, rules }) => {
    if (holding.verdict !== "yes") return true;
    if (seen.has(rules)) return false;
    seen.add(rules);
    return true;
  });
}

/** Names of groups that stay patterns, and of groups that do not exist, match no action: each action has a colon. */
function isOfActions(pattern: string): boolean {
  return pattern.includes(":") || !isLiteral(pattern);
}

/** What a column is made from. */
export interface ColumnSource {
  readonly model: AccessModel;
  readonly held: readonly HeldRole[];
  readonly subject: Subject;
  readonly indices: NameParts;
  readonly actions: NameParts;
}

/** Makes columns; what the states and subjects of a plan have in common is worked out once. */
export function createColumnMaker(): (source: ColumnSource) => Column {
  const known = createKnownCoverings();
  const evaluatorFor = createEvaluatorFinder();
  return (source) => {
    const coverings = listCoverings({ ...source, known });
    return createColumn(source, { coverings, failing: findFailing(source, coverings, known), evaluatorFor });
  };
}

interface ColumnParts {
  readonly coverings: CoveringsOfParts;
  readonly failing: FailingRules;
  readonly evaluatorFor: EvaluatorFinder;
  /** Signatures of what is left out where it is unknown. */
  readonly aside?: ReadonlySet<string>;
}

function createColumn(
  source: ColumnSource,
  { coverings, failing, evaluatorFor, aside = new Set() }: ColumnParts,
): Column {
  const { model, held, subject, indices, actions } = source;
  const isLetIn = negateCondition(getBlockedCondition(listBlocks(model.state.blocks), subject));
  const evaluator = evaluatorFor(model, actions, isLetIn);
  const { grants, isDoubtful } = evaluator;
  const isLeft = (one: CoveringRules): boolean => !aside.has(one.signature) || !isDoubtful(one);
  const isKept = (index: number): boolean => indices.cells[index]?.example === model.state.semantics.securityIndex;
  const evaluate = (index: number, isMeant: (one: CoveringRules) => boolean, onAll?: HeldOnAll): GrantEvaluation => {
    // What is asked for on all indices fails by what is about those that a request names.
    const refused = [...coverings.excluding(index), ...(onAll ? failing.at(index) : [])];
    return evaluator.at(coverings.covering(index).filter(isMeant), refused, isKept(index), onAll);
  };
  const onAll = memoise(() =>
    findHeldOnAll({
      model,
      indices,
      actions,
      at: (index) => evaluate(index, (one) => isLeft(one) && !isByOwnName(one)),
    }),
  );
  const at = memoiseByKey((index: number): GrantEvaluation => evaluate(index, isLeft, onAll()));
  const ofCluster = (field: "cluster" | "notCluster"): readonly CoveringRules[] =>
    held.map(({ holding, rules }) => ({
      number: 0,
      role: holding.role,
      code: verdicts[holding.verdict],
      when: getHoldingCondition(holding),
      ...(holding.verdict === "unknown" && { depends: { kind: "role", role: holding.role } as const }),
      actions: rules[field],
      signature: getClusterSignature(rules[field], getHoldingCondition(holding)),
    }));
  const cluster = memoise(() =>
    evaluator.of(ofCluster("cluster").filter(isLeft), [...ofCluster("notCluster"), ...failing.ofCluster()]),
  );
  const evaluationOf = (index?: number): GrantEvaluation => (index === undefined ? cluster() : at(index));
  const doubtfulOfCluster = memoise(() => {
    const { given, refused } = cluster();
    return [...given, ...refused].filter(isDoubtful);
  });
  const columnWithout = memoiseByKey((signatures: string) =>
    createColumn(source, { coverings, failing, evaluatorFor, aside: new Set(JSON.parse(signatures)) }),
  );
  return {
    doubtful: (index) => evaluationOf(index).doubtfulGrants(),
    without: (some) => columnWithout(JSON.stringify([...some].sort())),
    cluster: () => cluster().codes(),
    index: (index) => at(index).codes(),
    condition: (action, index) => evaluationOf(index).condition(action),
    limits: (index) => at(index).limits(),
    sight: (index) => at(index).sight(),
    signature: (index) => at(index).signature(),
    evaluation: at,
    doubts: (index) => at(index).doubts(),
    depends: (action, index) => {
      const doubtful = index === undefined ? doubtfulOfCluster() : at(index).doubtful();
      const reasons: readonly UnknownCondition[] = doubtful.flatMap((one): readonly UnknownCondition[] => {
        const granted = grants(one.actions)[action] ?? 0;
        if (Math.min(granted, one.code) !== verdicts.unknown) return [];
        if (one.code === verdicts.unknown) return one.depends ? [one.depends] : [];
        const { example = "" } = actions.cells[action] ?? {};
        return one.actions
          .filter(({ pattern }) => matchesPattern(pattern, example) === "unknown")
          .map(({ pattern }) => ({ kind: "pattern", pattern }) as const);
      });
      const isOpen = typeof isLetIn !== "string";
      const isOfAll = index !== undefined && typeof onAll().conditions.get(action) === "object";
      return sortConditions([
        ...reasons,
        ...(isOpen ? [{ kind: "blocks" } as const] : []),
        ...(isOfAll ? [{ kind: "indices" } as const] : []),
      ]);
    },
  };
}

function isByOwnName({ depends }: CoveringRules): boolean {
  return depends?.kind === "pattern" && isOfOwnName(depends.pattern);
}

const listBlocks = memoiseByObject((blocks: HeldEntries) => [...blocks.values()]);
