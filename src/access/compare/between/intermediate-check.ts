import type { AffectedPrincipal } from "../../../model/access.ts";
import { findHiddenPatterns, restoreExample } from "../../evaluate/attribute-values.ts";
import { showsFields } from "../../evaluate/fields.ts";
import type { AccessModel } from "../../model/access-model.ts";
import type { Subject } from "../../model/subject.ts";
import { type Condition, findHarm, type Harm } from "../../verdict.ts";
import { decodeVerdict, verdicts } from "../table/codes.ts";
import {
  createGrantedFinder,
  createGrantsBasisFinder,
  type GrantedActions,
  type Grants,
  isOfTheEnds,
  isOfTheEndsForAll,
  isOfTheEndsInTenants,
} from "../table/grants.ts";
import type { NameParts } from "../table/parts.ts";
import { type Column, estimateTableWork, findReads, type Table } from "../table/table.ts";
import type { TableBuilder } from "../table/table-builder.ts";
import { listTenantConditions } from "../tenants.ts";
import { findSettingsHarm } from "./settings-harm.ts";
import { createSightHarmFinder } from "./sight-harm.ts";

/** A principal that a plan may concern. */
export interface ConcernedSubject {
  readonly who: AffectedPrincipal;
  readonly subject: Subject;
}

/** Access that a principal has only in an intermediate state, or that it has before and after and misses there. */
export interface Breach {
  readonly kind: Harm;
  readonly who: AffectedPrincipal;
  readonly subject: Subject;
  /** An action, or `read` or `write` of a tenant. */
  readonly action: string;
  readonly index?: string;
  readonly tenant?: string;
  /** The action is granted as it should be, but not all, or too much, is seen of the index by it. */
  readonly isOfSight?: boolean;
  /** By this setting of the config requests are evaluated otherwise than on the side whose rules these are. */
  readonly setting?: string;
}

/**
 * Above this, the comparison is given up. Counted in the work of looking at one principal, some two microseconds
 * each.
 */
const mostWork = 3_000_000;

/** One state of the server during a plan: before it, after it, or between two of its requests. */
export interface IntermediateCheck {
  /** Only the roles and mappings that the plan changes: most states are decided by these. */
  readonly touched: AccessModel;
  readonly all: AccessModel;
}

/**
 * Finds the breach of an intermediate state for a concerned principal: access that neither the state before nor the
 * one after grants, or that both grant and it misses. Undefined where there is none. Results are remembered: most
 * states repeat grants of others.
 */
export function createBreachFinder(
  [before, after]: readonly [before: IntermediateCheck, after: IntermediateCheck],
  { grantsOf, build }: TableBuilder,
): {
  readonly of: (one: ConcernedSubject, between: IntermediateCheck) => Breach | undefined;
  /** Whether the rules alone show that no principal has a breach: an entry without holders changes nothing. */
  readonly isStill: (between: IntermediateCheck) => boolean;
  /** Whether half of the work that is allowed is done. */
  readonly isHalfSpent: () => boolean;
  /** Whether all of it is done, and nothing is found any more. */
  readonly isSpent: () => boolean;
} {
  const known = new Map<ConcernedSubject, { readonly was: Grants; readonly will: Grants }>();
  const found = new Map<ConcernedSubject, Map<string, Breach | undefined>>();
  const basisOf = createGrantsBasisFinder([before.touched, after.touched]);
  const grantedBy = createGrantedFinder();
  let ends: readonly [GrantedActions, GrantedActions] | undefined;
  let work = 0;
  // Most people have the same roles as others.
  const shared = new Map<string, Found | undefined>();
  const harms: KnownHarms = new WeakMap();
  const breachFor = (subject: Subject, models: Models, isStill: boolean): Found | undefined => {
    const grants = models.map((model) => grantsOf(model, subject));
    const key = grants.every(({ isSameForAll }) => isSameForAll) && grants.map((one) => one.key).join("\n");
    if (key && shared.has(key)) return shared.get(key);
    const table = build(models, subject, grants);
    work += estimateTableWork(table);
    const breach =
      breachOn(table, models, harms) ??
      (isStill ? undefined : onTenants(models, subject)) ??
      findSettingsHarm(models, subject, table);
    if (key) shared.set(key, breach);
    return breach;
  };
  return {
    isHalfSpent: () => work > mostWork / 2,
    isSpent: () => work > mostWork,
    of(one, between) {
      if (work++ > mostWork) return undefined;
      const { who, subject } = one;
      const own = known.get(one) ?? { was: grantsOf(before.touched, subject), will: grantsOf(after.touched, subject) };
      known.set(one, own);
      const breaches = found.get(one) ?? new Map<string, Breach | undefined>();
      found.set(one, breaches);
      const basis = basisOf(between.touched, subject);
      if (breaches.has(basis)) return breaches.get(basis);
      const grants = grantsOf(between.touched, subject);
      if (!breaches.has(grants.key)) {
        const models = [before.all, between.all, after.all] as const;
        const isStill = isOfTheEndsInTenants(own.was, grants, own.will);
        const breach = isOfTheEnds(own.was, grants, own.will) ? undefined : breachFor(subject, models, isStill);
        breaches.set(grants.key, breach && { ...asWritten(breach, models, subject), who, subject });
      }
      const breach = breaches.get(grants.key);
      breaches.set(basis, breach);
      return breach;
    },
    isStill(between) {
      ends ??= [grantedBy(before.touched), grantedBy(after.touched)];
      return isOfTheEndsForAll(ends[0], grantedBy(between.touched), ends[1]);
    },
  };
}

type Found = Omit<Breach, "who" | "subject">;

