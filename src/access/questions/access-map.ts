import { memoiseByKey } from "../../json/memoise.ts";
import type { AccessLevel } from "../../model/access.ts";
import { clusterLevels, indexLevels, type LevelWords } from "../evaluate/access-levels.ts";
import { findRequestKind } from "../evaluate/asked-request.ts";
import { resolveIndexPattern, widenPattern } from "../evaluate/coverage.ts";
import { listHeldRules } from "../evaluate/permission.ts";
import { evaluateQuestion, type RequestEvaluation, type RequestVerdict } from "../evaluate/question.ts";
import { createTenantEvaluator } from "../evaluate/tenants.ts";
import { explainShares, explainTenant, type ShareExplanation } from "../explain/explanation.ts";
import type { ChainStep, Places } from "../explain/grant-path.ts";
import type { AccessModel } from "../model/access-model.ts";
import { isRestricting } from "../model/roles.ts";
import type { Subject } from "../model/subject.ts";
import { mayHold } from "../model/users.ts";
import { overlaps } from "../patterns/includes.ts";
import { matchesSomeIndex } from "../patterns/partition.ts";
import { combineAny, type Verdict } from "../verdict.ts";
import { listUnknownGrants, type UnknownGrant } from "./unknown-grants.ts";
import type { Principal } from "./who.ts";

/** Who may do what with everything that roles name. */
export interface AccessMap {
  readonly columns: readonly MapColumn[];
  readonly rows: readonly MapRow[];
  /** Roles that none of the principals has, and none may have; what they name is in no column. */
  readonly unheldRoles: readonly string[];
  /** What roles that principals have grant and no level has, as no request is known for it. */
  readonly unknownGrants: readonly UnknownGrant[];
  /** Patterns of indices of other clusters, which evaluate them; in no column. */
  readonly ofOtherClusters: readonly string[];
}

export interface MapColumn {
  readonly kind: "index" | "tenant" | "cluster";
  /** A pattern as roles have it, or the name of a tenant; empty for the cluster. */
  readonly name: string;
}

export interface MapRow {
  readonly principal: Principal;
  /** Those in which the principal may do something, or for which that is unknown. */
  readonly cells: readonly MapCell[];
  /** Two roles or more that restrict what it sees: such restrictions add up otherwise on each product. */
  readonly restrictingRoles: readonly string[];
}

export interface MapCell {
  readonly column: MapColumn;
  readonly levels: readonly LevelAccess[];
}

/** What a principal may do of one level on all of a column; `partly`: on a part of it. */
export interface LevelAccess {
  readonly level: AccessLevel;
  readonly verdict: Exclude<RequestVerdict, "no">;
  /** The first of the level's requests with this verdict, as a question would name it. */
  readonly request: string;
  /** Whether documents or fields are hidden in it. */
  readonly restricted: Verdict;
  readonly chain: readonly ChainStep[];
}

export function createAccessMap(
  model: AccessModel,
  principals: readonly Principal[],
  release: string,
  places: Places,
): AccessMap {
  const held = new Set(
    principals.flatMap(({ subject }) =>
      mayHold(subject) === "no" ? model.holdings(subject).map(({ role }) => role) : [...model.state.roles.keys()],
    ),
  );
  const { columns, ofOtherClusters } = listColumns(model, held);
  const askable = new Set(columns.flatMap(({ kind, name }) => (kind === "index" && isAskable(name) ? [name] : [])));
  return {
    columns,
    rows: principals.map((principal) => createRow(model, principal, { columns, askable }, release, places)),
    unheldRoles: [...model.state.roles.keys()].filter((role) => !held.has(role)).sort(),
    unknownGrants: [...held].sort().flatMap((role) => {
      const rules = model.rules(role);
      return rules ? listUnknownGrants(rules) : [];
    }),
    ofOtherClusters,
  };
}

/** What these roles name, and every index, of which unknown roles may be. */
function listColumns(
  { state, rules }: AccessModel,
  held: ReadonlySet<string>,
): Pick<AccessMap, "columns" | "ofOtherClusters"> {
  const all = [...held].flatMap((role) => rules(role) ?? []);
  const indices = new Set(["*", ...all.flatMap(({ index }) => index.flatMap(({ patterns }) => patterns))]);
  const written = all.flatMap((role) => role.tenants.flatMap(({ patterns }) => patterns));
  const tenants = new Set([
    ...state.tenants.keys(),
    state.semantics.globalTenant,
    ...(state.semantics.tenantsAreNames ? written : []),
  ]);
  // In a variable, it begins what is taken for want of a value.
  const isOfAnother = (pattern: string) => pattern.split("${", 1)[0]?.includes(":") === true;
  const patterns = [...indices].sort();
  return {
    columns: [
      ...patterns.filter((name) => !isOfAnother(name)).map((name): MapColumn => ({ kind: "index", name })),
      ...[...tenants].sort().map((name): MapColumn => ({ kind: "tenant", name })),
      { kind: "cluster", name: "" },
    ],
    ofOtherClusters: patterns.filter(isOfAnother),
  };
}

