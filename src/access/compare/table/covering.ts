import { memoise, memoiseByKey, memoiseByObject } from "../../../json/memoise.ts";
import type { UnknownCondition } from "../../../model/access.ts";
import {
  allIndices,
  coversIndex,
  everything,
  getPatternCondition,
  resolveIndexPattern,
  resolveVariables,
  widenPattern,
} from "../../evaluate/coverage.ts";
import { findCoveringPlaces, getRestrictionPattern, listDroppingNames } from "../../evaluate/covering-places.ts";
import { type CoveredLimits as LimitsCovering, listElementConditions } from "../../evaluate/limits.ts";
import type { HeldRole } from "../../evaluate/permission.ts";
import type { AccessModel } from "../../model/access-model.ts";
import type { ExpandedPermission } from "../../model/groups.ts";
import { getHoldingCondition, type Holding } from "../../model/holders.ts";
import { type IndexRule, isRestricting } from "../../model/roles.ts";
import type { Subject } from "../../model/subject.ts";
import { type Condition, getConditionKey, joinAll, joinAny, toVerdict } from "../../verdict.ts";
import { decodeVerdict, verdicts } from "./codes.ts";
import type { NameParts } from "./parts.ts";

/** An element of a role that covers an index, or may. */
export interface CoveringRules {
  /** Another one for each object that covers indices; 0 for one of the cluster. */
  readonly number: number;
  readonly role: string;
  readonly code: number;
  readonly when: Condition;
  /** What it depends on; absent where it is known, or where only its actions are unknown. */
  readonly depends?: UnknownCondition;
  readonly actions: readonly ExpandedPermission[];
  /** The same for what says the same of actions and restrictions, and covers an index on the same condition. */
  readonly signature: string;
  /** What it leaves to be seen, and on what condition. */
  readonly limits?: LimitsCovering;
}

interface CoveringSource {
  readonly model: AccessModel;
  readonly held: readonly HeldRole[];
  readonly subject: Subject;
  readonly indices: NameParts;
  readonly known: KnownCoverings;
}

/**
 * What elements of roles cover, by how it is held and what each of its patterns matches: the same object for all subjects
 * and states of a plan, as thousands of them have the same roles.
 */
export interface KnownCoverings {
  readonly of: (rule: object) => (held: string) => Map<string, CoveringRules>;
  readonly next: () => number;
}

export function createKnownCoverings(): KnownCoverings {
  let last = 0;
  return {
    of: memoiseByObject(() => memoiseByKey(() => new Map<string, CoveringRules>())),
    next: () => ++last,
  };
}

/** In place of a part of the indices: all that there are, at once. */
export const onAllIndices = -1;

export interface CoveringsOfParts {
  /** What covers the indices of a part; of `onAllIndices`, what does by itself. */
  readonly covering: (index: number) => readonly CoveringRules[];
  /** What takes from the indices of a part. */
  readonly excluding: (index: number) => readonly CoveringRules[];
}

/** How a pattern reaches the parts of the indices, for one subject. */
interface PatternReach {
  readonly pattern: string;
  readonly codeAt: (index: number) => number;
  /** Those that it reaches, or may. */
  readonly parts: readonly number[];
}

/** How an element of a role reaches the parts of the indices. */
interface Reach {
  readonly patterns: readonly PatternReach[];
  readonly parts: readonly number[];
  /** @param code whether its patterns reach the part, for any holder of the role */
  readonly at: (index: number, code: number) => Pick<CoveringRules, "code" | "when" | "depends">;
}