function asWritten(found: Found, models: readonly AccessModel[], subject: Subject): Found {
  if (found.index === undefined) return found;
  return { ...found, index: restoreExample(found.index, findHiddenPatterns(models, subject)) };
}

type Models = readonly [before: AccessModel, between: AccessModel, after: AccessModel];

function breachOn(table: Table, models: Models, harms: KnownHarms): Found | undefined {
  const [before, between, after] = models.map(({ state: { settings } }) => JSON.stringify(settings));
  return onCluster(table) ?? onIndices(table, [before === between, between === after], harms);
}

function onCluster({ actions, columns }: Table): Found | undefined {
  const codes = codesOf(columns, (column) => column.cluster());
  for (const action of actions.ofLevel("cluster")) {
    const kind = harmTo(columns, codes, action);
    if (kind) return { kind, action: actions.cells[action]?.example ?? "" };
  }
  return undefined;
}

/** @param isEvaluatedAs whether only the rules differ from the state before, and only they from the state after: no setting does */
function onIndices(
  table: Table,
  isEvaluatedAs: readonly [before: boolean, after: boolean],
  harms: KnownHarms,
): Found | undefined {
  const { indices, columns } = table;
  const [before, between, after] = columns;
  if (!before || !between || !after) return undefined;
  for (const [index, { example }] of indices.cells.entries()) {
    const now = between.signature(index);
    if ((isEvaluatedAs[0] && now === before.signature(index)) || (isEvaluatedAs[1] && now === after.signature(index)))
      continue;
    const harm = findKnownHarm(harms, [before, between, after], index, () => findIndexHarm(table, index));
    if (harm) return { ...harm, index: example };
  }
  return undefined;
}

type IndexHarm = Pick<Found, "kind" | "action" | "isOfSight">;

/** By what covers an index before, between and after. */
type KnownHarms = WeakMap<object, Map<object, Map<object, IndexHarm | undefined>>>;

/** Thousands of parts of hundreds of tables are covered by the same elements. */
function findKnownHarm(
  harms: KnownHarms,
  [before, between, after]: readonly [Column, Column, Column],
  index: number,
  find: () => IndexHarm | undefined,
): IndexHarm | undefined {
  const [was, now, is] = [before.evaluation(index), between.evaluation(index), after.evaluation(index)];
  const ofBefore = harms.get(was) ?? new Map<object, Map<object, IndexHarm | undefined>>();
  harms.set(was, ofBefore);
  const known = ofBefore.get(now) ?? new Map<object, IndexHarm | undefined>();
  ofBefore.set(now, known);
  if (!known.has(is)) known.set(is, find());
  return known.get(is);
}

function findIndexHarm(table: Table, index: number): IndexHarm | undefined {
  const { actions, columns } = table;
  const reads = findReads(actions);
  const codes = codesOf(columns, (column) => column.index(index));
  const harmToSight = createSightHarmFinder(table, index);
  for (const action of listInOrder(actions)) {
    const name = actions.cells[action]?.example ?? "";
    const looks = reads[action] === verdicts.yes ? "documents" : showsFields(name) ? "fields" : undefined;
    const held = harmTo(columns, codes, action, index);
    const kind = held ?? (looks && harmToSight(conditionsAt(columns, codes, action, index), looks));
    if (kind) return { kind, action: name, ...(!held && { isOfSight: true }) };
  }
  return undefined;
}

/** Actions on indices: what people know best is named first. */
function listInOrder(actions: NameParts): readonly number[] {
  const isReporting = (action: number): boolean =>
    /^indices:data\/(?:read\/search|write\/index)$/.test(actions.cells[action]?.example ?? "");
  const found =
    positions.get(actions) ??
    actions.ofLevel("index").toSorted((a, b) => Number(isReporting(b)) - Number(isReporting(a)));
  positions.set(actions, found);
  return found;
}

/** Most tables have the same parts. */
const positions = new WeakMap<NameParts, readonly number[]>();

type Codes = readonly [before: Uint8Array, between: Uint8Array, after: Uint8Array];

function codesOf(columns: readonly Column[], of: (column: Column) => Uint8Array): Codes {
  const none = new Uint8Array();
  const [before = none, between = none, after = none] = columns.map(of);
  return [before, between, after];
}

function harmTo(columns: readonly Column[], codes: Codes, action: number, index?: number): Harm | undefined {
  const [was, now, is] = [codes[0][action], codes[1][action], codes[2][action]];
  const isSure = was !== verdicts.unknown && now !== verdicts.unknown && is !== verdicts.unknown;
  if (isSure) return was !== is || now === was ? undefined : now === verdicts.yes ? "leak" : "outage";
  return findHarm(...conditionsAt(columns, codes, action, index));
}

/** Of what is certain it takes no work. */
function conditionsAt(
  columns: readonly Column[],
  codes: Codes,
  action: number,
  index?: number,
): readonly [Condition, Condition, Condition] {
  const at = (which: 0 | 1 | 2): Condition => {
    const verdict = decodeVerdict(codes[which][action]);
    return verdict === "unknown" ? (columns[which]?.condition(action, index) ?? "no") : verdict;
  };
  return [at(0), at(1), at(2)];
}

function onTenants(models: readonly AccessModel[], subject: Subject): Found | undefined {
  for (const [tenant, [before, between, after]] of listTenantConditions(models, subject)) {
    if (!before || !between || !after) continue;
    const kind =
      findHarm(before.writes, between.writes, after.writes) ?? findHarm(before.reads, between.reads, after.reads);
    if (kind) return { kind, action: "tenant", tenant };
  }
  return undefined;
}
