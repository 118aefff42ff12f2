import { getActionLevel, requestKinds } from "../../dialects/requests.ts";
import { groupItems } from "../../json/collections.ts";
import { memoiseByKey } from "../../json/memoise.ts";
import type { Limits, Term } from "../../model/access.ts";
import { type AskedRequest, createKindRequest, isAction } from "../evaluate/asked-request.ts";
import { findHiddenPatterns, restorePattern, restoreTerm } from "../evaluate/attribute-values.ts";
import { isBlockedIn } from "../evaluate/blocked.ts";
import { coversIndex, everything, type IndexName, resolveIndexPattern, widenPattern } from "../evaluate/coverage.ts";
import { partitionIndices } from "../evaluate/index-parts.ts";
import { findLimits } from "../evaluate/limits.ts";
import { createPermission, type Evaluation, evaluatePermission, listHeldRules } from "../evaluate/permission.ts";
import { failsByAnyQuery, failsByQuery } from "../evaluate/query-failures.ts";
import { evaluateHeldTogether, evaluateRequest, listPartsOfAliases } from "../evaluate/request.ts";
import { findRoleOrderFaults, type RoleOrderFaults } from "../evaluate/role-order.ts";
import { type AccessDoubt, listBlockDoubts, listLimitDoubts, listPermissionDoubts } from "../explain/doubts.ts";
import { findBlocksAgainst, restoreGroupNames } from "../explain/misses.ts";
import type { AccessModel } from "../model/access-model.ts";
import type { Subject } from "../model/subject.ts";
import { isOpaque } from "../patterns/syntax.ts";
import { combineAll, combineAny, negate, type Verdict } from "../verdict.ts";
import { confirmEverything, evaluateEveryTenant, evaluateEverything } from "./everything.ts";
import { evaluateTenantShares, type TenantShare } from "./tenant-shares.ts";
import { listUnknownGrants, type UnknownGrant } from "./unknown-grants.ts";

/** Everything that a subject may do; requests are named by words that a question takes. */
export interface EffectiveAccess {
  /** Present where blocks shut them out, so that nothing is granted: those that do by themselves. */
  readonly shutOutBy?: readonly string[];
  readonly indices: readonly IndexShare[];
  /** There are more shares than these. */
  readonly tooMany: boolean;
  /** Patterns whose other matches cannot be computed: listed with their role only. */
  readonly opaque: readonly { readonly role: string; readonly pattern: string; readonly actions: readonly string[] }[];
  /** What is granted on indices and is in no share, as no request is known for it; on the cluster `permissions` has it. */
  readonly unknownGrants: readonly UnknownGrant[];
  readonly cluster: ClusterShare;
  readonly tenants: readonly TenantShare[];
  /** Whether one of its roles lets it read and write every tenant, whatever they are called. */
  readonly everyTenant: Verdict;
}

export interface ClusterShare {
  /** `yes`: every action of the cluster, not the listed ones alone; `unknown`: perhaps every one. */
  readonly everything: Verdict;
  /** Kinds of requests, by name, and of what belongs to none of them the actions themselves. */
  readonly can: readonly string[];
  readonly perhaps: readonly string[];
  /** As roles have them. */
  readonly permissions: readonly string[];
  readonly perhapsPermissions: readonly string[];
  /** Why it is unknown of `perhaps`. */
  readonly doubts: readonly AccessDoubt[];
}

/** Indices that evaluate alike. */
export interface IndexShare {
  /** Each names a part of them by all patterns that it takes; none: all that no other share names. */
  readonly by: readonly (readonly string[])[];
  /** Exactly these: a name belongs to them where it belongs to one of the terms. */
  readonly region: readonly Term[];
  /** `yes`: every action on them, unrestricted, not the listed ones alone; `unknown`: perhaps every one. */
  readonly everything: Verdict;
  /** Kinds of requests, by name. */
  readonly can: readonly string[];
  readonly perhaps: readonly string[];
  /** Why it is unknown of `perhaps`. */
  readonly doubts: readonly AccessDoubt[];
  /** What a role seems to grant and does not. */
  readonly obstacles: readonly Obstacle[];
  readonly limits: Limits;
  readonly unsure: readonly AccessDoubt[];
}

