import { indexNames, names } from "./alphabet.ts";
import { findReadableExample } from "./examples.ts";
import { createChoice, createLiteral } from "./expression.ts";
import { compileExpression } from "./machine.ts";
import { buildNet, searchStrings } from "./search.ts";
import { buildStemIndex, findMatchingStems, indexPositions, type StemIndex } from "./stem-index.ts";
import { isLiteral, isOpaque, readPattern } from "./syntax.ts";

export interface NamePartitions {
  /** Each text is of exactly one of them, unless there are too many. */
  readonly cells: readonly NamePartition[];
  /** Positions of the patterns that were left out, as nothing can be worked out about them. */
  readonly opaque: readonly number[];
  /** There are more cells than the limit, or the search is too large: `cells` are some of them. */
  readonly tooMany: boolean;
  /** What the search cost, in places looked at. */
  readonly effort: number;
}

/** All strings that the same patterns match. */
export interface NamePartition {
  /** Indexes into the patterns, ascending; empty for the strings that no pattern matches. */
  readonly matched: readonly number[];
  readonly example: string;
}

/**
 * Parts all strings but the empty one, or those that can name an index, by which of the patterns match them: at most
 * `limit` cells.
 */
export function partitionNames(patterns: readonly string[], kind: "index" | "text", limit: number): NamePartitions {
  const clear = [...new Set(patterns)].filter((pattern) => !isOpaque(pattern));
  const stemIndex = buildStemIndex(
    clear.filter((pattern) => !isLiteral(pattern)),
    kind === "index" ? indexNames : names,
  );
  // A literal is a cell of its own, and needs no search.
  const written = clear.filter(isLiteral).flatMap((text) => {
    const matched = stemIndex.matchedBy(text);
    return matched ? [{ matched, text }] : [];
  });
  const { classes, isWhole, effort } = findUnwritten(stemIndex, written, limit);

  const positions = indexPositions(patterns);
  const cell = (texts: readonly string[], example: string): NamePartition => ({
    matched: texts.flatMap((text) => positions.get(text) ?? []).sort((a, b) => a - b),
    example,
  });
  const named = (matched: readonly number[]) => matched.map((at) => stemIndex.open[at] ?? "");
  const cells = [
    ...written.map(({ matched, text }) => cell([text, ...named(matched)], text)),
    ...classes.map(({ matched, text }) => cell(named(matched), text)),
  ];
  const opaque = [...patterns.keys()].filter((at) => isOpaque(patterns[at] ?? ""));
  return { cells: cells.slice(0, limit), opaque, tooMany: !isWhole || cells.length > limit, effort };
}

/** Whether each name that an index can have is matched by one of these; false where that takes too long to find out. */
export function matchEveryIndex(patterns: readonly string[]): boolean {
  if (patterns.includes("*")) return true;
  if (patterns.every(isLiteral)) return false;
  const { cells, tooMany } = partitionNames(patterns, "index", mostTogether);
  return !tooMany && cells.every(({ matched }) => matched.length > 0);
}

const mostTogether = 200;

/** Whether there can be an index whose name a pattern matches: none has upper case or a colon in it, or begins with _. */
export function matchesSomeIndex(pattern: string): boolean {
  return partitionNames([pattern], "index", 2).cells.some(({ matched }) => matched.length > 0);
}

/** A string, and which of the open patterns match it. */
interface Sample {
  readonly matched: readonly number[];
  readonly text: string;
}

/** One string that is no literal of the list, for each combination of open patterns that match one. */
function findUnwritten(stemIndex: StemIndex, written: readonly Sample[], limit: number) {
  const { alphabet, open, matchedBy } = stemIndex;
  const taken = new Set(written.map(({ text }) => text));
  const { samples, isWhole, effort } = findShortest(stemIndex, limit);
  const classes: Sample[] = [];
  const crowded = new Set<string>();
  for (const { matched, text } of samples) {
    const key = matched.join();
    const isOfClass = (other: string) => !taken.has(other) && matchedBy(other)?.join() === key;
    const own = matched.map((at) => open[at] ?? "");
    const example = findReadableExample(alphabet, own, isOfClass) ?? (isOfClass(text) ? text : undefined);
    if (example !== undefined) classes.push({ matched, text: example });
    else crowded.add(key);
  }
  const rest = findBesides(stemIndex, written, crowded);
  return { classes: [...classes, ...rest.classes], isWhole: isWhole && rest.isWhole, effort };
}

/**
 * The shortest string of each class, in their order; for a class that stems alone decide, the stem, whether it is in
 * the class or not.
 */
function findShortest({ net, stems, matchedBy }: StemIndex, limit: number) {
  const shortest = new Map<string, Sample>();
  for (const stem of stems.size > 0 ? ["", ...stems.keys()] : []) {
    const matched = findMatchingStems(stems, stem);
    shortest.set(matched.join(), { matched, text: stem });
    if (shortest.size > limit) break;
  }
  let effort = 0;
  const take = (matched: readonly number[], text: () => string) => {
    const all = stems.size > 0 ? (matchedBy(text()) ?? []) : matched;
    const key = all.join();
    if (!shortest.has(key)) shortest.set(key, { matched: all, text: text() });
    return shortest.size > limit;
  };
  const outcome = searchStrings(net, take, (one) => {
    effort += one;
  });
  const samples = [...shortest.values()].sort((a, b) => a.text.length - b.text.length);
  return { samples, isWhole: outcome === "all", effort };
}

/** For classes whose known strings are all literals: one that is no literal, if there is any. */
function findBesides({ alphabet, open }: StemIndex, written: readonly Sample[], crowded: ReadonlySet<string>) {
  if (crowded.size === 0) return { classes: [], isWhole: true };
  const classes = new Map<string, Sample>();
  const taken = written.filter(({ matched }) => crowded.has(matched.join())).map(({ text }) => createLiteral(text));
  const withTaken = buildNet(alphabet, [
    ...open.map((pattern) => readPattern(pattern)?.compiled ?? []),
    compileExpression(createChoice(taken)) ?? [],
  ]);
  const outcome = searchStrings(withTaken, (matched, text) => {
    const key = matched.join();
    if (crowded.has(key) && !classes.has(key)) classes.set(key, { matched, text: text() });
    return classes.size === crowded.size;
  });
  return { classes: [...classes.values()], isWhole: outcome !== "tooMany" };
}
