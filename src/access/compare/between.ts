import type { Affected, FieldRules, Limits, TenantLevel } from "../../model/access.ts";
import { fieldSeen } from "../fields.ts";
import type { AccessModel } from "../model.ts";
import type { Subject } from "../subject.ts";
import { verdicts } from "./codes.ts";
import { showsFields } from "./differences.ts";
import {
  basisFinder,
  type Granted,
  type Grants,
  grantedFinder,
  grantsFinder,
  isOfTheEnds,
  isOfTheEndsForAll,
  isOfTheEndsInTenants,
} from "./grants.ts";
import type { Parting, Parts } from "./parts.ts";
import { clarity, limitsKey, sampleFields } from "./sees.ts";
import { type Column, dataReads, type Table, tableOf, workOf } from "./table.ts";
import { tenantLevels } from "./tenants.ts";

/** Somebody whom a plan may concern. */
export interface Concerned {
  readonly who: Affected;
  readonly subject: Subject;
}

/** What somebody holds in between and neither before nor after, or has before and after and misses in between. */
export interface Breach {
  readonly kind: "leak" | "outage" | "unsure";
  readonly who: Affected;
  readonly subject: Subject;
  /** An action, or `read` or `write` of a tenant. */
  readonly action: string;
  readonly index?: string;
  readonly tenant?: string;
  /** The action is granted as it should be, but not all, or too much, is seen of the index by it. */
  readonly isOfSight?: boolean;
}

/** What takes more is given up; counted in what somebody takes who is only looked at, some two microseconds. */
const mostWork = 3_000_000;

/** A state that a plan goes through. */
export interface Between {
  /** With those roles and mappings alone that the plan touches: by these, most states are judged. */
  readonly touched: AccessModel;
  readonly all: AccessModel;
}

/**
 * Finds the breach of a state that a plan goes through for somebody whom it concerns; undefined where there is none: access
 * that neither the state before nor the one after grants, or that both grant and is missed. Many states are judged, and
 * most grant somebody what another one granted: each of that is judged once.
 */
