import { requestKinds } from "../../../dialects/requests.ts";
import { memoiseByKey, memoiseByObject } from "../../../json/memoise.ts";
import type { AccessDifference, HeldLevel, Limits } from "../../../model/access.ts";
import { clusterLevels, indexLevels, type LevelWords } from "../../evaluate/access-levels.ts";
import { verdicts } from "./codes.ts";
import { isLimited } from "./differences.ts";
import type { NameParts } from "./parts.ts";
import type { Column, Table } from "./table.ts";

/**
 * What the subject of a table holds, by levels, in one of its states, where one of its differences is.
 *
 * @param takesOneRole one role has to permit all that a request takes, which a table does not show
 */
export function findHeldLevels(
  { indices, actions }: Table,
  column: Column | undefined,
  difference: AccessDifference,
  takesOneRole: boolean,
): readonly HeldLevel[] {
  if (!column) return [];
  const { ofCluster, ofIndex } = listLevels(actions);
  const cluster = column.cluster();
  if (!difference.indices) {
    return remember(
      ofCluster.map(({ level, requests }) => ({
        level,
        verdict: pickMost(requests.map((request) => toVerdict([getLeast(request.cluster, cluster)]))),
        restricted: "no",
      })),
    );
  }
  const positions = listPositions(indices);
  const where = difference.indices.examples.flatMap((example) => positions.get(example) ?? []);
  const parts = where.map((index) => ({ codes: column.index(index), limits: column.limits(index) }));
  const hidden = parts.map(({ limits }) => getRestriction(limits));
  const restricted = (["yes", "unknown"] as const).find((one) => hidden.includes(one)) ?? "no";
  return remember(
    ofIndex.map(({ level, requests }) => {
      const found = requests.map((request) => {
        const isOpen = takesOneRole && request.index.length > 1;
        return toVerdict(
          parts.map(({ codes, limits }) => {
            const granted = Math.min(getLeast(request.cluster, cluster), getLeast(request.index, codes));
            return isOpen || (level === "read" && limits.mayFail) ? Math.min(granted, verdicts.unknown) : granted;
          }),
        );
      });
      return { level, verdict: pickMost(found), restricted: level === "read" ? restricted : "no" };
    }),
  );
}

interface FoundLevel extends Omit<HeldLevel, "verdict"> {
  readonly verdict: HeldLevel["verdict"] | "no";
}

function remember(found: readonly FoundLevel[]): readonly HeldLevel[] {
  return rememberByText(JSON.stringify(found.filter(({ verdict }) => verdict !== "no")));
}

/** Thousands of differences have the same few. */
const rememberByText = memoiseByKey((text: string): readonly HeldLevel[] => JSON.parse(text));

function getRestriction(limits: Limits): HeldLevel["restricted"] {
  if (!isLimited(limits)) return "no";
  return isLimited({ ...limits, unsure: [] }) ? "yes" : "unknown";
}

const listPositions = memoiseByObject(
  ({ cells }: NameParts) => new Map(cells.map(({ example }, at) => [example, at] as const)),
);

/** The requests of each level, with their actions as positions of parts. */
const listLevels = memoiseByObject((actions: NameParts) => {
  const positions = listPositions(actions);
  const partsOf = (some: readonly string[]) => some.map((action) => positions.get(action) ?? -1);
  const resolve = (levels: LevelWords) =>
    levels.map(([level, words]) => ({
      level,
      requests: requestKinds
        .filter(({ name }) => words.includes(name))
        .map(({ cluster, index, sinceSeven = [] }) => ({
          cluster: partsOf(cluster),
          index: partsOf([...index, ...sinceSeven]),
        })),
    }));
  return { ofCluster: resolve(clusterLevels), ofIndex: resolve(indexLevels) };
});

function getLeast(parts: readonly number[], codes: Uint8Array): number {
  return parts.reduce((least, part) => Math.min(least, codes[part] ?? verdicts.no), verdicts.yes);
}

function toVerdict(codes: readonly number[]): FoundLevel["verdict"] {
  const has = (code: number) => codes.includes(code);
  if (has(verdicts.yes) && has(verdicts.no)) return "partly";
  if (has(verdicts.unknown)) return "unknown";
  return has(verdicts.no) ? "no" : "yes";
}

function pickMost(all: readonly FoundLevel["verdict"][]): FoundLevel["verdict"] {
  return (["yes", "partly", "unknown"] as const).find((verdict) => all.includes(verdict)) ?? "no";
}
