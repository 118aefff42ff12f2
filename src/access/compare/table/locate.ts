import { memoiseByKey, memoiseByObject } from "../../../json/memoise.ts";
import type { NameParts } from "./parts.ts";

/**
 * Finds the parts of `parts` that a part of `others` may be in, by the patterns that both have. Several where `parts`
 * has further patterns, as one user's `${user.roles}` is replaced by another value than another's; none for a part
 * that no part has, such as a name that no index can have.
 */
export function createPartLocator(others: NameParts, parts: NameParts): (part: number) => readonly number[] {
  const { positions, byMatched } = sortOutParts(parts);
  const placesOf = others.patterns.map((pattern) => positions.get(pattern));
  const shared = new Set(placesOf);
  const isFiner = parts.patterns.every((_, at) => shared.has(at));
  const groups = isFiner ? byMatched : groupByShared(parts, shared);
  return memoiseByKey((part) => groups.get(getMatchedKey(others, part, placesOf)) ?? []);
}

/** The positions in other parts of the patterns that match a part, as a key. */
function getMatchedKey({ cells }: NameParts, part: number, placesOf: readonly (number | undefined)[]): string {
  const { matched = [] } = cells[part] ?? {};
  return matched
    .flatMap((at) => placesOf[at] ?? [])
    .sort((a, b) => a - b)
    .join();
}

function groupByShared({ cells }: NameParts, shared: ReadonlySet<number | undefined>): Groups {
  const groups = new Map<string, number[]>();
  for (const [part, { matched }] of cells.entries()) {
    const key = matched.filter((at) => shared.has(at)).join();
    groups.set(key, [...(groups.get(key) ?? []), part]);
  }
  return groups;
}

/** The parts of names that exactly these patterns match; the key is the positions of the patterns, as `0,2`. */
type Groups = ReadonlyMap<string, readonly number[]>;

/** What finds a part by the patterns that match it. */
interface Places {
  readonly positions: ReadonlyMap<string, number>;
  readonly byMatched: Groups;
}

/** Memoised: the same parts are asked about again for each of hundreds of pairs that a subject is in. */
const sortOutParts = memoiseByObject(
  (parts: NameParts): Places => ({
    positions: new Map(parts.patterns.map((pattern, at) => [pattern, at])),
    byMatched: groupByShared(parts, new Set(parts.patterns.keys())),
  }),
);
