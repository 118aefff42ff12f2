import type { Semantics } from "../../dialects/semantics.ts";
import { memoiseByKey, memoiseByObject } from "../../json/memoise.ts";
import type { Aliases } from "../../model/aliases.ts";
import { matchesPattern } from "../patterns/matches.ts";
import { type NamePartition, type NamePartitions, partitionNames } from "../patterns/partition.ts";
import { isLiteral } from "../patterns/syntax.ts";
import { everything } from "./coverage.ts";
import { decideByAlias } from "./covering-places.ts";

/** Names of indices by which of some patterns cover them: also by the names of aliases, as far as these are known. */
export function partitionIndexNames(patterns: readonly string[], semantics: Semantics, limit: number): NamePartitions {
  const { aliases } = semantics;
  if (!aliases || aliases.members.size === 0) return partitionNames(patterns, "index", limit);
  const byAlias = listCoveredByAlias(patterns, aliases, semantics);
  // The example of many names may not be an alias, nor an index that is covered by one.
  const isTaken = ({ example }: NamePartition) => aliases.members.has(example) || byAlias.has(example);
  const besides = new Set<string>();
  for (;;) {
    const found = partitionNames([...patterns, ...besides], "index", limit + besides.size);
    const open = found.cells.filter((cell) => isTaken(cell) && !isNamed(cell, patterns, besides));
    if (open.length === 0) {
      const cells = found.cells
        .filter((cell) => !isTaken(cell))
        .map(({ matched, example }) => ({ example, matched: matched.filter((at) => at < patterns.length) }));
      const all = [...cells, ...listCells(byAlias, cells)];
      return { ...found, cells: all.slice(0, limit), tooMany: found.tooMany || all.length > limit };
    }
    for (const { example } of open) besides.add(example);
  }
}

/** Whether nothing else than that name is of a part. */
function isNamed({ example }: NamePartition, patterns: readonly string[], besides: ReadonlySet<string>): boolean {
  return besides.has(example) || (isLiteral(example) && patterns.includes(example));
}

/** How patterns cover an index that aliases lead to. */
interface Covering {
  /** Positions of all of them. */
  readonly matched: readonly number[];
  /** Of those whose restrictions hold otherwise for what aliases of such names lead to. */
  readonly led: readonly number[];
}

/** Of each index that is covered otherwise than other indices whose names the same patterns match. */
function listCoveredByAlias(
  patterns: readonly string[],
  aliases: Aliases,
  semantics: Semantics,
): ReadonlyMap<string, Covering> {
  const positionsOf = memoiseByKey((name: string) =>
    patterns.flatMap((pattern, at) => (matchesIn(aliases)(pattern)(name) ? [at] : [])),
  );
  const isOther = (at: number): boolean => decideByAlias(patterns[at] ?? "", semantics);
  return new Map(
    [...aliases.ofIndex].flatMap(([index, others]): [string, Covering][] => {
      const byOthers = others.flatMap(positionsOf);
      // Of thousands of indices most have aliases that nothing but * matches, as it does their own names.
      if (byOthers.every((at) => patterns[at] === everything && !isOther(at))) return [];
      const own = positionsOf(index);
      const matched = [...new Set([...own, ...byOthers])].sort((a, b) => a - b);
      const led = [...new Set(byOthers)].filter(isOther).sort((a, b) => a - b);
      return matched.length > own.length || led.length > 0 ? [[index, { matched, led }]] : [];
    }),
  );
}

const matchesIn = memoiseByObject((_: Aliases) =>
  memoiseByKey((pattern: string) => memoiseByKey((name: string) => matchesPattern(pattern, name) === "yes")),
);

/** One index for all that the same patterns cover. */
function listCells(byAlias: ReadonlyMap<string, Covering>, others: readonly NamePartition[]): readonly NamePartition[] {
  const known = new Set(others.map(({ matched }) => JSON.stringify({ matched, led: [] })));
  return [...byAlias].flatMap(([example, covering]) => {
    const key = JSON.stringify(covering);
    if (known.has(key)) return [];
    known.add(key);
    return [{ matched: covering.matched, example }];
  });
}
