import type { ChainStep } from "../../access/explain/grant-path.ts";
import type { LevelAccess } from "../../access/questions/access-map.ts";
import type { MapChanges, MapDifference } from "../../access/questions/map-differences.ts";
import { groupItems } from "../../json/collections.ts";
import { escapeInvisible } from "../escape.ts";
import { formatPrincipal } from "./access-answer.ts";
import { formatColumn, formatLevels } from "./map-words.ts";
import { pluralise } from "./words.ts";

/** What an access map has that another state has not. */
export interface MapChangesView {
  /** `2 principals differ since commit v1 (1a2b3c4).` */
  readonly summary: string;
  /** Equal differences of several principals are one. */
  readonly groups: readonly {
    readonly who: readonly string[];
    readonly lines: readonly MapChangeLine[];
  }[];
}

export interface MapChangeLine {
  readonly sign: "+" | "-" | "~" | "?";
  readonly kind: MapDifference["kind"];
  /** `hr-*: nothing -> read` */
  readonly sentence: string;
  /** What grants it now, else what did: its places are those of then. */
  readonly chain: readonly ChainStep[];
  readonly isGone: boolean;
  /** `last changed by Ann (1a2b3c4)` */
  readonly author?: string;
}

export function createMapChangesView({ title, differences }: MapChanges): MapChangesView {
  const ofPrincipals = groupItems(differences, ({ principal }) => formatPrincipal(principal));
  const withLines = ofPrincipals.map((some) => ({
    who: formatPrincipal(some[0].principal),
    lines: groupItems(some, formatDifference).map(createChangeLine),
  }));
  const count = ofPrincipals.length === 0 ? "No principal" : pluralise(ofPrincipals.length, "principal");
  return {
    summary: `${count} ${ofPrincipals.length < 2 ? "differs" : "differ"} ${escapeInvisible(title)}.`,
    groups: groupItems(withLines, ({ lines }) =>
      JSON.stringify(lines.map(({ sign, sentence }) => [sign, sentence])),
    ).map((some) => ({ who: some.map(({ who }) => who), lines: some[0].lines })),
  };
}

function formatDifference({ kind, before, after, author }: MapChanges["differences"][number]): string {
  return `${kind} ${formatChange(before, after)} ${author?.commit ?? ""}`;
}

const signs = { gained: "+", lost: "-", other: "~", unknown: "?" } as const;

function createChangeLine(
  some: readonly [MapChanges["differences"][number], ...MapChanges["differences"]],
): MapChangeLine {
  const [{ kind, before, after, author }] = some;
  const columns = some.map(({ column }) => formatColumn(column)).join(", ");
  const chainOf = (levels: readonly LevelAccess[]) => levels.findLast(({ chain }) => chain.length > 0)?.chain;
  return {
    sign: signs[kind],
    kind,
    sentence: `${columns}: ${formatChange(before, after)}`,
    chain: chainOf(after) ?? chainOf(before) ?? [],
    isGone: chainOf(after) === undefined,
    ...(author && { author: `last changed by ${escapeInvisible(author.name)} (${author.commit.slice(0, 7)})` }),
  };
}

function formatChange(before: readonly LevelAccess[], after: readonly LevelAccess[]): string {
  const [was, is] = [before, after].map((levels) => (levels.length === 0 ? "nothing" : formatLevels(levels)));
  if (was !== is) return `${was} -> ${is}`;
  const isOnPart = after.some(({ verdict }) => verdict !== "yes");
  return `${is}, of other documents${isOnPart ? ", fields or indices" : " or fields"}`;
}