export type Obstacle =
  /** All that these take on the index is granted, but not the permissions that they take of the cluster. */
  | { readonly kind: "cluster-missing"; readonly requests: readonly string[]; readonly missing: readonly string[] }
  /** Granted, and fails as DLS, FLS or masking applies. */
  | { readonly kind: "fails-as-restricted"; readonly requests: readonly string[] }
  | { readonly kind: "fails-by-query"; readonly requests: readonly string[] }
  | { readonly kind: "fails-by-role-order"; readonly requests: readonly string[] };

export function findEffectiveAccess(model: AccessModel, subject: Subject, release: string): EffectiveAccess {
  if (isBlockedIn(model.state, subject) === "yes") {
    return { shutOutBy: findBlocksAgainst(model, subject), ...nothing };
  }
  const kinds = requestKinds.map((kind) => createKindRequest(kind, release));
  const ofIndex = kinds.filter(({ index }) => index.length > 0);
  const { parts, tooMany } = partitionIndices(model, subject, everything);
  const folded = new Map<string, IndexShare>();
  const hidden = findHiddenPatterns([model], subject);
  const ofCluster = createActionEvaluator(model, subject);
  const byRoleOrder = findRoleOrderFaults(model, subject);
  for (const { index, by, region } of parts) {
    const ofShare = createActionEvaluator(narrowToIndex(index, model, subject), subject, index);
    const evaluatedActions = (action: string) => (getActionLevel(action) === "cluster" ? ofCluster : ofShare)(action);
    const share = evaluateIndexShare(model, subject, ofIndex, index, evaluatedActions, byRoleOrder);
    const key = JSON.stringify(share);
    const same = folded.get(key);
    const isRest = by.length === 0 || same?.by.length === 0;
    folded.set(key, {
      ...share,
      by: isRest ? [] : [...(same?.by ?? []), by.map((pattern) => restorePattern(pattern, hidden))],
      region: [...(same?.region ?? []), restoreTerm(region, hidden)],
    });
  }
  const opaque = listOpaquePatterns(model, subject);
  const tenants = evaluateTenantShares(model, subject);
  // What opaque patterns might match of other indices is reported once, with the pattern.
  const isExplained = ({ by, can, obstacles }: IndexShare) =>
    can.length + obstacles.length > 0 || opaque.length === 0 || by.length > 0;
  return {
    indices: [...folded.values()]
      .filter(({ can, perhaps, obstacles }) => can.length + perhaps.length + obstacles.length > 0)
      .filter(isExplained),
    tooMany,
    opaque,
    unknownGrants: listHeldRules(model, subject)
      .flatMap(({ rules }) => listUnknownGrants(rules))
      .filter(({ indices }) => indices !== undefined),
    cluster: evaluateCluster(model, subject, kinds, byRoleOrder),
    tenants,
    everyTenant: evaluateEveryTenant(model, subject, tenants),
  };
}

const nothing: EffectiveAccess = {
  indices: [],
  tooMany: false,
  opaque: [],
  unknownGrants: [],
  cluster: { everything: "no", can: [], perhaps: [], permissions: [], perhapsPermissions: [], doubts: [] },
  tenants: [],
  everyTenant: "no",
};

/** By action, each evaluated once. */
function createActionEvaluator(
  model: AccessModel,
  subject: Subject,
  index?: IndexName,
): (action: string) => Evaluation {
  return memoiseByKey((action) => evaluatePermission(model, subject, createPermission(action, index)));
}

/**
 * A subject may have hundreds of roles of which a few concern an index: only these are evaluated, action by action.
 */
