import { groupItems } from "../../json/collections.ts";
import { memoiseByKey, memoiseByObject } from "../../json/memoise.ts";
import type { AccessModel } from "../model/access-model.ts";
import { needsOneRole, readDashboardsSettings } from "../model/settings.ts";
import type { Subject } from "../model/subject.ts";
import { mayHold } from "../model/users.ts";
import { matchesPattern } from "../patterns/matches.ts";
import { combineAll, combineAny, negate, type Verdict } from "../verdict.ts";
import { allIndices, anyAlias, anyIndex, type IndexName } from "./coverage.ts";
import { createPermission, type Evaluation, evaluatePermission, listHeldRules } from "./permission.ts";
import { evaluateTenantAccess } from "./tenants.ts";

/** A request, by all that a server asks for when it is made. */
export interface RequestPermissions {
  readonly cluster: readonly string[];
  readonly index: readonly string[];
  /** The indices that it comes to; empty for a request that is about none. */
  readonly on: readonly IndexName[];
}

/** One action that a request takes, on one index where it is about indices, and whether it is granted. */
export interface PermissionPart {
  readonly action: string;
  readonly index?: IndexName;
  readonly evaluation: Evaluation;
}

/** Whether a server carries out a request, permission by permission. */
export interface RequestAnswer {
  readonly verdict: Verdict;
  /** Every single permission it takes, cluster permissions first. */
  readonly parts: readonly PermissionPart[];
  /** Where the server reduces the request, as others of its indices are not permitted: those that are for certain. */
  readonly reducedTo?: readonly IndexName[];
  /** Where it is reduced, or may be: whether any of its indices is permitted, so that the answer is about something. */
  readonly reaches?: Verdict;
  /** Nothing of it is permitted, and the server answers about all indices there are: a fault of the product. */
  readonly answersAll?: true;
  /** Each part is granted, but no role grants all of these, as one has to. */
  readonly takesOneRole?: readonly PermissionPart[];
}

export function evaluateRequest(
  model: AccessModel,
  subject: Subject,
  { cluster, index, on }: RequestPermissions,
): RequestAnswer {
  const ofCluster = cluster.map((action) => evaluatePart(model, subject, action));
  const besides = listReadsOnIndices(model, cluster);
  const onEach = [...besides, ...index];
  // A scroll names no index: the server reduces it to all of them that are permitted, and refuses it where none is.
  const onAny =
    on.length > 0
      ? listPartsOfAliases(model, subject, index)
      : besides.filter(namesNoIndex).map((action) => evaluatePart(model, subject, action, anyIndex));
  const onAll = index
    .filter((action) => isAskedOnAll(model, action) || on.length === 0)
    .map((action) => evaluatePart(model, subject, action, allIndices));
  // Where several patterns may match all indices together, one of them has to match each that is named.
  const isDecided = (action: string): boolean =>
    onAll.some((part) => part.action === action && part.evaluation.verdict !== "unknown");
  const byIndex = on.map((name) => ({
    name,
    parts: onEach.filter((action) => !isDecided(action)).map((action) => evaluatePart(model, subject, action, name)),
  }));
  const ofIndices = [...onAll, ...byIndex.flatMap((one) => one.parts)];
  const parts = [...ofCluster, ...onAny, ...ofIndices];
  const together = (some: readonly PermissionPart[]): Verdict => evaluateHeldTogether(model, subject, some);
  const [rest, whole] = [combineParts([...ofCluster, ...onAny]), together(ofIndices)];
  if (whole !== "yes" && isReduced(model, index)) {
    const each = byIndex.map((one) => ({ name: one.name, verdict: together(one.parts) }));
    const some = combineAny(each.map(({ verdict }) => verdict));
    const answersEmpty = on.length > 0 && reducesToNothing(model);
    // By a fault of the product, unless it fails over that, too.
    const asksAll = answersEmpty && answersAll(model, index) ? negate(failsOverExpression(ofIndices)) : "no";
    const permitted = each.filter(({ verdict }) => verdict === "yes").map(({ name }) => name);
    return {
      verdict: combineAll([rest, answersEmpty ? "yes" : some]),
      parts,
      reaches: combineAll([rest, combineAny([asksAll, some])]),
      ...((answersEmpty || some === "yes") && { reducedTo: permitted }),
      ...(asksAll === "yes" && some === "no" && { answersAll: true }),
    };
  }
  const isGrantedApart = whole === "no" && combineParts(ofIndices) === "yes";
  return {
    verdict: combineAll([rest, whole]),
    parts,
    ...(isGrantedApart && {
      takesOneRole: groupByRequest(ofIndices)
        .filter((some) => isGrantedByOneRole(some) === "no")
        .flat(),
    }),
  };
}