/** What of the roles that a subject holds covers each part of the indices. */
export function listCoverings({ model, held, subject, indices, known }: CoveringSource): CoveringsOfParts {
  const { semantics } = model.state;
  const reachOf = memoiseByKey((pattern: string): PatternReach => {
    const meant = resolveIndexPattern(pattern, semantics, subject);
    const most = typeof meant === "object" ? widenPattern(pattern) : meant;
    if (meant === undefined) return { pattern, codeAt: () => verdicts.no, parts: [] };
    const onAll = memoise(() => verdicts[coversIndex(pattern, allIndices, semantics, subject)]);
    const atPart = most === undefined ? () => verdicts.unknown : indices.codesOf(most);
    const greatest = typeof meant === "string" ? verdicts.yes : verdicts.unknown;
    return {
      pattern,
      codeAt: (index) => (index === onAllIndices ? onAll() : Math.min(atPart(index), greatest)),
      parts: most === undefined ? indices.every : indices.listMatched(most),
    };
  });
  const reachOfAll = (
    holding: Holding,
    texts: readonly string[],
    others: readonly Condition[],
    hinges: IndexRule["hinges"],
  ): Reach => {
    const patterns = texts.map(reachOf);
    const isSure = others.every((one) => one === "yes");
    const doubt: UnknownCondition = hinges ? { kind: hinges } : { kind: "role", role: holding.role };
    return {
      patterns,
      parts: listParts(patterns),
      at(index, matched) {
        const code = Math.min(matched, isSure ? verdicts.yes : verdicts.unknown);
        if (code !== verdicts.unknown) return { code, when: code === verdicts.yes ? "yes" : "no" };
        const found = patterns.map(({ pattern, codeAt }) => ({ pattern, verdict: decodeVerdict(codeAt(index)) }));
        const own = found.map(({ pattern, verdict }) => getPatternCondition(pattern, verdict));
        const unsure = found.find(({ verdict }) => verdict === "unknown")?.pattern ?? "";
        const depends = matched === verdicts.yes ? doubt : ({ kind: "pattern", pattern: unsure } as const);
        return { code, when: joinAll([...others, joinAny(own)]), depends };
      },
    };
  };
  // What variables stand for decides what a pattern means; all else of a pattern is the same for all subjects.
  const describeHeld = (holding: Holding, patterns: readonly string[]): string => {
    const variable = patterns.filter((pattern) => pattern.includes("${"));
    const meant = variable.map((pattern) => resolveVariables(pattern, semantics, subject));
    const condition = getConditionKey(getHoldingCondition(holding));
    return variable.length === 0 ? condition : `${condition} ${JSON.stringify(meant)}`;
  };
  const reaching = held.flatMap(({ holding, rules }) =>
    rules.index.map((rule) => {
      const { patterns, hinges } = rule;
      const others = listElementConditions(holding, rule);
      const by = reachOfAll(holding, patterns, others, hinges);
      const limiting = patterns.includes("_all")
        ? patterns.map((one) => getRestrictionPattern(one, semantics)).map(reachOf)
        : by.patterns;
      return {
        role: holding.role,
        rule,
        others,
        by,
        limiting,
        parts: limiting === by.patterns ? by.parts : listParts(limiting),
        isOpen: !isRestricting(rule.restricts) && limiting === by.patterns,
        // Of several restrictions of a role only the last one may count.
        isOneOfSeveral:
          semantics.oneOfRoleRestricts && rules.index.filter((one) => isRestricting(one.restricts)).length > 1,
        known: known.of(rule)(describeHeld(holding, patterns)),
      };
    }),
  );
  const coveringAt = (one: (typeof reaching)[number], index: number): CoveringRules => {
    const { role, rule, others, by, limiting, isOpen } = one;
    const code = maxCode(by.patterns, index);
    // Of what restricts nothing, it is all the same by which of its patterns it covers an index for certain.
    const isPlain = isOpen && code === verdicts.yes;
    // A pattern with a variable may cover hundreds of indices, each by the same verdict.
    const otherNames = isPlain ? [] : listDroppingNames(indices.cells[index]?.example, semantics);
    const key = isPlain ? "" : `${code} ${codesAt(limiting, index)} ${otherNames}`;
    const found = one.known.get(key);
    if (found) return found;
    const matched = limiting.map(({ codeAt }, at) => ({
      pattern: rule.patterns[at] ?? "",
      verdict: decodeVerdict(codeAt(index)),
    }));
    const places = findCoveringPlaces(
      others,
      isPlain ? [{ pattern: everything, verdict: "yes" }] : matched,
      semantics,
      subject,
      undefined,
      otherNames,
    );
    const reached = by.at(index, code);
    const isThere = joinAny(places.map(({ when }) => when));
    const limits = places.length > 0 && {
      limits: { role, verdict: toVerdict(isThere), restricts: rule.restricts, by: places },
    };
    const seen = isRestricting(rule.restricts)
      ? [...places.map((place) => [place.key, getConditionKey(place.when)]), one.isOneOfSeveral ? role : ""]
      : getConditionKey(isThere);
    const signature = `${signatureOf(numberOf(rule), reached)} ${JSON.stringify(seen)}`;
    const made: CoveringRules = { number: known.next(), role, ...reached, actions: rule.actions, signature, ...limits };
    one.known.set(key, made);
    return made;
  };
  const refusing = held.flatMap(({ holding, rules }) =>
    rules.notIndex.map((rule) => ({
      role: holding.role,
      rule,
      by: reachOfAll(holding, rule.patterns, [getHoldingCondition(holding)], undefined),
      known: known.of(rule)(describeHeld(holding, rule.patterns)),
    })),
  );
  const excludingAt = (one: (typeof refusing)[number], index: number): CoveringRules => {
    const { role, rule, by } = one;
    const key = codesAt(by.patterns, index);
    const found = one.known.get(key);
    if (found) return found;
    const reached = by.at(index, maxCode(by.patterns, index));
    const signature = signatureOf(numberOf(rule), reached);
    const made = { number: known.next(), role, ...reached, actions: rule.actions, signature };
    one.known.set(key, made);
    return made;
  };
  // Hardly any of them covers a part, and there are many of both.
  const reachingAt = memoise(() => {
    const found = indices.cells.map((): (typeof reaching)[number][] => []);
    for (const one of reaching) {
      for (const index of one.parts) found[index]?.push(one);
    }
    return found;
  });
  return {
    covering: (index) => {
      if (index !== onAllIndices) return (reachingAt()[index] ?? []).map((one) => coveringAt(one, index));
      const found = reaching.filter(({ by }) => maxCode(by.patterns, index) !== verdicts.no);
      return found.map((one) => coveringAt(one, index));
    },
    excluding: (index) =>
      refusing
        .filter(({ by }) => maxCode(by.patterns, index) !== verdicts.no)
        .map((one): CoveringRules => excludingAt(one, index)),
  };
}

