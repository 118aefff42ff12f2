// What a subject may do on an index, by the elements of its roles that cover it. Thousands of parts of hundreds of tables
// are covered by the same elements: they are one evaluation.
import { memoiseByObject } from "../../../json/memoise.ts";
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
import { createObjectNumbers, numberOfSemantics } from "./grants.ts";
import { type HeldOnAll, nothingOnAll } from "./held-on-all.ts";
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

/** What some elements grant, of the cluster or on an index, and others take away again; what is said of each is at `Column`. */
export interface GrantEvaluation {
  readonly given: readonly CoveringRules[];
  readonly refused: readonly CoveringRules[];
  /** A code of a verdict for each part of the actions. */
  readonly codes: () => Uint8Array;
  readonly condition: (action: number) => Condition;
  readonly signature: () => string;
  readonly limits: () => Limits;
  readonly sight: () => Sight;
  readonly doubtful: () => readonly CoveringRules[];
  readonly doubts: () => string | undefined;
  readonly doubtfulGrants: () => readonly DoubtfulLimits[];
}

type Covering = readonly CoveringRules[];

export interface Evaluator {
  /** Of the cluster. */
  readonly of: (given: Covering, refused: Covering) => GrantEvaluation;
  /** @param isKept whether it is the product's own index */
  readonly at: (given: Covering, refused: Covering, isKept: boolean, onAll?: HeldOnAll) => GrantEvaluation;
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

  // By equal rules another product may permit and show something else.
  const product = numberOfSemantics(semantics);
  const stateKey = `${product} ${getConditionKey(isLetIn)}`;
  const rules: EvaluatingRules = {
    codes({ given, refused, isKept, onAll }) {
      const found = combineEither(actions, grantedBy(given));
      if (refused.length === 0 && letInCode === verdicts.yes && !isKept && onAll.conditions.size === 0) return found;
      const against = combineEither(actions, grantedBy(refused));
      return found.map((code, action) => {
        if (isKept && isKeptBack(action)) return verdicts.no;
        const whole = verdicts[toVerdict(onAll.conditions.get(action) ?? "yes")];
        return Math.min(code, letInCode, verdicts.yes - (against[action] ?? 0), whole);
      });
    },
    condition({ given, refused, isKept, onAll }, action) {
      if (isKept && isKeptBack(action)) return "no";
      const whole = onAll.conditions.get(action) ?? "yes";
      return joinAll([isLetIn, granting(given, action), negateCondition(granting(refused, action)), whole]);
    },
    signature({ given, refused, onAll }) {
      const isOrdered = given.some(({ limits }) => limits && mayHaveRivals(limits.restricts, model));
      const [was, not] = [given, refused].map((all) => {
        const signatures = all.map((one) => one.signature);
        return isOrdered ? signatures : [...new Set(signatures)].sort();
      });
      return `${stateKey} ${was} but ${not} ${onAll.key}`;
    },
    limits: ({ given }) => findCertainLimits(listLimiting(given), model),
    sight(one) {
      const coverings = listLimiting(one.given).filter(({ restricts }) => removes || isRestricting(restricts));
      // Which of several restrictions a server takes may depend on whatever else covers the index.
      const isUnsure = areMasksUnknown(coverings, model);
      const all = isUnsure || hasRivals(coverings, model) ? one.signature() : "";
      const by = coverings.length === 0 ? "" : `${product} `;
      const key = by + [...new Set(coverings.map(getSightKey)), all].sort().join();
      return { key, coverings, model, masksAreUnsure: isUnsure };
    },
    // Many roles say the same of the same pattern.
    doubtful({ given, refused }) {
      const all = [...given, ...refused].filter(isDoubtful);
      return [...new Map(all.map((one) => [one.signature, one])).values()];
    },
    doubts(one) {
      if (typeof isLetIn !== "string" || one.refused.some(isDoubtful)) return undefined;
      // Nothing that is unknown is granted for certain: all of it is by these.
      const signatures = one.doubtful().map(({ signature }) => signature);
      return `${signatures.sort().join()} ${one.onAll.key}`;
    },
    doubtfulGrants: ({ given }) =>
      given
        .filter(grantsOnly)
        .filter(isDoubtful)
        .map(({ role, depends, signature, actions: list }) => ({
          role,
          depends: depends ? [depends] : list.map(({ pattern }) => ({ kind: "pattern", pattern })),
          signature,
          mayGrant: (action) => grants(list)[action] !== verdicts.no,
        })),
  };
  const known = new Map<string, GrantEvaluation>();
  return {
    of: (given, refused) => new LazyEvaluation(rules, given, refused, false, nothingOnAll),
    at(given, refused, isKept, onAll = nothingOnAll) {
      const key = `${listNumbers(given)}but${listNumbers(refused)}${isKept ? "kept" : ""} ${onAll.key}`;
      const found = known.get(key);
      if (found) return found;
      const made = new LazyEvaluation(rules, given, refused, isKept, onAll);
      known.set(key, made);
      return made;
    },
    grants,
    isDoubtful,
  };
}

