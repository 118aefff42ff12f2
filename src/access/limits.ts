import type { Limits, Query } from "../model/access.ts";
import { coversIndex, everything, type IndexName } from "./coverage.ts";
import type { Holding } from "./holders.ts";
import { heldRules } from "./judge.ts";
import { maskFaults, unsureMasks } from "./masks.ts";
import type { AccessModel } from "./model.ts";
import { type IndexRule, isRestricting, type Restriction } from "./roles.ts";
import type { Subject } from "./subject.ts";
import { allOf, anyOf, type Verdict } from "./verdict.ts";

/** An element of a role that covers the index, or may. */
export interface Covering {
  readonly role: string;
  /** `yes` or `unknown`. */
  readonly verdict: Verdict;
  readonly restricts: Restriction;
  /** By what the server finds the restriction: patterns that it does not resolve stay as they are. */
  readonly keys: readonly string[];
}

export function limitsOn(model: AccessModel, subject: Subject, index: IndexName): Limits {
  return limitsBy(coveringRules(model, subject, index), model);
}

export function limitsBy(covering: readonly Covering[], model: AccessModel): Limits {
  const sure = covering.filter(({ verdict }) => verdict === "yes").map(({ restricts }) => restricts);
  const { judging, settings } = model.state;
  const lifts = settings.emptyLifts ?? judging.emptyLifts;
  const lifted = (isEmpty: (one: Restriction) => boolean): boolean => lifts && sure.some(isEmpty);
  const queries = lifted(({ dls }) => dls === undefined) ? [] : sure.flatMap(({ dls }) => dls ?? []);
  const lists = lifted(({ fls }) => fls.length === 0) ? [] : sure.flatMap(({ fls }) => fls);
  const masks = lifted(({ masks: own }) => own.length === 0) ? [] : sure.flatMap((one) => one.masks);
  const not = lists.filter((field) => /^[~!]/.test(field)).map((field) => field.slice(1));
  const sees = queries.length === 0 || queries.some(({ key }) => key === '{"match_all":{}}');
  return {
    ...(!sees && { documents: uniqueQueries(queries) }),
    fields: {
      // One exclude anywhere, and nothing that is included counts.
      ...(not.length === 0 && lists.length > 0 && { only: unique(lists) }),
      not: unique(not),
      masks: unique(masks),
    },
    restricted: queries.length + lists.length + masks.length > 0,
    unsure: unique([
      ...covering
        .filter(({ verdict, restricts }) => verdict === "unknown" && (isRestricting(restricts) || lifts))
        .map(({ role }) => role),
      ...(judging.restrictsByOnePattern ? rivals(covering) : []),
      ...unsureMasks(covering),
    ]),
    ...maskFaults(covering, judging),
  };
}

/** Roles whose restrictions of one kind stand under different keys and are not the same: one key alone counts. */
function rivals(covering: readonly Covering[]): readonly string[] {
  const kinds: readonly ((one: Restriction) => readonly string[])[] = [
    ({ dls }) => (dls ? [dls.key] : []),
    ({ fls }) => fls,
    ({ masks }) => masks,
  ];
  return kinds.flatMap((kind) => {
    const meant = covering.filter(({ restricts }) => kind(restricts).length > 0);
    const keys = unique(meant.flatMap((one) => one.keys));
    const under = keys.map((key) =>
      unique(meant.filter((one) => one.keys.includes(key)).flatMap(({ restricts }) => kind(restricts))),
    );
    return new Set(under.map((texts) => JSON.stringify(texts))).size > 1 ? meant.map(({ role }) => role) : [];
  });
}

/** An element of a role that somebody holds and that covers an index, or may, by one or more of its patterns. */
export interface CoveringElement {
  readonly holding: Holding;
  readonly rule: IndexRule;
  /** `yes` or `unknown`. */
  readonly verdict: Verdict;
  readonly by: readonly string[];
}

export function coveringElements(model: AccessModel, subject: Subject, index: IndexName): readonly CoveringElement[] {
  return heldRules(model, subject).flatMap(({ holding, rules }) =>
    rules.index.flatMap((rule) => {
      const met = rule.patterns.flatMap((pattern) => {
        const verdict = coversIndex(restrictionPattern(pattern), index, model.state.judging, subject);
        return verdict === "no" ? [] : [{ pattern, verdict }];
      });
      const verdict = allOf([holding.verdict, anyOf(met.map((one) => one.verdict)), rule.hinges ? "unknown" : "yes"]);
      return verdict === "no" ? [] : [{ holding, rule, verdict, by: met.map(({ pattern }) => pattern) }];
    }),
  );
}

function coveringRules(model: AccessModel, subject: Subject, index: IndexName): readonly Covering[] {
  return coveringElements(model, subject, index).map(({ holding, rule, verdict, by }) => ({
    role: holding.role,
    verdict,
    restricts: rule.restricts,
    keys: unique(by.map((pattern) => restrictionKey(restrictionPattern(pattern)))),
  }));
}

/** `_all` grants nothing on OpenSearch, and restricts all the same. */
export function restrictionPattern(pattern: string): string {
  return pattern === "_all" ? everything : pattern;
}

/** The same for all patterns that the server resolves to the names of indices. */
export function restrictionKey(pattern: string): string {
  return !pattern.includes("?") && !/^\/.*\/$/s.test(pattern) ? "" : pattern;
}

function uniqueQueries(queries: readonly Query[]): readonly Query[] {
  return [...new Map(queries.map((query) => [query.key, query])).values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}