function narrowToIndex(index: IndexName, model: AccessModel, subject: Subject): AccessModel {
  const mayCover = (pattern: string): boolean => coversIndex(pattern, index, model.state.semantics, subject) !== "no";
  const about = listHeldRules(model, subject).filter(({ rules }) =>
    [...rules.index, ...rules.notIndex].some(({ patterns }) => patterns.some(mayCover)),
  );
  return { ...model, holdings: () => about.map(({ holding }) => holding) };
}

function evaluateIndexShare(
  model: AccessModel,
  subject: Subject,
  kinds: readonly AskedRequest[],
  index: IndexName,
  evaluatedActions: (action: string) => Evaluation,
  findByOrder: RoleOrderFaults,
): Omit<IndexShare, "by" | "region"> {
  const held = (action: string): Verdict => evaluatedActions(action).verdict;
  const limits = findLimits(model, subject, index);
  const grantedBy = ({ cluster, index: actions }: AskedRequest) => ({
    onIndex: evaluateHeldTogether(model, subject, [
      ...actions.map((action) => ({ action, index, evaluation: evaluatedActions(action) })),
      ...listPartsOfAliases(model, subject, actions),
    ]),
    onCluster: combineAll(cluster.map(held)),
  });
  const asked = kinds.map((kind) => {
    const asRestricted = combineAll([kind.failsWhereRestricted, limits.restricted]);
    const { verdict: byQuery } = failsByQuery(model, subject, index, kind.index);
    const byOrder = findByOrder([...kind.cluster, ...kind.index]);
    return { ...kind, byQuery, byOrder, fails: combineAny([asRestricted, byQuery, byOrder]), ...grantedBy(kind) };
  });
  const named = (those: typeof asked) => those.map(({ name }) => name);
  const granted = asked.filter(({ onIndex }) => onIndex === "yes");
  const fails = granted.filter((kind) => kind.fails === "yes" && kind.onCluster === "yes");
  const failing = {
    "fails-as-restricted": fails.filter(({ byQuery, byOrder }) => byQuery !== "yes" && byOrder !== "yes"),
    "fails-by-query": fails.filter(({ byQuery }) => byQuery === "yes"),
    "fails-by-role-order": fails.filter(({ byQuery, byOrder }) => byQuery !== "yes" && byOrder === "yes"),
  };
  const lacking = granted.filter(({ onCluster }) => onCluster === "no");
  const unsure = asked.filter(
    ({ onIndex, onCluster, fails }) => combineAll([onIndex, onCluster, negate(fails)]) === "unknown",
  );
  const unsureActions = [...new Set(unsure.flatMap((kind) => [...kind.index, ...kind.cluster]))];
  const ofAliases = listPartsOfAliases(model, subject, unsureActions).map(({ evaluation }) => evaluation);
  const doubtful = [...unsureActions.map(evaluatedActions), ...ofAliases].filter(
    ({ verdict }) => verdict === "unknown",
  );
  const can = named(granted.filter((kind) => kind.onCluster === "yes" && kind.fails === "no"));
  const everything = evaluateEverything(model, subject, evaluatedActions("indices:data/read/search"), "index");
  return {
    everything: confirmEverything(everything, kinds.length, can.length, unsure.length),
    can,
    perhaps: named(unsure),
    doubts: [
      ...listPermissionDoubts(model, subject, doubtful, true),
      ...listOrderDoubts(unsure.map(({ byOrder }) => byOrder)),
    ],
    obstacles: [
      ...groupByMissing(lacking, (action) => held(action) === "no"),
      ...(["fails-as-restricted", "fails-by-query", "fails-by-role-order"] as const).flatMap(
        (kind): readonly Obstacle[] => (failing[kind].length > 0 ? [{ kind, requests: named(failing[kind]) }] : []),
      ),
    ],
    limits,
    unsure: listLimitDoubts(model, subject, limits),
  };
}

