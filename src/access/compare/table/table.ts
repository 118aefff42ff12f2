import { knownActions, patternsOfActionLevels } from "../../../dialects/requests.ts";
import { memoise, memoiseByKey, memoiseByObject } from "../../../json/memoise.ts";
import type { DifferenceDoubt, Limits, UnknownCondition } from "../../../model/access.ts";
import { getBlockedCondition } from "../../evaluate/blocked.ts";
import { getPatternCondition, resolveIndexPattern, widenPattern } from "../../evaluate/coverage.ts";
import {
  areMasksUnknown,
  findCertainLimits,
  hasRivals,
  type CoveredLimits as LimitsCovering,
  mayHaveRivals,
  removesLimits,
} from "../../evaluate/limits.ts";
import { type HeldRole, listHeldRules } from "../../evaluate/permission.ts";
import { sortConditions } from "../../explain/conditions.ts";
import type { AccessModel } from "../../model/access-model.ts";
import type { ExpandedPermission } from "../../model/groups.ts";
import { getHoldingCondition } from "../../model/holders.ts";
import { isRestricting } from "../../model/roles.ts";
import type { Subject } from "../../model/subject.ts";
import { matchesPattern } from "../../patterns/matches.ts";
import { isLiteral } from "../../patterns/syntax.ts";
import { type Condition, getConditionKey, joinAll, joinAny, negateCondition, toVerdict } from "../../verdict.ts";
import { verdicts } from "./codes.ts";
import {
  type CoveringRules,
  type CoveringsOfParts,
  combineAtMost,
  combineEither,
  getClusterSignature,
  listCoverings,
} from "./covering.ts";
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

/** A grant of which it is unknown whether it is held, or whether it matches the index or the action. */
export interface DoubtfulLimits extends DifferenceDoubt {
  /** The same for what grants the same, on the same condition. */
  readonly signature: string;
  readonly mayGrant: (action: number) => boolean;
}

/** What of the documents of an index is seen, by DLS, FLS and masking. */
export interface Sight {
  /** Two states with equal keys show the same, also where what they show is unknown. */
  readonly key: string;
  readonly coverings: readonly LimitsCovering[];
  readonly model: AccessModel;
  /** Which fields are masked, or how, is unknown, whatever else is known. */
  readonly masksAreUnsure: boolean;
}

/** Added to the actions of a table, so that what of the documents is seen is compared even if no role spells it out. */
export const dataReads = "indices:data/read*";

/** The cost of evaluating a table, in units of some two microseconds. */
export function estimateTableWork({ indices: { cells } }: Table): number {
  return 150 + (cells.length * cells.length) / 10;
}