export function breachFinder(
  [before, after]: readonly [before: Between, after: Between],
  part: Parting,
): {
  readonly of: (one: Concerned, between: Between) => Breach | undefined;
  /** Whether by the rules alone nobody at all has a breach: what is written before anybody has it changes nothing. */
  readonly isStill: (between: Between) => boolean;
  /** Whether half the time is over. */
  readonly isTired: () => boolean;
  /** Whether it took too long, and nothing is found any more. */
  readonly isSpent: () => boolean;
} {
  const known = new Map<Concerned, { readonly was: Grants; readonly will: Grants }>();
  const found = new Map<Concerned, Map<string, Breach | undefined>>();
  const grantsOf = grantsFinder();
  const basisOf = basisFinder([before.touched, after.touched]);
  const grantedBy = grantedFinder();
  let ends: readonly [Granted, Granted] | undefined;
  let work = 0;
  // Most people have the same roles as others.
  const shared = new Map<string, Found | undefined>();
  const breachFor = (subject: Subject, models: Models, isStill: boolean): Found | undefined => {
    const grants = models.map((model) => grantsOf(model, subject));
    const key = grants.every(({ isSameForAll }) => isSameForAll) && grants.map((one) => one.key).join("\n");
    if (key && shared.has(key)) return shared.get(key);
    const table = tableOf(models, subject, part);
    work += workOf(table);
    const breach = breachOn(table, models) ?? (isStill ? undefined : onTenants(models, subject));
    if (key) shared.set(key, breach);
    return breach;
  };
  return {
    isTired: () => work > mostWork / 2,
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
        breaches.set(grants.key, breach && { ...breach, who, subject });
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

type Models = readonly [before: AccessModel, between: AccessModel, after: AccessModel];

function breachOn(table: Table, models: Models): Found | undefined {
  const [before, between, after] = models.map(({ state: { settings } }) => JSON.stringify(settings));
  return onCluster(table) ?? onIndices(table, [before === between, between === after]);
}

function onCluster({ actions, columns }: Table): Found | undefined {
  const [before, between, after] = codesOf(columns, (column) => column.cluster());
  for (const action of actions.ofLevel("cluster")) {
    const kind = breachOf(before[action], between[action], after[action]);
    if (kind) return { kind, action: actions.atoms[action]?.example ?? "" };
  }
  return undefined;
}

/** @param isJudgedAs whether by the settings of before, and by those of after, all that differs is the rules */
function onIndices(
  { indices, actions, columns, part }: Table,
  isJudgedAs: readonly [before: boolean, after: boolean],
): Found | undefined {
  const reads = actions.metBy(dataReads);
  const ofIndex = inTurn(actions);
  for (const [index, { example }] of indices.atoms.entries()) {
    const [was, now, is] = columns.map((column) => column.signature(index));
    if ((isJudgedAs[0] && now === was) || (isJudgedAs[1] && now === is)) continue;
    const [before, between, after] = codesOf(columns, (column) => column.index(index));
    const limits = columns.map((column) => column.limits(index));
    for (const action of ofIndex) {
      const codes = [before[action] ?? 0, between[action] ?? 0, after[action] ?? 0] as const;
      const name = actions.atoms[action]?.example ?? "";
      const looks = reads[action] === verdicts.yes ? "documents" : showsFields(name) ? "fields" : undefined;
      const held = breachOf(...codes);
      const kind = held ?? (looks && seenOtherwise(codes, limits, looks, part));
      if (kind) return { kind, action: name, index: example, ...(!held && { isOfSight: true }) };
    }
  }
  return undefined;
}

/** Actions on indices: what people know best is named first. */
function inTurn(actions: Parts): readonly number[] {
  const isTelling = (action: number): boolean =>
    /^indices:data\/(?:read\/search|write\/index)$/.test(actions.atoms[action]?.example ?? "");
  const found =
    turns.get(actions) ?? actions.ofLevel("index").toSorted((a, b) => Number(isTelling(b)) - Number(isTelling(a)));
  turns.set(actions, found);
  return found;
}

/** Most tables have the same parts. */
const turns = new WeakMap<Parts, readonly number[]>();

function codesOf(columns: readonly Column[], of: (column: Column) => Uint8Array) {
  const none = new Uint8Array();
  const [before = none, between = none, after = none] = columns.map(of);
  return [before, between, after] as const;
}

function breachOf(before = 0, between = 0, after = 0): Breach["kind"] | undefined {
  const [least, most] = [Math.min(before, after), Math.max(before, after)];
  if (between > most) return between === verdicts.yes && most === verdicts.no ? "leak" : "unsure";
  if (between < least) return between === verdicts.no && least === verdicts.yes ? "outage" : "unsure";
  return undefined;
}

/** Of an index that is read: field by field, which documents are seen with it. */
function seenOtherwise(
  [was, now, is]: readonly [number, number, number],
  [before, between, after]: readonly Limits[],
  looks: "documents" | "fields",
  part: Parting,
): Breach["kind"] | undefined {
  if (!before || !between || !after || now === verdicts.no) return undefined;
  const isAs = (side: Limits): boolean => limitsKey(side) === limitsKey(between);
  if ((was !== verdicts.no && isAs(before)) || (is !== verdicts.no && isAs(after))) return undefined;
  if ([before, between, after].some(({ unsure }) => unsure.length > 0)) return "unsure";
  const documentsOf = ({ documents }: Limits) => (looks === "fields" ? undefined : documents?.map(({ key }) => key));
  const sides = [
    { code: was, limits: before },
    { code: is, limits: after },
  ].filter(({ code }) => code !== verdicts.no);
  for (const field of ["", ...sampleFields([before.fields, between.fields, after.fields], part)]) {
    const clearness = (fields: FieldRules): number => (field === "" ? 1 : clarity(fieldSeen(fields, field)));
    const shown = clearness(between.fields);
    const as = sides.filter(({ limits }) => clearness(limits.fields) >= shown).map(({ limits }) => documentsOf(limits));
    if (shown > 0 && !isWithin(documentsOf(between), as)) return documentsOf(between) ? "unsure" : "leak";
    if (sides.length < 2) continue;
    const least = Math.min(clearness(before.fields), clearness(after.fields));
    if (least > shown) return "outage";
    const both = [documentsOf(before), documentsOf(after)];
    if (least > 0 && !both.some((some) => isWithin(some, [documentsOf(between)]))) return "outage";
  }
  return undefined;
}

type Documents = readonly string[] | undefined;

/** Whether all of some documents are among others: by the queries as they are written. */
function isWithin(some: Documents, others: readonly Documents[]): boolean {
  if (others.some((other) => other === undefined)) return true;
  const all = new Set(others.flatMap((other) => other ?? []));
  return some?.every((key) => all.has(key)) ?? false;
}

const levels: Readonly<Record<TenantLevel, number>> = { nothing: 0, read: 1, write: 2, unknown: Number.NaN };

function onTenants(models: readonly AccessModel[], subject: Subject): Found | undefined {
  for (const [tenant, [before = "nothing", between = "nothing", after = "nothing"]] of tenantLevels(models, subject)) {
    if (between === before || between === after) continue;
    const [was, now, is] = [levels[before], levels[between], levels[after]];
    const action = "tenant";
    if ([was, now, is].some(Number.isNaN)) return { kind: "unsure", action, tenant };
    if (now > Math.max(was, is)) return { kind: "leak", action, tenant };
    if (now < Math.min(was, is)) return { kind: "outage", action, tenant };
  }
  return undefined;
}