function failsOverExpression(parts: readonly PermissionPart[]): Verdict {
  return combineAny(
    parts.flatMap(({ evaluation }) =>
      evaluation.against.flatMap(({ kind, verdict }) => (kind === "refused-expression" ? verdict : [])),
    ),
  );
}

/** Whether an action is asked for on all indices, whichever a request names. */
export function isAskedOnAll(model: AccessModel, action: string): boolean {
  return model.state.semantics.askedOnAll.includes(action) && !isReduced(model, [action]);
}

/** What is asked for on the name of an alias besides, which no question names. */
export function listPartsOfAliases(
  model: AccessModel,
  subject: Subject,
  actions: readonly string[],
): readonly PermissionPart[] {
  if (!model.state.semantics.asksForNewNames) return [];
  const asked = actions.filter((action) => action === "indices:admin/aliases");
  return asked.map((action) => evaluatePart(model, subject, action, anyAlias));
}

/** What the server makes of a request: what of it is a permission of the cluster, and what making an index takes. */
export function settleActions<T extends Pick<RequestPermissions, "cluster" | "index">>(
  model: AccessModel,
  asked: T,
): T {
  const { ofCluster, asksForNewNames } = model.state.semantics;
  const creates = asksForNewNames && asked.index.some((action) => /^indices:admin\/(resize|rollover)$/.test(action));
  const moved = asked.index.filter((action) => ofCluster.includes(action));
  if (!creates && moved.length === 0) return asked;
  return {
    ...asked,
    cluster: [...asked.cluster, ...moved],
    index: [...asked.index.filter((action) => !moved.includes(action)), ...(creates ? ["indices:admin/create"] : [])],
  };
}

/** What a server that reduces requests asks for on their indices besides, though it is a permission of the cluster. */
function listReadsOnIndices(
  { state: { semantics, settings } }: AccessModel,
  actions: readonly string[],
): readonly string[] {
  if (!settings.reducesRequests || !semantics.reducesComposites) return [];
  return actions.filter((action) => action.startsWith("indices:data/read/"));
}

/** Else a question without an index leaves open which one is meant. */
function namesNoIndex(action: string): boolean {
  return action.startsWith("indices:data/read/scroll");
}

/** Whether all of these are held: by any roles, or where the product wants it by one role for each request. */
export function evaluateHeldTogether(model: AccessModel, subject: Subject, parts: readonly PermissionPart[]): Verdict {
  const each = combineParts(parts);
  if (!needsOneRole(model)) return each;
  return combineAll([
    each,
    ...groupByRequest(parts).map((some) => combineAny([isGrantedByOneRole(some), mayHold(subject)])),
  ]);
}

/**
 * A server makes several requests of one, such as the refresh of some indices and of each of their shards, and
 * evaluates each by itself. Documents are written by one request for all that is done on a shard. Tried on Search
 * Guard 7.5.1-38 and 6.5.4-24.
 */
function groupByRequest(parts: readonly PermissionPart[]): readonly (readonly PermissionPart[])[] {
  return groupItems(parts, ({ action, index }) => {
    const writes = isWrittenTogether(action);
    const isOnShard = writes || action.endsWith("[s]");
    return JSON.stringify([writes ? "documents" : action, isOnShard && (index?.via ?? index?.name)]);
  });
}

/** Whether one request takes it for a document, together with the others of these. */
export function isWrittenTogether(action: string): boolean {
  return /^indices:data\/write\/(bulk\[s\]|index|delete)$/.test(action);
}

function evaluatePart(model: AccessModel, subject: Subject, action: string, index?: IndexName): PermissionPart {
  const evaluation = evaluatePermission(model, subject, createPermission(action, index));
  const keptBack = index ? isKeptByTenant(model, subject, action, index) : "no";
  const tenant = model.state.semantics.globalTenant;
  return {
    action,
    ...(index && { index }),
    evaluation:
      keptBack === "no"
        ? evaluation
        : {
            ...evaluation,
            verdict: combineAll([evaluation.verdict, negate(keptBack)]),
            against: [...evaluation.against, { kind: "tenant", verdict: keptBack, tenant }],
          },
  };
}

