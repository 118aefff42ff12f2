// What a subject may do on an index, by the elements of its roles that cover it. Thousands of parts of hundreds of tables
// are covered by the same elements: they are one evaluation.
import { memoise, memoiseByKey, memoiseByObject } from "../../../json/memoise.ts";
import type { DifferenceDoubt, Limits } from "../../../model/access.ts";
import { getPatternCondition } from "../../evaluate/coverage.ts";
import {
  areMasksUnknown,
  findCertainLimits,
  hasRivals,
  type CoveredLimits as LimitsCovering,
  mayHaveRivals,
  removesLimits,
} from "../../evaluate/limits.ts";
import type { AccessModel } from "../../model/access-model.ts";
import type { ExpandedPermission } from "../../model/groups.ts";
import { isRestricting } from "../../model/roles.ts";
import { matchesPattern } from "../../patterns/matches.ts";
import { type Condition, getConditionKey, joinAll, joinAny, negateCondition, toVerdict } from "../../verdict.ts";
import { verdicts } from "./codes.ts";
import { type CoveringRules, combineAtMost, combineEither } from "./covering.ts";
import { createObjectNumbers } from "./grants.ts";
import type { NameParts } from "./parts.ts";

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

/** What some elements grant, and others take away again. */
export interface GrantEvaluation {
  readonly given: readonly CoveringRules[];
  readonly refused: readonly CoveringRules[];
  /** A code of a verdict for each part of the actions. */
  readonly codes: () => Uint8Array;
  readonly condition: (action: number) => Condition;
  readonly doubtfulGrants: () => readonly DoubtfulLimits[];
}

/** The same of a part of the indices; what is said of each is at `Column`. */
export interface PartEvaluation extends GrantEvaluation {
  readonly signature: () => string;
  readonly limits: () => Limits;
  readonly sight: () => Sight;
  readonly doubtful: () => readonly CoveringRules[];
  readonly doubts: () => string | undefined;
}

export interface Evaluator {
  /** Of the cluster. */
  readonly of: (given: readonly CoveringRules[], refused: readonly CoveringRules[]) => GrantEvaluation;
  /** @param isKept whether it is the product's own index */
  readonly at: (given: readonly CoveringRules[], refused: readonly CoveringRules[], isKept: boolean) => PartEvaluation;
  /** By some permissions, as codes of verdicts. */
  readonly grants: (list: readonly ExpandedPermission[]) => Uint8Array;
  /** Whether it is unknown what it grants, or whether it does. */
  readonly isDoubtful: (one: CoveringRules) => boolean;
}

/** One for each sort of states, actions, and whether blocks let the subject in. */
export type EvaluatorFinder = (model: AccessModel, actions: NameParts, isLetIn: Condition) => Evaluator;

export function createEvaluatorFinder(): EvaluatorFinder {
  const numberOf = createObjectNumbers();
  const known = new Map<string, Evaluator>();
  return (model, actions, isLetIn) => {
    const { semantics, settings } = model.state;
    const key = [numberOf(actions), numberOf(semantics), describeSettings(settings), getConditionKey(isLetIn)].join(
      " ",
    );
    const evaluator = known.get(key) ?? createEvaluator({ model, actions, isLetIn });
    known.set(key, evaluator);
    return evaluator;
  };
}

const describeSettings = memoiseByObject((settings: AccessModel["state"]["settings"]) => JSON.stringify(settings));

interface EvaluatorSource {
  /** Of its state only how requests are evaluated counts. */
  readonly model: AccessModel;
  readonly actions: NameParts;
  readonly isLetIn: Condition;
}

