import { memoise, memoiseByKey, memoiseByObject } from "../../../json/memoise.ts";
import type { UnknownCondition } from "../../../model/access.ts";
import { everything, getPatternCondition, resolveIndexPattern, widenPattern } from "../../evaluate/coverage.ts";
import { findCoveringPlaces, getRestrictionPattern } from "../../evaluate/covering-places.ts";
import { type CoveredLimits as LimitsCovering, listElementConditions } from "../../evaluate/limits.ts";
import type { HeldRole } from "../../evaluate/permission.ts";
import type { AccessModel } from "../../model/access-model.ts";
import type { ExpandedPermission } from "../../model/groups.ts";
import { getHoldingCondition, type Holding } from "../../model/holders.ts";
import { type IndexRule, isRestricting } from "../../model/roles.ts";
import type { Subject } from "../../model/subject.ts";
import { type Condition, getConditionKey, joinAll, joinAny, toVerdict, type Verdict } from "../../verdict.ts";
import { decodeVerdict, verdicts } from "./codes.ts";
import type { NameParts } from "./parts.ts";

/** An element of a role that covers an index, or may. */
export interface CoveringRules {
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
}

export interface CoveringsOfParts {
  /** What covers the indices of a part. */
  readonly covering: (index: number) => readonly CoveringRules[];
  /** What takes from the indices of a part. */
  readonly excluding: (index: number) => readonly CoveringRules[];
}

/** How an element of a role reaches the parts of the indices. */
interface Reach {
  /** Whether its patterns do, for any holder of the role; and the parts that they reach, or may. */
  readonly codeAt: (index: number) => number;
  readonly parts: readonly number[];
  readonly at: (index: number) => Pick<CoveringRules, "code" | "when" | "depends">;
}

