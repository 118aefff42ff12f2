import { groupItems } from "../../../json/collections.ts";
import { memoiseByKey, memoiseByObject } from "../../../json/memoise.ts";
import type { AccessDifference, GrantPath, Region } from "../../../model/access.ts";
import { allIndices, coversIndex } from "../../evaluate/coverage.ts";
import { findElementsCovering } from "../../evaluate/limits.ts";
import {
  type Chain,
  createPermission,
  evaluatePermission,
  type HeldRole,
  listHeldRules,
} from "../../evaluate/permission.ts";
import { isAskedOnAll } from "../../evaluate/request.ts";
import { toGrantPath } from "../../explain/grant-path.ts";
import type { AccessModel } from "../../model/access-model.ts";
import type { ExpandedPermission } from "../../model/groups.ts";
import type { Holding } from "../../model/holders.ts";
import { isRestricting } from "../../model/roles.ts";
import type { Subject } from "../../model/subject.ts";
import { matchesPattern } from "../../patterns/matches.ts";
import { verdicts } from "./codes.ts";

/** A role that grants or restricts one case of a difference. */
export interface RoleSource {
  readonly role: string;
  /** The grant paths of this case by the role, at least one. */
  readonly paths: readonly GrantPath[];
  /** The cases that the role grants or restricts likewise; with groups, those that it grants through them. */
  readonly areas: (groups: readonly string[]) => readonly CoveredArea[];
}

/** All of some indices with all of some actions, marked by their positions in the examples. */
export interface CoveredArea {
  readonly rows: Uint8Array;
  readonly columns: Uint8Array;
}

type SourceFinder = (action: string, index: string | undefined) => readonly RoleSource[];

/** What is seen otherwise is by roles whose restriction is added or removed; all else, by what grants it. */
export function createSourceFinder(
  found: AccessDifference,
  before: AccessModel,
  after: AccessModel,
  subject: Subject,
): SourceFinder {
  const isOfBefore = found.kind === "lost" || found.kind === "may-lose";
  const states = isOfBefore ? ([before, after] as const) : ([after, before] as const);
  const granting = createGrantFinder(found, states, subject);
  if (found.kind !== "widened" && found.kind !== "narrowed" && found.kind !== "changed") return granting;
  const ends = found.kind === "widened" ? ([before, after] as const) : ([after, before] as const);
  const restricting = createRestrictionFinder(found, ends, subject);
  return (action, index) => {
    const sources = index === undefined ? [] : restricting(index);
    return sources.length > 0 ? sources : granting(action, index);
  };
}

type Ends = readonly [from: AccessModel, other: AccessModel];

function createRestrictionFinder(
  { indices, actions }: AccessDifference,
  [from, other]: Ends,
  subject: Subject,
): (index: string) => readonly RoleSource[] {
  const every = new Uint8Array(actions.examples.length).fill(1);
  const restrictionsIn = (model: AccessModel, held: readonly HeldRole[], name: string) =>
    new Map(
      findElementsCovering(held.flatMap(pickRestricting), model, subject, { name }).map(
        ({ holding, rule: { restricts } }) => [JSON.stringify([holding.role, restricts]), holding] as const,
      ),
    );
  const listNew = (name: string, heldIn: (model: AccessModel) => readonly HeldRole[]): readonly Holding[] => {
    const has = restrictionsIn(from, heldIn(from), name);
    if (has.size === 0) return [];
    const had = restrictionsIn(other, heldIn(other), name);
    return [...has].flatMap(([key, holding]) => (had.has(key) ? [] : [holding]));
  };
  return (index) =>
    groupItems(
      listNew(index, (model) => heldBy(model)(subject).all),
      ({ role }) => role,
    ).map(([holding]) => ({
      role: holding.role,
      paths: [toGrantPath({ holding })],
      areas: () => {
        const ofRole = (model: AccessModel) => heldBy(model)(subject).ofRole(holding.role);
        const examples = indices?.examples ?? [];
        return [{ rows: Uint8Array.from(examples, (name) => listNew(name, ofRole).length), columns: every }];
      },
    }));
}

function createGrantFinder(found: AccessDifference, [model, other]: Ends, subject: Subject): SourceFinder {
  return (action, index) => {
    const named = index === undefined ? undefined : { name: index };
    const permission = createPermission(action, isAskedOnAll(model, action) ? allIndices : named);
    const { chains } = evaluatePermission(model, subject, permission);
    // What is unknown in both gives and takes nothing.
    const added = found.kind.startsWith("may-")
      ? listNewChains(chains, evaluatePermission(other, subject, permission).chains)
      : [];
    const meant = added.length > 0 ? added : chains;
    const best = meant.filter(({ verdict }) => verdict === meant[0]?.verdict);
    return groupItems(best, ({ holding: { role } }) => role).map((ofRole): RoleSource => {
      const [{ holding, verdict }] = ofRole;
      const held = heldBy(model)(subject).ofRole(holding.role);
      const known = added.length > 0 ? heldBy(other)(subject).ofRole(holding.role) : undefined;
      return {
        role: holding.role,
        paths: ofRole.map(toGrantPath),
        areas: (groups) => listAreas(found, held, { model, subject, least: verdicts[verdict], groups, known }),
      };
    });
  };
}

