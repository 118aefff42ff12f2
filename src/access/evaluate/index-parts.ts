import { getDataStream, type Semantics } from "../../dialects/semantics.ts";
import type { Term } from "../../model/access.ts";
import type { AccessModel } from "../model/access-model.ts";
import { isRestricting, type RoleRules } from "../model/roles.ts";
import type { Subject } from "../model/subject.ts";
import { includes, overlaps } from "../patterns/includes.ts";
import { matchesPattern } from "../patterns/matches.ts";
import { createOverlapFinder } from "../patterns/overlapping.ts";
import {
  coversIndex,
  type IndexName,
  listComparedNames,
  listIndicesBehind,
  resolveIndexPattern,
  widenPattern,
} from "./coverage.ts";
import { removesLimits } from "./limits.ts";
import { partitionIndexNames } from "./partition-indices.ts";
import { listHeldRules, listPerhapsHeld } from "./permission.ts";

/** Indices that no role of a subject distinguishes. */
export interface IndexPart {
  /** One of them; of a name that was asked for, that one. */
  readonly index: IndexName;
  /** It is all that the question names, not one of many that the same patterns match. */
  readonly one: boolean;
  /** The narrowest patterns that match these and not all others; empty for the rest. */
  readonly by: readonly string[];
  /** All of its names and no others; an expression that cannot be worked out counts for nothing. */
  readonly region: Term;
}

export interface IndexPartition {
  readonly parts: readonly IndexPart[];
  /** There are more of them. */
  readonly tooMany: boolean;
}

/** More are not readable; a longer list is cut off, and says so. */
const most = 200;

/**
 * The indices that a name or pattern of a request means, parted by what the roles of a subject make of them.
 *
 * @param apart names of indices that are evaluated otherwise than those beside them: parts of their own
 * @param isAlone whether the request names nothing else
 */
export function partitionIndices(
  model: AccessModel,
  subject: Subject,
  asked: string,
  { apart = [], isAlone = false }: { readonly apart?: readonly string[]; readonly isAlone?: boolean } = {},
): IndexPartition {
  const { semantics } = model.state;
  if (!/[*?]/.test(asked)) {
    // The dashboards' own index is known by the name of its alias.
    const names = apart.includes(asked) ? [asked] : listIndicesBehind(asked, semantics);
    const parts = names.map((name): IndexPart => {
      const index: IndexName = {
        name,
        ...(name === asked ? { mayBeMissing: true } : { via: asked }),
        ...(isAlone && names.length === 1 && { isAlone: "yes" }),
      };
      return { index, ...createNamedPart(name) };
    });
    return { parts: parts.slice(0, most), tooMany: parts.length > most };
  }
  const isNear = createOverlapFinder(listComparedNames(asked, semantics));
  const held = listIndexPatterns(model, subject);
  const own = [...new Set([...held, ...apart, ...listStreamsApart(held, semantics)])].filter(isNear);
  const { cells, opaque, tooMany } = partitionIndexNames([asked, ...own], semantics, most);
  const named = cells.filter(({ matched, example }) => matched.includes(0) && isReached(asked, example, semantics));
  const parts = named.map(({ matched, example }): IndexPart => {
    const patterns = matched.flatMap((at) => (at === 0 ? [] : (own[at - 1] ?? [])));
    const by = pickNarrowest(patterns, asked);
    const others = own.filter((_, pattern) => !matched.includes(pattern + 1) && !opaque.includes(pattern + 1));
    // That it alone is there is possible, where it is a part by itself.
    const mayBeAlone = isAlone && apart.includes(example);
    const index: IndexName = { name: example, ...(mayBeAlone && { isAlone: "unknown" }) };
    return { index, one: false, by, region: describeRegion(asked, by, others) };
  });
  return { parts, tooMany };
}

/** Data streams whose indices are covered by patterns that do not cover the stream. */
function listStreamsApart(patterns: readonly string[], { aliases }: Semantics): readonly string[] {
  return [...(aliases?.streams ?? [])].flatMap(([stream, indices]) => {
    const isApart = (pattern: string): boolean =>
      matchesPattern(pattern, stream) !== "yes" && indices.some((name) => matchesPattern(pattern, name) !== "no");
    return patterns.some(isApart) ? [stream] : [];
  });
}

/** A pattern that matches the name of a stream comes to the stream, and not to its indices. */
function isReached(asked: string, index: string, { aliases }: Semantics): boolean {
  const stream = getDataStream(index);
  if (stream === undefined || !aliases?.streams.get(stream)?.includes(index)) return true;
  const others = (aliases.ofIndex.get(index) ?? []).filter((name) => name !== stream);
  return [index, ...others].some((name) => matchesPattern(asked, name) !== "no");
}

/** What is asked about by one name, whatever the server takes it for. */
export function createNamedPart(asked: string): Omit<IndexPart, "index"> {
  return { one: true, by: [], region: { allOf: [asked], noneOf: [] } };
}

/** @param by the narrowest patterns that match all names of a part @param others those that match none of them */
function describeRegion(asked: string, by: readonly string[], others: readonly string[]): Term {
  const allOf = by.some((one) => includes([asked], one) === "yes") ? by : [asked, ...by];
  const near = others.filter((pattern) => allOf.every((one) => overlaps(one, pattern) !== "no"));
  return { allOf, noneOf: removeSpared(near, (pattern, other) => includes([other], pattern) === "yes") };
}

/** All patterns by which roles of a subject grant, restrict or exclude, with their variables replaced. */
function listIndexPatterns(model: AccessModel, subject: Subject): readonly string[] {
  const { semantics } = model.state;
  const reporting = ({ index, notIndex }: RoleRules) => [
    ...index.filter(({ restricts }) => isRestricting(restricts) || removesLimits(model)),
    ...notIndex,
  ];
  return [
    ...listHeldRules(model, subject).flatMap(({ rules }) => [...rules.index, ...rules.notIndex]),
    ...listPerhapsHeld(model, subject).flatMap(({ rules }) => reporting(rules)),
  ]
    .flatMap(({ patterns }) => patterns)
    .flatMap((pattern) => {
      const meant = resolveIndexPattern(pattern, semantics, subject);
      if (meant === undefined) return [];
      return typeof meant === "string" ? meant : (widenPattern(pattern) ?? []);
    });
}

/** Without those that hold all that was asked about, and those that hold another one. */
function pickNarrowest(patterns: readonly string[], asked: string): readonly string[] {
  const reporting = patterns.filter((pattern) => pattern !== asked && includes([pattern], asked) !== "yes");
  return removeSpared(reporting, (pattern, other) => includes([pattern], other) === "yes");
}

/** Without the patterns that another one makes unnecessary; of two that make each other so, the first stays. */
function removeSpared(
  patterns: readonly string[],
  isSparedBy: (pattern: string, other: string) => boolean,
): readonly string[] {
  return patterns.filter(
    (pattern, at) =>
      !patterns.some(
        (other, before) => before !== at && isSparedBy(pattern, other) && (before < at || !isSparedBy(other, pattern)),
      ),
  );
}

/** Whether a pattern as written covers an index for this subject. */
export function covers(model: AccessModel, subject: Subject, pattern: string, index: IndexName) {
  return coversIndex(pattern, index, model.state.semantics, subject);
}
