import { coversIndex, type IndexName, indexPattern, widest } from "../coverage.ts";
import { heldRules } from "../judge.ts";
import type { AccessModel } from "../model.ts";
import { atomsOf } from "../patterns/atoms.ts";
import { includes, overlaps } from "../patterns/includes.ts";
import type { Subject } from "../subject.ts";

/** Indices that no role of a subject tells apart. */
export interface Part {
  /** One of them; of a name that was asked for, that one. */
  readonly index: IndexName;
  /** It is all that was asked for, not one of many that the same patterns meet. */
  readonly one: boolean;
  /** The narrowest patterns that these and not all others meet; none for what is left. */
  readonly by: readonly string[];
}

export interface Parts {
  readonly parts: readonly Part[];
  /** There are more of them. */
  readonly tooMany: boolean;
}

/** More than anybody reads; what takes as many is told to be cut off. */
const most = 200;

/** The indices that a name or pattern of a request means, parted by what the roles of a subject make of them. */
export function partsOf(model: AccessModel, subject: Subject, asked: string): Parts {
  if (!/[*?]/.test(asked))
    return { parts: [{ index: { name: asked, mayBeMissing: true }, one: true, by: [] }], tooMany: false };
  const own = [...new Set(indexPatternsOf(model, subject))].filter((pattern) => overlaps(pattern, asked) !== "no");
  const { atoms, tooMany } = atomsOf([asked, ...own], "index", most);
  const named = atoms.filter(({ met }) => met.includes(0));
  const parts = named.map(({ met, example }): Part => {
    const patterns = met.flatMap((at) => (at === 0 ? [] : (own[at - 1] ?? [])));
    return { index: { name: example }, one: false, by: narrowest(patterns, asked) };
  });
  return { parts, tooMany };
}

/** All patterns by which roles of a subject grant, restrict or exclude, with their variables replaced. */
export function indexPatternsOf(model: AccessModel, subject: Subject): readonly string[] {
  const { judging } = model.state;
  return heldRules(model, subject)
    .flatMap(({ rules }) => [...rules.index, ...rules.notIndex].flatMap(({ patterns }) => patterns))
    .flatMap((pattern) => {
      const meant = indexPattern(pattern, judging, subject);
      if (meant === undefined) return [];
      return typeof meant === "string" ? meant : (widest(pattern) ?? []);
    });
}

/** Without those that hold all that was asked about, and those that hold another one. */
function narrowest(patterns: readonly string[], asked: string): readonly string[] {
  const telling = patterns.filter((pattern) => pattern !== asked && includes([pattern], asked) !== "yes");
  return telling.filter(
    (pattern) => !telling.some((other) => other !== pattern && includes([pattern], other) === "yes"),
  );
}

/** Whether a pattern as written covers an index for this subject. */
export function covers(model: AccessModel, subject: Subject, pattern: string, index: IndexName) {
  return coversIndex(pattern, index, model.state.judging, subject);
}