function listNewChains(chains: readonly Chain[], others: readonly Chain[]): readonly Chain[] {
  const keyOf = ({ verdict, holding: { role }, pattern, granted }: Chain): string =>
    JSON.stringify([verdict, role, pattern, granted]);
  const known = new Set(others.map(keyOf));
  return chains.filter((chain) => !known.has(keyOf(chain)));
}

interface Meant {
  readonly model: AccessModel;
  readonly subject: Subject;
  /** How certain it has to be, as a code. */
  readonly least: number;
  /** The groups through which it is granted, outermost first; there may be more of them. */
  readonly groups: readonly string[];
  /** The same role in the other state, where what both grant does not count. */
  readonly known: readonly HeldRole[] | undefined;
}

function listAreas(
  { level, indices, actions }: AccessDifference,
  held: readonly HeldRole[],
  { model, subject, least, groups, known }: Meant,
): readonly CoveredArea[] {
  const old = known && new Set(known.flatMap((one) => listGrantKeys(one)));
  const columnsOf = (list: readonly ExpandedPermission[], holding: Holding, pattern?: string): Uint8Array =>
    findAny(
      list
        .filter(({ via }) => groups.every((group, at) => via[at] === group))
        .filter((granted) => !old?.has(getGrantKey(holding, granted, pattern)))
        .map((granted) => actionCodes(actions)(granted.pattern)),
      actions.examples.length,
      least,
    );
  return held
    .filter(({ holding }) => verdicts[holding.verdict] >= least)
    .flatMap(({ holding, rules }): readonly CoveredArea[] => {
      if (level === "cluster" || !indices)
        return [{ rows: Uint8Array.of(1), columns: columnsOf(rules.cluster, holding) }];
      return rules.index
        .filter(({ hinges }) => !hinges || least <= verdicts.unknown)
        .flatMap((rule) => {
          const alike = old ? rule.patterns.map((pattern) => [pattern]) : [rule.patterns];
          return alike.map((patterns) => ({
            rows: findAny(
              patterns.map((pattern) => indexCodes(indices, model, subject, pattern)),
              indices.examples.length,
              least,
            ),
            columns: columnsOf(rule.actions, holding, patterns[0]),
          }));
        });
    });
}

function listGrantKeys({ holding, rules: { cluster, index } }: HeldRole): readonly string[] {
  return [
    ...cluster.map((granted) => getGrantKey(holding, granted)),
    ...index.flatMap(({ patterns, actions }) =>
      patterns.flatMap((pattern) => actions.map((granted) => getGrantKey(holding, granted, pattern))),
    ),
  ];
}

function getGrantKey({ verdict }: Holding, granted: ExpandedPermission, pattern?: string): string {
  return JSON.stringify([verdict, pattern ?? null, granted]);
}

/** Marks where one of them is at least that certain. */
function findAny(all: readonly Uint8Array[], length: number, least: number): Uint8Array {
  const marked = new Uint8Array(length);
  for (const codes of all) for (let at = 0; at < length; at++) if ((codes[at] ?? 0) >= least) marked[at] = 1;
  return marked;
}

/** Many principals differ in the same region. */
const actionCodes = memoiseByObject(({ examples }: Region) =>
  memoiseByKey((pattern: string) => Uint8Array.from(examples, (action) => verdicts[matchesPattern(pattern, action)])),
);

function indexCodes(region: Region, model: AccessModel, subject: Subject, pattern: string): Uint8Array {
  const find = (): Uint8Array =>
    Uint8Array.from(
      region.examples,
      (name) => verdicts[coversIndex(pattern, { name }, model.state.semantics, subject)],
    );
  if (pattern.includes("${")) return find();
  const known = indexCodesIn(model.state.semantics)(region);
  const codes = known.get(pattern) ?? find();
  known.set(pattern, codes);
  return codes;
}

const indexCodesIn = memoiseByObject((_: AccessModel["state"]["semantics"]) =>
  memoiseByObject((__: Region) => new Map<string, Uint8Array>()),
);

/** Its elements that restrict; none of a role that only grants. */
const pickRestricting = memoiseByObject(({ holding, rules }: HeldRole): readonly HeldRole[] => {
  const index = rules.index.filter(({ restricts }) => isRestricting(restricts));
  return index.length === 0 ? [] : [{ holding, rules: { ...rules, index } }];
});

const heldBy = memoiseByObject((model: AccessModel) =>
  memoiseByObject((subject: Subject) => {
    const all = listHeldRules(model, subject);
    const byRole = new Map(
      groupItems(all, ({ holding: { role } }) => role).map((some) => [some[0].holding.role, some] as const),
    );
    return { all, ofRole: (role: string): readonly HeldRole[] => byRole.get(role) ?? [] };
  }),
);