export function listLimiting(given: readonly CoveringRules[]): readonly LimitsCovering[] {
  return given.flatMap(({ limits }): readonly LimitsCovering[] => (limits ? [limits] : []));
}

/** How each of an evaluation is worked out. */
type EvaluatingRules = {
  readonly [K in Exclude<keyof GrantEvaluation, "given" | "refused" | "condition">]: (
    one: LazyEvaluation,
  ) => ReturnType<GrantEvaluation[K]>;
} & { readonly condition: (one: LazyEvaluation, action: number) => Condition };

/** Each is worked out once, when it is first asked for. A class, as there are tens of thousands: it keeps what was asked for alone. */
class LazyEvaluation implements GrantEvaluation {
  readonly given: readonly CoveringRules[];
  readonly refused: readonly CoveringRules[];
  readonly isKept: boolean;
  readonly onAll: HeldOnAll;
  readonly #rules: EvaluatingRules;
  #codes: Uint8Array | undefined;
  #signature: string | undefined;
  #limits: Limits | undefined;
  #sight: Sight | undefined;
  #doubtful: readonly CoveringRules[] | undefined;
  #doubts: { readonly value: string | undefined } | undefined;
  #doubtfulGrants: readonly DoubtfulLimits[] | undefined;
  #conditions: Map<number, Condition> | undefined;

  constructor(
    rules: EvaluatingRules,
    given: readonly CoveringRules[],
    refused: readonly CoveringRules[],
    isKept: boolean,
    onAll: HeldOnAll,
  ) {
    this.#rules = rules;
    this.given = given;
    this.refused = refused;
    this.isKept = isKept;
    this.onAll = onAll;
  }

  codes(): Uint8Array {
    this.#codes ??= this.#rules.codes(this);
    return this.#codes;
  }

  condition(action: number): Condition {
    this.#conditions ??= new Map();
    const found = this.#conditions.get(action) ?? this.#rules.condition(this, action);
    this.#conditions.set(action, found);
    return found;
  }

  signature(): string {
    this.#signature ??= this.#rules.signature(this);
    return this.#signature;
  }

  limits(): Limits {
    this.#limits ??= this.#rules.limits(this);
    return this.#limits;
  }

  sight(): Sight {
    this.#sight ??= this.#rules.sight(this);
    return this.#sight;
  }

  doubtful(): readonly CoveringRules[] {
    this.#doubtful ??= this.#rules.doubtful(this);
    return this.#doubtful;
  }

  doubts(): string | undefined {
    this.#doubts ??= { value: this.#rules.doubts(this) };
    return this.#doubts.value;
  }

  doubtfulGrants(): readonly DoubtfulLimits[] {
    this.#doubtfulGrants ??= this.#rules.doubtfulGrants(this);
    return this.#doubtfulGrants;
  }
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
