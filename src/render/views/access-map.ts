import type { ChainStep } from "../../access/explain/grant-path.ts";
import type { AccessMap, LevelAccess, MapColumn, MapRow } from "../../access/questions/access-map.ts";
import type { MapAnswer } from "../../access/questions/answers.ts";
import { groupItems } from "../../json/collections.ts";
import { escapeInvisible, joinNames } from "../escape.ts";
import { formatPrincipal, moreOnAnswers } from "./access-answer.ts";
import { formatStep, formatUnknownGrant } from "./access-reasons.ts";
import { formatColumn, formatLevels } from "./map-words.ts";
import { pluralise } from "./words.ts";

/** Everything that a format shows of an access map. Texts are fit to be shown. */
export interface AccessMapView {
  readonly summary: string;
  /** What an auditor looks at first, in sentences. */
  readonly findings: readonly string[];
  /** Equal rows are one; those of everybody come first. */
  readonly groups: readonly MapGroup[];
  /** Of every principal by itself, with its chain. */
  readonly cells: readonly MapCellView[];
  readonly closing: readonly string[];
  /** As the model has it, for programs. */
  readonly map: MapAnswer;
}

export interface MapGroup {
  readonly who: readonly string[];
  /** Columns with the same access: `restricted read` of `hr-*, logs-*`. */
  readonly access: readonly MapAccess[];
}

export interface MapAccess {
  readonly label: string;
  readonly mark: MapMark;
  readonly columns: readonly string[];
  /** What grants it in the first of the columns, to the first of the principals. */
  readonly chain: readonly ChainStep[];
}

/** The most that is certain; `part`: only on a part of the column. */
export type MapMark = "manage" | "write" | "restricted" | "read" | "part" | "unknown";

export interface MapCellView extends Omit<LevelAccess, "chain"> {
  readonly who: string;
  readonly column: MapColumn;
  readonly chain: readonly string[];
}

export function createAccessMapView(map: MapAnswer): AccessMapView {
  const { rows, columns, basis, assumptions, notes } = map;
  const held = rows.filter(({ cells }) => cells.length > 0);
  const rowGroups = groupItems(held, formatRow).map(
    (some): MapGroup => ({
      who: some.map(({ principal }) => formatPrincipal(principal)),
      access: listAccess(some[0]),
    }),
  );
  const isOfEverybody = ({ who }: MapGroup) => who.some((one) => one.endsWith(everybody));
  const count = (kind: MapColumn["kind"], noun: string) =>
    pluralise(columns.filter((column) => column.kind === kind).length, noun);
  const idle = rows.length - held.length;
  return {
    summary: `${pluralise(rows.length, "principal")} and what roles name: ${count("index", "pattern")}, ${count("tenant", "tenant")}, the cluster.${idle > 0 ? ` ${idle} of the principals may do nothing of this.` : ""}`,
    findings: listFindings(map, map.unheldBuiltins),
    groups: rowGroups.toSorted((a, b) => Number(isOfEverybody(b)) - Number(isOfEverybody(a))),
    cells: rows.flatMap(({ principal, cells }) =>
      cells.flatMap(({ column, levels }) =>
        levels.map(({ chain, ...level }) => ({
          ...level,
          who: formatPrincipal(principal),
          column,
          chain: chain.map((step: ChainStep) => formatStep(step)),
        })),
      ),
    ),
    closing: [...[...assumptions, ...notes, basis].map(escapeInvisible), moreOnAnswers],
    map,
  };
}

const everybody = " (everybody)";

function listFindings(
  { rows, unheldRoles, unknownGrants, ofOtherClusters }: AccessMap,
  builtins: readonly string[],
): readonly string[] {
  const own = unheldRoles.filter((role) => !builtins.includes(role));
  const restricted = rows.filter(({ restrictingRoles }) => restrictingRoles.length > 0);
  return [
    ...(own.length > 0 ? [`Roles that no principal has: ${own.length} (${joinNames(own)}).`] : []),
    ...(builtins.length > 0 ? [`Built-in roles that no principal has: ${builtins.length}.`] : []),
    ...unknownGrants.map(
      (grant) => `Granted, and in no column: ${formatUnknownGrant(grant)}. gate-sync knows no request for it.`,
    ),
    ...(ofOtherClusters.length > 0 ? [`Left out, as other clusters evaluate it: ${joinNames(ofOtherClusters)}.`] : []),
    ...restricted.map(
      ({ principal, restrictingRoles }) =>
        `${formatPrincipal(principal)}: restricted by several roles: ${joinNames(restrictingRoles)}.`,
    ),
  ];
}

function listAccess({ cells }: MapRow): MapGroup["access"] {
  const labelled = cells.map(({ column, levels }) => ({
    column: formatColumn(column),
    levels,
    label: formatLevels(levels),
  }));
  return groupItems(labelled, ({ label }) => label).map((some) => ({
    label: some[0].label,
    mark: markOf(some[0].levels),
    columns: some.map(({ column }) => column),
    chain: some[0].levels.findLast(({ chain }) => chain.length > 0)?.chain ?? [],
  }));
}

/** The same text for rows with the same access. */
function formatRow({ cells }: MapRow): string {
  return JSON.stringify(cells.map(({ column, levels }) => [formatColumn(column), formatLevels(levels)]));
}

function markOf(levels: readonly LevelAccess[]): MapMark {
  const sure = levels.filter(({ verdict }) => verdict === "yes");
  switch (sure.at(-1)?.level) {
    case "administer":
    case "manage":
      return "manage";
    case "write":
      return "write";
    case "read":
      return sure[0]?.restricted === "no" ? "read" : "restricted";
    case undefined:
      return levels.some(({ verdict }) => verdict === "partly") ? "part" : "unknown";
  }
}