function listParts(patterns: readonly PatternReach[]): readonly number[] {
  const [only] = patterns;
  return only && patterns.length === 1 ? only.parts : [...new Set(patterns.flatMap(({ parts }) => parts))];
}

function maxCode(patterns: readonly PatternReach[], index: number): number {
  let code = verdicts.no;
  for (const { codeAt } of patterns) code = Math.max(code, codeAt(index));
  return code;
}

function codesAt(patterns: readonly PatternReach[], index: number): string {
  let codes = "";
  for (const { codeAt } of patterns) codes += codeAt(index);
  return codes;
}

function signatureOf(text: number, { code, when }: Pick<CoveringRules, "code" | "when">): string {
  return `${text} ${code} ${getConditionKey(when)}`;
}

/** The same for permissions that are the same, held on the same condition. */
export function getClusterSignature(actions: readonly ExpandedPermission[], when: Condition): string {
  return `${numberOfActions(actions)} ${getConditionKey(when)}`;
}

/** What a rule grants and restricts, whatever indices it is about. */
type RuleContent = Pick<IndexRule, "actions"> & Partial<Pick<IndexRule, "restricts">>;

const numbers = new Map<string, number>();
const mostNumbers = 100_000;
let last = 0;

const numberOf = memoiseByObject((rule: RuleContent) =>
  numberOfText(JSON.stringify([rule.actions.map(({ pattern }) => pattern), rule.restricts])),
);

const numberOfActions = memoiseByObject((actions: readonly ExpandedPermission[]) =>
  numberOfText(JSON.stringify(actions.map(({ pattern }) => pattern))),
);

/** The same for the same text; none is given to another one again. */
function numberOfText(text: string): number {
  if (numbers.size >= mostNumbers) numbers.clear();
  const number = numbers.get(text) ?? ++last;
  numbers.set(text, number);
  return number;
}

export function combineEither({ cells }: NameParts, all: readonly Uint8Array[]): Uint8Array {
  const [only] = all;
  if (only && all.length === 1) return only;
  const found = only?.slice() ?? new Uint8Array(cells.length);
  for (const codes of all.slice(1)) {
    for (let at = 0; at < found.length; at++) {
      const code = codes[at] ?? 0;
      if (code > (found[at] ?? 0)) found[at] = code;
    }
  }
  return found;
}

export function combineAtMost(codes: Uint8Array, most: number): Uint8Array {
  return most === verdicts.yes ? codes : codes.map((code) => Math.min(code, most));
}