export function buildTable(
  models: readonly AccessModel[],
  subject: Subject,
  part: PartFinder = createParting(),
  columnOf: (source: ColumnSource, at: number) => Column = (source) => createColumn(source),
): Table {
  const held = models.map((model) => listHeldRules(model, subject));
  const patterns = new Set<string>();
  const actionPatterns = new Set<string>([...patternsOfActionLevels, dataReads, ...knownActions]);
  const addActions = (list: readonly ExpandedPermission[]): void => {
    for (const { pattern } of list) if (isOfActions(pattern)) actionPatterns.add(pattern);
  };
  for (const [at, { state }] of models.entries()) {
    for (const { rules } of held[at] ?? []) {
      for (const rule of [...rules.index, ...rules.notIndex]) {
        for (const pattern of rule.patterns) {
          const meant = resolveIndexPattern(pattern, state.semantics, subject);
          const most = typeof meant === "object" ? widenPattern(pattern) : meant;
          if (most !== undefined) patterns.add(most);
        }
        addActions(rule.actions);
      }
      addActions(rules.cluster);
      addActions(rules.notCluster);
    }
  }
  const indices = part(patterns, "index");
  const actions = part(actionPatterns, "text");
  const columns = models.map((model, at) => columnOf({ model, held: held[at] ?? [], subject, indices, actions }, at));
  return { indices, actions, columns, part };
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

export function createColumn(
  source: ColumnSource,
  coverings: CoveringsOfParts = listCoverings(source),
  aside: ReadonlySet<string> = new Set(),
): Column {
  const { model, held, subject, indices, actions } = source;
  const { semantics, blocks } = model.state;
  const isLetIn = negateCondition(getBlockedCondition([...blocks.values()], subject));
  const letInCode = verdicts[toVerdict(isLetIn)];
  const grants = memoiseByKey((list: readonly ExpandedPermission[]) =>
    combineEither(
      actions,
      list.map(({ pattern }) => actions.matchedBy(pattern)),
    ),
  );
  const ofCluster = (field: "cluster" | "notCluster"): readonly CoveringRules[] =>
    held.map(({ holding, rules }) => ({
      role: holding.role,
      code: verdicts[holding.verdict],
      when: getHoldingCondition(holding),
      ...(holding.verdict === "unknown" && { depends: { kind: "role", role: holding.role } as const }),
      actions: rules[field],
      signature: getClusterSignature(rules[field], getHoldingCondition(holding)),
    }));
  const perhaps = memoiseByKey((list: readonly ExpandedPermission[]) => combineAtMost(grants(list), verdicts.unknown));
  const grantedBy = (all: readonly CoveringRules[]) =>
    all.flatMap(({ actions: list, code }) => {
      if (code === verdicts.no) return [];
      return [code === verdicts.yes ? grants(list) : perhaps(list)];
    });
  const codes = (given: readonly CoveringRules[], refused: readonly CoveringRules[]): Uint8Array => {
    const found = combineEither(actions, grantedBy(given));
    const against = combineEither(actions, grantedBy(refused));
    return found.map((code, action) => Math.min(code, letInCode, verdicts.yes - (against[action] ?? 0)));
  };
  const actionCondition = (list: readonly ExpandedPermission[], action: number): Condition => {
    const code = grants(list)[action];
    if (code !== verdicts.unknown) return code === verdicts.yes ? "yes" : "no";
    const { example = "" } = actions.cells[action] ?? {};
    return joinAny(list.map(({ pattern }) => getPatternCondition(pattern, matchesPattern(pattern, example))));
  };
  const granting = (all: readonly CoveringRules[], action: number): Condition =>
    joinAny(all.map((one) => joinAll([one.when, actionCondition(one.actions, action)])));
  const isDoubtful = ({ code, actions: list }: CoveringRules): boolean =>
    code === verdicts.unknown || grants(list).includes(verdicts.unknown);
  const isLeft = (one: CoveringRules): boolean => !aside.has(one.signature) || !isDoubtful(one);
  const excluding = coverings.excluding;
  const covering =
    aside.size === 0 ? coverings.covering : memoiseByKey((index: number) => coverings.covering(index).filter(isLeft));
  const ofAll = {
    given: memoise(() => ofCluster("cluster").filter(isLeft)),
    refused: memoise(() => ofCluster("notCluster")),
  };
  const doubtfulOfCluster = memoise(() => [...ofAll.given(), ...ofAll.refused()].filter(isDoubtful));
  // Many roles say the same of the same pattern.
  const doubtful = memoiseByKey((index: number): readonly CoveringRules[] => {
    const all = [...covering(index), ...excluding(index)].filter(isDoubtful);
    return [...new Map(all.map((one) => [one.signature, one])).values()];
  });
  const limiting = (index: number): readonly LimitsCovering[] => covering(index).flatMap(({ limits }) => limits ?? []);
  const removes = removesLimits(model);
  const isKept = (index: number): boolean => indices.cells[index]?.example === semantics.securityIndex;
  const signature = memoiseByKey((index: number): string => {
    const isOrdered = covering(index).some(({ limits }) => limits && mayHaveRivals(limits.restricts, model));
    const [given, refused] = [covering(index), excluding(index)].map((all) => {
      const signatures = all.map((one) => one.signature);
      return isOrdered ? signatures : [...new Set(signatures)].sort();
    });
    return `${getConditionKey(isLetIn)} ${given} but ${refused}`;
  });
  const keeps = (action: number): boolean => {
    const { example = "" } = actions.cells[action] ?? {};
    return semantics.securityIndexKeeps.some((pattern) => matchesPattern(pattern, example) === "yes");
  };
  const grantsOnly = ({ limits }: CoveringRules): boolean => !limits || (!removes && !isRestricting(limits.restricts));
  const doubtfulGrants = memoiseByKey((index: number): readonly DoubtfulLimits[] => {
    const given = index === ofNoIndex ? ofAll.given() : covering(index).filter(grantsOnly);
    return given.filter(isDoubtful).map(({ role, depends, signature, actions: list }) => ({
      role,
      depends: depends ? [depends] : list.map(({ pattern }) => ({ kind: "pattern", pattern })),
      signature,
      mayGrant: (action) => grants(list)[action] !== verdicts.no,
    }));
  });
  const columnWithout = memoiseByKey((signatures: string) =>
    createColumn(source, coverings, new Set(JSON.parse(signatures))),
  );
  return {
    doubtful: (index = ofNoIndex) => doubtfulGrants(index),
    without: (some) => columnWithout(JSON.stringify([...some].sort())),
    cluster: memoise(() => codes(ofAll.given(), ofAll.refused())),
    index: memoiseByKey((index) => {
      const found = codes(covering(index), excluding(index));
      if (!isKept(index)) return found;
      return found.map((code, action) => (keeps(action) ? verdicts.no : code));
    }),
    condition(action, index) {
      if (index !== undefined && isKept(index) && keeps(action)) return "no";
      const given = index === undefined ? ofAll.given() : covering(index);
      const refused = index === undefined ? ofAll.refused() : excluding(index);
      return joinAll([isLetIn, granting(given, action), negateCondition(granting(refused, action))]);
    },
    limits: memoiseByKey((index) => findCertainLimits(limiting(index), model)),
    sight: memoiseByKey((index) => {
      const coverings = limiting(index).filter(({ restricts }) => removes || isRestricting(restricts));
      // Which of several restrictions a server takes may depend on whatever else covers the index.
      const isUnsure = areMasksUnknown(coverings);
      const all = isUnsure || hasRivals(coverings, model) ? signature(index) : "";
      const key = [...new Set(coverings.map(getSightKey)), all].sort().join();
      return { key, coverings, model, masksAreUnsure: isUnsure };
    }),
    signature,
    doubts: memoiseByKey((index) => {
      if (typeof isLetIn !== "string" || excluding(index).some(isDoubtful)) return undefined;
      // Nothing that is unknown is granted for certain: all of it is by these.
      const signatures = doubtful(index).map(({ signature }) => signature);
      return signatures.sort().join();
    }),
    depends: (action, index) => {
      const reasons: readonly UnknownCondition[] = (
        index === undefined ? doubtfulOfCluster() : doubtful(index)
      ).flatMap((one): readonly UnknownCondition[] => {
        const granted = grants(one.actions)[action] ?? 0;
        if (Math.min(granted, one.code) !== verdicts.unknown) return [];
        if (one.code === verdicts.unknown) return one.depends ? [one.depends] : [];
        const { example = "" } = actions.cells[action] ?? {};
        return one.actions
          .filter(({ pattern }) => matchesPattern(pattern, example) === "unknown")
          .map(({ pattern }) => ({ kind: "pattern", pattern }) as const);
      });
      return sortConditions([...reasons, ...(letInCode === verdicts.unknown ? [{ kind: "blocks" } as const] : [])]);
    },
  };
}

const getSightKey = memoiseByObject(({ restricts, by }: LimitsCovering): string => {
  const places = isRestricting(restricts) ? by : [{ key: "", when: joinAny(by.map(({ when }) => when)) }];
  return JSON.stringify([restricts, places.map((place) => [place.key, getConditionKey(place.when)])]);
});

/** In the place of a part of the indices: cluster permissions. */
const ofNoIndex = -1;