/** The dashboards' own index, where multitenancy has the server ask for the global tenant besides. */
export function getDashboardsIndex({ state: { semantics, settings } }: AccessModel): string | undefined {
  const { dashboards = readDashboardsSettings({}) } = settings;
  return semantics.dashboardsIndexReads && dashboards ? dashboards.index : undefined;
}

/** Whether a request about the dashboards' index alone is refused, as the subject may not use the global tenant. */
function isKeptByTenant(model: AccessModel, subject: Subject, action: string, { name, isAlone }: IndexName): Verdict {
  const { semantics, settings } = model.state;
  if (isAlone === undefined || name !== getDashboardsIndex(model)) return "no";
  const { dashboards = readDashboardsSettings({}) } = settings;
  const isServer = dashboards && subject.user && "name" in subject.user && subject.user.name === dashboards.server;
  if (isServer) return "no";
  const { reads, writes } = evaluateTenantAccess(model, subject, semantics.globalTenant);
  const isRead = semantics.dashboardsIndexReads?.some((pattern) => matchesPattern(pattern, action) === "yes");
  return combineAll([isAlone, negate(isRead ? reads : writes)]);
}

function combineParts(parts: readonly PermissionPart[]): Verdict {
  return combineAll(parts.map(({ evaluation }) => evaluation.verdict));
}

/** Where what a request names decides whether it is reduced: the model with settings that say so. */
export function settleReduction(
  model: AccessModel,
  subject: Subject,
  actions: readonly string[],
  names: readonly string[],
): AccessModel {
  const { semantics, settings } = model.state;
  if (!semantics.reducesByPattern) return model;
  const reduces = settings.ignoresUnauthorized !== false && names.some((name) => /\*|^_all$/.test(name));
  // Who holds the actions nowhere is refused; all others get an empty answer at the least.
  const rules = listHeldRules(model, subject).flatMap((held) => held.rules.index);
  const holdsSome = (action: string) =>
    rules.some((rule) => rule.actions.some(({ pattern }) => matchesPattern(pattern, action) !== "no"));
  return settledModels(model)(JSON.stringify([reduces, reduces && actions.every(holdsSome)]));
}

const settledModels = memoiseByObject((model: AccessModel) =>
  memoiseByKey((key: string): AccessModel => {
    const [reducesRequests, reducesToNothing] = JSON.parse(key) as readonly [boolean, boolean];
    const { state } = model;
    return { ...model, state: { ...state, settings: { ...state.settings, reducesRequests, reducesToNothing } } };
  }),
);

/** Whether the server reduces a request that takes these actions to the permitted ones of its indices. */
export function isReduced({ state: { semantics, settings } }: AccessModel, actions: readonly string[]): boolean {
  const reduces = (action: string): boolean =>
    semantics.reduced.some((pattern) => matchesPattern(pattern, action) === "yes");
  return settings.reducesRequests === true && actions.length > 0 && actions.every(reduces);
}

/** Whether the server answers about all indices where none of the named ones is permitted. */
export function mayAnswerAll(model: AccessModel, actions: readonly string[]): boolean {
  return isReduced(model, actions) && reducesToNothing(model) && answersAll(model, actions);
}

function reducesToNothing({ state: { settings } }: AccessModel): boolean {
  return settings.reducesToNothing === true;
}

function answersAll({ state: { semantics } }: AccessModel, actions: readonly string[]): boolean {
  return actions.some((action) => semantics.noneMeansAll.includes(action));
}

function isGrantedByOneRole(parts: readonly PermissionPart[]): Verdict {
  const roles = [...new Set(parts.flatMap(({ evaluation }) => evaluation.chains.map(({ holding }) => holding.role)))];
  if (parts.length === 0) return "yes";
  return combineAny(
    roles.map((role) =>
      combineAll(
        parts.map(({ evaluation }) =>
          combineAny(evaluation.chains.filter(({ holding }) => holding.role === role).map(({ verdict }) => verdict)),
        ),
      ),
    ),
  );
}