/** What of the roles that a subject holds covers each part of the indices. */
export function listCoverings({ model, held, subject, indices }: CoveringSource): CoveringsOfParts {
  const { semantics } = model.state;
  const meaning = memoiseByKey((pattern: string) => ({ meant: resolveIndexPattern(pattern, semantics, subject) }));
  const listMatched = (pattern: string): readonly number[] => {
    const { meant } = meaning(pattern);
    if (meant === undefined) return [];
    const most = typeof meant === "string" ? meant : widenPattern(pattern);
    return most === undefined ? indices.every : indices.listMatched(most);
  };
  const codeOf = (pattern: string, index: number): number => {
    const { meant } = meaning(pattern);
    if (meant === undefined) return verdicts.no;
    if (typeof meant === "string") return indices.codeAt(meant, index);
    const most = widenPattern(pattern);
    return most === undefined ? verdicts.unknown : Math.min(indices.codeAt(most, index), verdicts.unknown);
  };
  const codeOfAny = (patterns: readonly string[], index: number): number =>
    patterns.reduce((code, pattern) => Math.max(code, codeOf(pattern, index)), verdicts.no);
  const listMatchedByAny = (patterns: readonly string[]): readonly number[] => {
    const [only = ""] = patterns;
    return patterns.length === 1 ? listMatched(only) : [...new Set(patterns.flatMap(listMatched))];
  };
  const matchedAt = (pattern: string, index: number): Verdict => decodeVerdict(codeOf(pattern, index));
  const reachOf = (
    holding: Holding,
    patterns: readonly string[],
    others: readonly Condition[],
    hinges: IndexRule["hinges"],
  ): Reach => {
    const codeAt = (index: number): number => codeOfAny(patterns, index);
    const isSure = others.every((one) => one === "yes");
    const doubt: UnknownCondition = hinges ? { kind: hinges } : { kind: "role", role: holding.role };
    return {
      codeAt,
      parts: listMatchedByAny(patterns),
      at(index) {
        const code = Math.min(codeAt(index), isSure ? verdicts.yes : verdicts.unknown);
        if (code !== verdicts.unknown) return { code, when: decodeVerdict(code) === "yes" ? "yes" : "no" };
        const own = patterns.map((pattern) => getPatternCondition(pattern, matchedAt(pattern, index)));
        const unsure = patterns.find((pattern) => matchedAt(pattern, index) === "unknown") ?? "";
        const depends = codeAt(index) === verdicts.yes ? doubt : ({ kind: "pattern", pattern: unsure } as const);
        return { code, when: joinAll([...others, joinAny(own)]), depends };
      },
    };
  };
  const reaching = held.flatMap(({ holding, rules }) =>
    rules.index.map((rule) => {
      const { patterns, hinges } = rule;
      const others = listElementConditions(holding, rule);
      const by = reachOf(holding, patterns, others, hinges);
      const limitsBy = patterns.includes("_all") ? patterns.map(getRestrictionPattern) : patterns;
      const isOpen = !isRestricting(rule.restricts) && limitsBy === patterns;
      return {
        role: holding.role,
        rule,
        others,
        by,
        limitsBy,
        limiting: limitsBy === patterns ? by.parts : listMatchedByAny(limitsBy),
        isOpen,
        text: numberOf(rule),
        known: new Map<string, CoveringRules>(),
      };
    }),
  );
  const coveringAt = (one: (typeof reaching)[number], index: number): CoveringRules => {
    const { role, rule, others, by, limitsBy, isOpen, text, known } = one;
    const { patterns, restricts, actions } = rule;
    // Of what restricts nothing, it is all the same by which of its patterns it covers an index for certain.
    const code = by.codeAt(index);
    const isPlain = isOpen && code === verdicts.yes;
    // A pattern with a variable may cover hundreds of indices, each by the same verdict.
    const key = isPlain ? "" : `${code} ${limitsBy.map((pattern) => codeOf(pattern, index)).join("")}`;
    const found = known.get(key);
    if (found) return found;
    const places = isPlain
      ? findCoveringPlaces(others, [{ pattern: everything, verdict: "yes" }], semantics, subject)
      : findCoveringPlaces(
          others,
          patterns.map((pattern) => ({ pattern, verdict: matchedAt(getRestrictionPattern(pattern), index) })),
          semantics,
          subject,
        );
    const reached = by.at(index);
    const isThere = joinAny(places.map(({ when }) => when));
    const limits = { role, verdict: toVerdict(isThere), restricts, by: places };
    const seen = isRestricting(restricts)
      ? places.map((place) => [place.key, getConditionKey(place.when)])
      : getConditionKey(isThere);
    const signature = `${signatureOf(text, reached)} ${JSON.stringify(seen)}`;
    const made: CoveringRules = { role, ...reached, actions, signature, limits };
    known.set(key, made);
    return made;
  };
  const refusing = held.flatMap(({ holding, rules }) =>
    rules.notIndex.map((rule) => {
      const by = reachOf(holding, rule.patterns, [getHoldingCondition(holding)], undefined);
      return { role: holding.role, actions: rule.actions, by, text: numberOf(rule) };
    }),
  );
  // Hardly any of them covers a part, and there are many of both.
  const reachingAt = memoise(() => {
    const found = indices.cells.map((): (typeof reaching)[number][] => []);
    for (const one of reaching) {
      for (const index of one.limiting) found[index]?.push(one);
    }
    return found;
  });
  return {
    covering: memoiseByKey((index) => (reachingAt()[index] ?? []).map((one) => coveringAt(one, index))),
    excluding: memoiseByKey((index) =>
      refusing
        .filter(({ by }) => by.codeAt(index) !== verdicts.no)
        .map(({ role, by, actions, text }): CoveringRules => {
          const reached = by.at(index);
          return { role, ...reached, actions, signature: signatureOf(text, reached) };
        }),
    ),
  };
}

function signatureOf(text: number, { code, when }: Pick<CoveringRules, "code" | "when">): string {
  return `${text} ${code} ${getConditionKey(when)}`;
}

/** The same for cluster permissions that are the same, held on the same condition. */
export function getClusterSignature(actions: readonly ExpandedPermission[], when: Condition): string {
  return `${numberOfText(JSON.stringify(actions.map(({ pattern }) => pattern)))} ${getConditionKey(when)}`;
}

/** What a rule grants and restricts, whatever indices it is about. */
type RuleContent = Pick<IndexRule, "actions"> & Partial<Pick<IndexRule, "restricts">>;

const numbers = new Map<string, number>();
const mostNumbers = 100_000;
let last = 0;

const numberOf = memoiseByObject((rule: RuleContent) =>
  numberOfText(JSON.stringify([rule.actions.map(({ pattern }) => pattern), rule.restricts])),
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