function createRow(
  model: AccessModel,
  principal: Principal,
  { columns, askable }: { readonly columns: readonly MapColumn[]; readonly askable: ReadonlySet<string> },
  release: string,
  places: Places,
): MapRow {
  const { subject } = principal;
  const reaches = createReachTest(model, subject, askable);
  const onAny = memoiseByKey((_: "") => findLevels(model, subject, indexLevels, [anyIndexPattern], release, places));
  const inTenant = createTenantEvaluator(model, subject);
  const levelsOf = ({ kind, name }: MapColumn): readonly LevelAccess[] => {
    if (kind === "cluster") return findLevels(model, subject, clusterLevels, [], release, places);
    if (kind === "tenant") {
      const { reads, writes } = inTenant(name);
      return reads === "no" && writes === "no" ? [] : findTenantLevels(model, subject, name, places);
    }
    if (!reaches(name)) return [];
    if (askable.has(name)) return findLevels(model, subject, indexLevels, [name], release, places);
    return onAny("").map((one) => (one.verdict === "yes" ? one : { ...one, verdict: "unknown", chain: [] }));
  };
  const cells = columns.map((column): MapCell => ({ column, levels: levelsOf(column) }));
  const restricting = listHeldRules(model, subject).filter(({ rules }) =>
    rules.index.some(({ restricts }) => isRestricting(restricts)),
  );
  const roles = [...new Set(restricting.map(({ holding }) => holding.role))].sort();
  return {
    principal,
    cells: cells.filter(({ levels }) => levels.length > 0),
    restrictingRoles: roles.length > 1 ? roles : [],
  };
}

/** Each index for itself: `*` alone is evaluated as one name by some products. */
const anyIndexPattern = "**";

/** Whether a request can name exactly what a role's pattern matches. No variables, expressions, dates, `?` or what no index is called. */
function isAskable(pattern: string): boolean {
  return (
    !/^[-+_]|[:$?<>/\\|#,"\s]/.test(pattern) && (!pattern.includes("*") || matchesSomeIndex(pattern)) && pattern !== ""
  );
}

/** Whether some pattern that the subject holds may match an index of another pattern: of thousands few do. */
function createReachTest(
  model: AccessModel,
  subject: Subject,
  askable: ReadonlySet<string>,
): (pattern: string) => boolean {
  const { semantics, settings } = model.state;
  const rules = listHeldRules(model, subject).flatMap((held) => held.rules.index);
  const meant = rules.flatMap(({ patterns }) =>
    patterns.map((pattern) => {
      const found = resolveIndexPattern(pattern, semantics, subject);
      return typeof found === "string" ? found : widenPattern(pattern);
    }),
  );
  const isOpen =
    mayHold(subject) !== "no" ||
    settings.reducesToNothing === true ||
    rules.some(({ hinges }) => hinges !== undefined) ||
    meant.includes(undefined);
  const known = [...new Set(meant)].filter((pattern) => pattern !== undefined);
  return (pattern) => isOpen || !askable.has(pattern) || known.some((own) => overlaps(own, pattern) !== "no");
}

function findLevels(
  model: AccessModel,
  subject: Subject,
  levels: LevelWords,
  indices: readonly string[],
  release: string,
  places: Places,
): readonly LevelAccess[] {
  return levels.flatMap(([level, words]): readonly LevelAccess[] => {
    const best = findBest(model, subject, words, indices, release);
    if (!best || best.found.verdict === "no") return [];
    const { found, request } = best;
    const restricted = combineAny(
      found.shares.filter(({ verdict }) => verdict !== "no").map(({ limits }) => limits?.restricted ?? "no"),
    );
    const shares = explainShares(model, subject, found, { reads: request.reads, misses: false, places });
    return [
      {
        level,
        verdict: found.verdict as LevelAccess["verdict"],
        request: request.name,
        restricted,
        chain: pickChain(shares),
      },
    ];
  });
}

const order: readonly RequestVerdict[] = ["yes", "partly", "unknown", "no"];

function findBest(
  model: AccessModel,
  subject: Subject,
  words: readonly string[],
  indices: readonly string[],
  release: string,
) {
  let best:
    | { readonly found: RequestEvaluation; readonly request: NonNullable<ReturnType<typeof findRequestKind>> }
    | undefined;
  for (const word of words) {
    const request = findRequestKind(word, release);
    if (!request) continue;
    const found = evaluateQuestion(model, subject, request, indices);
    if (!best || order.indexOf(found.verdict) < order.indexOf(best.found.verdict)) best = { found, request };
    if (found.verdict === "yes") break;
  }
  return best;
}

/** That of the index, where a request takes something of the cluster besides. */
function pickChain(shares: readonly ShareExplanation[]): readonly ChainStep[] {
  const share = shares.find(({ verdict }) => verdict === "yes") ?? shares.find(({ verdict }) => verdict !== "no");
  return share?.permissions.findLast(({ chain }) => chain !== undefined)?.chain ?? [];
}

function findTenantLevels(
  model: AccessModel,
  subject: Subject,
  tenant: string,
  places: Places,
): readonly LevelAccess[] {
  return (["read", "write"] as const).flatMap((level): readonly LevelAccess[] => {
    const share = explainTenant(model, subject, { tenant, writes: level === "write" }, { misses: false, places });
    if (share.verdict === "no") return [];
    return [{ level, verdict: share.verdict, request: level, restricted: "no", chain: pickChain([share]) }];
  });
}