function listOrderDoubts(byOrder: readonly Verdict[]): readonly AccessDoubt[] {
  return byOrder.includes("unknown") ? [{ kind: "role-order" }] : [];
}

function groupByMissing(kinds: readonly AskedRequest[], isMissing: (action: string) => boolean): readonly Obstacle[] {
  const lacking = kinds.map(({ name, cluster }) => ({ name, missing: cluster.filter(isMissing) }));
  return groupItems(lacking, ({ missing }) => missing.join()).map((some) => ({
    kind: "cluster-missing",
    requests: some.map(({ name }) => name),
    missing: some[0].missing,
  }));
}

function listOpaquePatterns(model: AccessModel, subject: Subject): EffectiveAccess["opaque"] {
  const isOut = (pattern: string): boolean => {
    const meant = resolveIndexPattern(pattern, model.state.semantics, subject);
    if (meant === undefined) return false;
    return typeof meant === "string" ? isOpaque(meant) : widenPattern(pattern) === undefined;
  };
  return listHeldRules(model, subject).flatMap(({ holding: { role }, rules }) =>
    rules.index.flatMap(({ patterns, actions }) =>
      patterns.filter(isOut).map((pattern) => ({ role, pattern, actions: restoreGroupNames(actions) })),
    ),
  );
}

function evaluateCluster(
  model: AccessModel,
  subject: Subject,
  kinds: readonly AskedRequest[],
  findByOrder: RoleOrderFaults,
): ClusterShare {
  const evaluated = (cluster: readonly string[]) =>
    evaluateRequest(model, subject, { cluster, index: [], on: [] }).parts.map(({ evaluation }) => evaluation);
  const ofCluster = kinds.filter(({ index }) => index.length === 0);
  const rules = listHeldRules(model, subject);
  const spoken = new Set(ofCluster.flatMap(({ cluster }) => cluster));
  const wordless = new Set(
    rules
      .flatMap((one) => one.rules.cluster.map(({ pattern }) => pattern))
      .filter((action) => isAction(action) && getActionLevel(action) === "cluster" && !spoken.has(action)),
  );
  const byQuery = failsByAnyQuery(model, subject);
  const asked = [...ofCluster, ...[...wordless].sort().map((name) => ({ name, cluster: [name] }))].map(
    ({ name, cluster }) => {
      const judgements = evaluated(cluster);
      const granted = judgements.map(({ verdict }) => verdict);
      const byOrder = findByOrder(cluster);
      return { name, judgements, byOrder, verdict: combineAll([...granted, negate(byOrder), negate(byQuery)]) };
    },
  );
  const those = (verdict: Verdict) => asked.filter((one) => one.verdict === verdict);
  const enters = listBlockDoubts(model, subject).length === 0;
  const permissions = (certain: boolean) => [
    ...new Set(
      rules
        .filter(({ holding }) => (enters && holding.verdict === "yes") === certain)
        .flatMap((one) => restoreGroupNames(one.rules.cluster)),
    ),
  ];
  const sure = permissions(true).sort();
  const unsure = those("unknown");
  const doubtful = unsure.flatMap(({ judgements }) => judgements).filter(({ verdict }) => verdict === "unknown");
  const [any] = evaluated(["cluster:monitor/health"]);
  const everything = any ? evaluateEverything(model, subject, any, "cluster") : "no";
  const can = those("yes").map(({ name }) => name);
  return {
    everything: confirmEverything(everything, asked.length, can.length, unsure.length),
    can,
    perhaps: unsure.map(({ name }) => name),
    permissions: sure,
    perhapsPermissions: permissions(false)
      .filter((one) => !sure.includes(one))
      .sort(),
    doubts: [
      ...listPermissionDoubts(model, subject, doubtful, false),
      ...listOrderDoubts(unsure.map(({ byOrder }) => byOrder)),
    ],
  };
}