function createEvaluator({ model, actions, isLetIn }: EvaluatorSource): Evaluator {
  const { semantics } = model.state;
  const removes = removesLimits(model);
  const letInCode = verdicts[toVerdict(isLetIn)];
  const grants = memoiseByObject((list: readonly ExpandedPermission[]) =>
    combineEither(
      actions,
      list.map(({ pattern }) => actions.matchedBy(pattern)),
    ),
  );
  const perhaps = memoiseByObject((list: readonly ExpandedPermission[]) =>
    combineAtMost(grants(list), verdicts.unknown),
  );
  const grantedBy = (all: readonly CoveringRules[]) =>
    all.flatMap(({ actions: list, code }) => {
      if (code === verdicts.no) return [];
      return [code === verdicts.yes ? grants(list) : perhaps(list)];
    });
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
  const isKeptBack = (action: number): boolean => {
    const { example = "" } = actions.cells[action] ?? {};
    return semantics.securityIndexKeeps.some((pattern) => matchesPattern(pattern, example) === "yes");
  };
  const grantsOnly = ({ limits }: CoveringRules): boolean => !limits || (!removes && !isRestricting(limits.restricts));

  const of = (given: readonly CoveringRules[], refused: readonly CoveringRules[]): GrantEvaluation => ({
    given,
    refused,
    codes: memoise(() => {
      const found = combineEither(actions, grantedBy(given));
      if (refused.length === 0 && letInCode === verdicts.yes) return found;
      const against = combineEither(actions, grantedBy(refused));
      return found.map((code, action) => Math.min(code, letInCode, verdicts.yes - (against[action] ?? 0)));
    }),
    condition: memoiseByKey((action: number) =>
      joinAll([isLetIn, granting(given, action), negateCondition(granting(refused, action))]),
    ),
    doubtfulGrants: memoise(() =>
      given
        .filter(grantsOnly)
        .filter(isDoubtful)
        .map(({ role, depends, signature, actions: list }) => ({
          role,
          depends: depends ? [depends] : list.map(({ pattern }) => ({ kind: "pattern", pattern })),
          signature,
          mayGrant: (action) => grants(list)[action] !== verdicts.no,
        })),
    ),
  });

  const ofPart = (
    given: readonly CoveringRules[],
    refused: readonly CoveringRules[],
    isKept: boolean,
  ): PartEvaluation => {
    const whole = of(given, refused);
    const limiting = given.flatMap(({ limits }): readonly LimitsCovering[] => (limits ? [limits] : []));
    // Many roles say the same of the same pattern.
    const doubtful = memoise((): readonly CoveringRules[] => {
      const all = [...given, ...refused].filter(isDoubtful);
      return [...new Map(all.map((one) => [one.signature, one])).values()];
    });
    const signature = memoise((): string => {
      const isOrdered = limiting.some(({ restricts }) => mayHaveRivals(restricts, model));
      const [was, not] = [given, refused].map((all) => {
        const signatures = all.map((one) => one.signature);
        return isOrdered ? signatures : [...new Set(signatures)].sort();
      });
      return `${getConditionKey(isLetIn)} ${was} but ${not}`;
    });
    return {
      ...whole,
      codes: isKept
        ? memoise(() => whole.codes().map((code, action) => (isKeptBack(action) ? verdicts.no : code)))
        : whole.codes,
      condition: isKept ? (action) => (isKeptBack(action) ? "no" : whole.condition(action)) : whole.condition,
      signature,
      limits: memoise(() => findCertainLimits(limiting, model)),
      sight: memoise(() => {
        const coverings = limiting.filter(({ restricts }) => removes || isRestricting(restricts));
        // Which of several restrictions a server takes may depend on whatever else covers the index.
        const isUnsure = areMasksUnknown(coverings);
        const all = isUnsure || hasRivals(coverings, model) ? signature() : "";
        const key = [...new Set(coverings.map(getSightKey)), all].sort().join();
        return { key, coverings, model, masksAreUnsure: isUnsure };
      }),
      doubtful,
      doubts: memoise(() => {
        if (typeof isLetIn !== "string" || refused.some(isDoubtful)) return undefined;
        // Nothing that is unknown is granted for certain: all of it is by these.
        const signatures = doubtful().map((one) => one.signature);
        return signatures.sort().join();
      }),
    };
  };
  const known = new Map<string, PartEvaluation>();
  return {
    of,
    at(given, refused, isKept) {
      const key = `${listNumbers(given)}but${listNumbers(refused)}${isKept ? "kept" : ""}`;
      const found = known.get(key) ?? ofPart(given, refused, isKept);
      known.set(key, found);
      return found;
    },
    grants,
    isDoubtful,
  };
}

function listNumbers(all: readonly CoveringRules[]): string {
  let numbers = "";
  for (const { number } of all) numbers += `${number} `;
  return numbers;
}

const getSightKey = memoiseByObject(({ restricts, by }: LimitsCovering): string => {
  const places = isRestricting(restricts) ? by : [{ key: "", when: joinAny(by.map(({ when }) => when)) }];
  return JSON.stringify([restricts, places.map((place) => [place.key, getConditionKey(place.when)])]);
});
