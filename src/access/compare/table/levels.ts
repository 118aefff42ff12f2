import { type RequestKind, requestKinds } from "../../../dialects/requests.ts";
import { memoiseByKey, memoiseByObject } from "../../../json/memoise.ts";
import type { AccessDifference, HeldLevel, Limits } from "../../../model/access.ts";
import { clusterLevels, indexLevels, type LevelWords } from "../../evaluate/access-levels.ts";
import type { Verdict } from "../../verdict.ts";
import { verdicts } from "./codes.ts";
import { isLimited } from "./differences.ts";
import type { NameParts } from "./parts.ts";
import type { Column, Table } from "./table.ts";

/**
 * What the subject of a table holds, by levels, in one of its states, where one of its differences is.
 *
 * @param isByOneRole whether one role permits all of a request, where the state asks for that: a table does not show it
 */
export function findHeldLevels(
  { indices, actions }: Table,
  column: Column | undefined,
  difference: AccessDifference,
  isByOneRole?: IsByOneRole,
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
  const parts = where.map((index) => ({
    name: indices.cells[index]?.example ?? "",
    codes: column.index(index),
    limits: column.limits(index),
  }));
  const hidden = parts.map(({ limits }) => getRestriction(limits));
  const restricted = (["yes", "unknown"] as const).find((one) => hidden.includes(one)) ?? "no";
  return remember(
    ofIndex.map(({ level, requests }) => {
      const found = requests.map((request) =>
        toVerdict(
          parts.map(({ name, codes, limits }) => {
            const granted = Math.min(getLeast(request.cluster, cluster), getLeast(request.index, codes));
            const isTogether = isByOneRole && granted !== verdicts.no && request.index.length > 1;
            const held = isTogether ? Math.min(granted, verdicts[isByOneRole(request.kind, name)]) : granted;
            return level === "read" && limits.mayFail ? Math.min(held, verdicts.unknown) : held;
          }),
        ),
      );
      return { level, verdict: pickMost(found), restricted: level === "read" ? restricted : "no" };
    }),
  );
}

/** @param index its name */
export type IsByOneRole = (request: Pick<RequestKind, "cluster" | "index">, index: string) => Verdict;

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
        .map((kind) => ({
          kind,
          cluster: partsOf(kind.cluster),
          index: partsOf([...kind.index, ...(kind.sinceSeven ?? [])]),
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
