// The access diff, on its way: `touched.ts` finds the principals that a change is about; `table/` says, part by part of what
// patterns distinguish, what one of them may do in both states, and `table/differences.ts` where that differs; `pairs.ts` and
// `table/unexplained.ts` what only those gain or lose who are two of them at once; `everybody.ts` leaves out what all gain
// or lose alike; `granting-roles.ts` names the roles. Tenants, blocks and requests that one role has to permit are compared
// by `tenants.ts`, `blocked-diff.ts` and `held-together.ts`. `between/` uses the same tables for the states between two
// requests; `escalation.ts` and `administers.ts` are about who administers access control.

import { memoiseByObject } from "../../json/memoise.ts";
import type {
  AccessDifference,
  AccessDifferences,
  AffectedPrincipal,
  LevelChange,
  Member,
  Statement,
  TenantDifference,
  UnchangedUnknown,
} from "../../model/access.ts";
import {
  findHiddenPatterns,
  type HiddenPatterns,
  restoreExample,
  restoreRegion,
} from "../evaluate/attribute-values.ts";
import { evaluatePermission } from "../evaluate/permission.ts";
import { evaluateRequest } from "../evaluate/request.ts";
import { formatConditionNames } from "../explain/conditions.ts";
import type { AccessModel } from "../model/access-model.ts";
import { needsOneRole } from "../model/settings.ts";
import { formatMember, type Subject } from "../model/subject.ts";
import { findBlockedDiff } from "./blocked-diff.ts";
import { describeChangedUserFields } from "./changed-user-fields.ts";
import { withEverybody } from "./everybody.ts";
import { findGrantingRoles } from "./granting-roles.ts";
import { describeHeldRoleQueries } from "./held-role-queries.ts";
import { listHeldOtherwise } from "./held-together.ts";
import { findPairs } from "./pairs.ts";
import { findHeldLevels, type IsByOneRole } from "./table/levels.ts";
import { estimateTableWork, type Table } from "./table/table.ts";
import { buildTables } from "./table/tables.ts";
import { findUnexplained } from "./table/unexplained.ts";
import { findTenantDifferences } from "./tenants.ts";
import {
  findTouched,
  getMostEvaluated,
  isEverybody,
  isWide,
  mayGive,
  type TouchedPrincipal,
  touchesNoPrincipal,
} from "./touched.ts";

/** A persona of the repository: its user, backend roles and host are known completely. */
export interface ComparedPersona {
  readonly name: string;
  readonly subject: Subject;
}

interface LevelledDifference extends AccessDifference {
  readonly levels: LevelChange;
}

interface One {
  readonly who: AffectedPrincipal;
  readonly subject: Subject;
  readonly differences: readonly LevelledDifference[];
  readonly tenants: readonly TenantDifference[];
}

/** The access diff of two states: for principals, for pairs where one alone does not show it, and for personas. */
export function compareAccess(
  before: AccessModel,
  after: AccessModel,
  personas: readonly ComparedPersona[] = [],
  mostPrincipals?: number,
): AccessDifferences {
  if (touchesNoPrincipal(before.state, after.state)) return noDifferences;
  const models = [before, after] as const;
  const { roles: touched, everybody: touchedPrincipals } = findTouched(before, after);
  const isTouched = ({ subject }: ComparedPersona): boolean =>
    models.some((model) => model.holdings(subject).some(({ role }) => touched.has(role)));
  const tables = buildTables(models);
  const everybody = touchedPrincipals.filter(({ member }) => isEverybody(member)).map(({ subject }) => subject);
  const addLevels = (
    table: Table,
    subject: Subject,
    found: readonly AccessDifference[],
  ): readonly LevelledDifference[] => {
    const [from, to] = table.columns;
    const [was, is] = models.map((model) => createOneRoleCheck(model, subject));
    return found.map((one) => ({
      ...one,
      levels: { before: findHeldLevels(table, from, one, was), after: findHeldLevels(table, to, one, is) },
    }));
  };
  const differences = (subject: Subject): Pick<One, "differences" | "tenants"> => {
    if (tables.areAlike(subject)) return { differences: [], tenants: [] };
    const explained = tables.differences(subject).map((one) => explainDifference(one, before, after, subject));
    const own = addLevels(tables.of(subject), subject, explained);
    // A key has nothing by a mapping of everybody.
    const isByItself = everybody.includes(subject) || subject.apiKey !== undefined;
    const marked = (isByItself ? [] : everybody).reduce(
      (some, common) => (some.length === 0 ? some : withEverybody(tables.of(subject), some, tables.of(common))),
      own,
    );
    return { differences: marked, tenants: findTenantDifferences(before, after, subject) };
  };

  const most = getMostEvaluated(models, mostPrincipals);
  let work = 0;
  let isGivenUp = false;
  /** What the differences of the others do not show; nothing where there is too much to work out. */
  const beyond = (who: AffectedPrincipal, subject: Subject, others: readonly TouchedPrincipal[]): readonly One[] => {
    if (work > mostWorkOnPairs) {
      isGivenUp = true;
      return [];
    }
    const table = tables.ofOnce(subject);
    work += estimateTableWork(table);
    const shown = others.map((other) => tables.of(other.subject));
    const own = findUnexplained(table, shown).map((one) => explainDifference(one, before, after, subject));
    return [{ who, subject, differences: addLevels(table, subject, own), tenants: [] }];
  };
  const picked = pickFirst(touchedPrincipals, most);
  const evaluated: TouchedPrincipal[] = [];
  const principals = picked.flatMap((one): readonly One[] => {
    if (tables.getEffort() > mostEffort) return [];
    evaluated.push(one);
    const { member, subject, isInternal } = one;
    const who = { kind: "principal", member } as const;
    if (!isInternal) return [{ who, subject, ...differences(subject) }];
    return beyond(
      who,
      subject,
      picked.filter((other) => !other.isInternal && mayGive(other.member, subject)),
    );
  });
  const known = personas
    .filter(isTouched)
    .map(({ name, subject }): One => ({ who: { kind: "persona", name }, subject, ...differences(subject) }));
  const { pairs, tooMany } = findPairs(before, after);
  const both = pairs.flatMap(({ first, second, subject }) =>
    beyond({ kind: "pair", members: [first.member, second.member] }, subject, [first, second]),
  );
  const found = [...principals, ...known, ...both].map((one) => ({
    ...one,
    differences: restoreDifferences(one.differences, findHiddenPatterns(models, one.subject)),
  }));
  return {
    blockedDiff: findBlockedDiff(before, after),
    statements: groupByStatement(found),
    unchanged: listUnchangedUnknowns(found, after),
    unknowns: [
      ...(touchedPrincipals.length > evaluated.length
        ? [formatTooManyPrincipals(touchedPrincipals.length, evaluated.length)]
        : []),
      ...(tooMany || isGivenUp ? [tooManyPairs] : []),
      ...(tables.isManifold() ? [tooManyParts] : []),
      ...describeChangedUserFields(before, after),
      ...describeHeldRoleQueries(before, after),
      ...listHeldOtherwise(
        [before, after],
        [
          ...evaluated.map(({ member, subject }) => ({ name: formatMember(member), subject })),
          ...personas.filter(isTouched).map(({ name, subject }) => ({ name: `persona ${name}`, subject })),
        ],
      ),
    ],
  };
}

const noDifferences: AccessDifferences = { blockedDiff: [], statements: [], unchanged: [], unknowns: [] };

/** Principals to which a mapping gives a changed role come before those that have it by the pattern of another one. */
function pickFirst(everybody: readonly TouchedPrincipal[], most: number): readonly TouchedPrincipal[] {
  if (everybody.length <= most) return everybody;
  const [direct, others] = [
    everybody.filter(({ isDirect }) => isDirect),
    everybody.filter(({ isDirect }) => !isDirect),
  ];
  const [wide, named] = [direct.filter(({ member }) => isWide(member)), direct.filter(({ member }) => !isWide(member))];
  return [...wide, ...named, ...others].slice(0, most);
}

function createOneRoleCheck(model: AccessModel, subject: Subject): IsByOneRole | undefined {
  if (!needsOneRole(model)) return undefined;
  return ({ cluster, index }, name) => evaluateRequest(model, subject, { cluster, index, on: [{ name }] }).verdict;
}

function restoreDifferences(
  differences: readonly LevelledDifference[],
  hidden: HiddenPatterns,
): readonly LevelledDifference[] {
  if (hidden.size === 0) return differences;
  return differences.map((one) => ({
    ...one,
    ...(one.indices && { indices: restoreRegion(one.indices, hidden) }),
    witness: {
      action: one.witness.action,
      ...(one.witness.index !== undefined && { index: restoreExample(one.witness.index, hidden) }),
    },
  }));
}

function formatTooManyPrincipals(count: number, most: number): string {
  return `${count} users, backend roles and hosts have roles that change: only of the first ${most} was it worked out what they gain and lose.`;
}

/** In places of patterns looked at: some seconds. */
const mostEffort = 20_000_000;

/** No single document is written without it. */
const bulkWrites = "indices:data/write/bulk";

/** Some seconds: pairs who have hundreds of roles each take a tenth of one. */
const mostWorkOnPairs = 3_000_000;

const tooManyPairs =
  "Too many principals share indices with a role that restricts what others grant: not every pair of them was evaluated.";

const tooManyParts =
  "The index or action patterns of one principal overlap in too many places: not all of them were tried, and the access diff may be incomplete.";

const mayWriteInBulk = memoiseByObject((model: AccessModel) =>
  memoiseByObject(
    (subject: Subject) => evaluatePermission(model, subject, { level: "cluster", action: bulkWrites }).verdict,
  ),
);

/** The roles by which the subject has the access, and what a request needs besides. */
function explainDifference(
  found: AccessDifference,
  before: AccessModel,
  after: AccessModel,
  subject: Subject,
): AccessDifference {
  const model = found.kind === "lost" || found.kind === "may-lose" ? before : after;
  const takesBulk = found.level === "index" && found.witness.action.startsWith("indices:data/write/");
  const lacksBulk = takesBulk && mayWriteInBulk(model)(subject) === "no";
  return { ...found, ...(lacksBulk && { lacks: bulkWrites }), ...findGrantingRoles(found, before, after, subject) };
}

/** The unknown grants that differences do not include, each once, with the members that have it. */
function listUnchangedUnknowns(all: readonly One[], after: AccessModel): readonly UnchangedUnknown[] {
  const found = new Map<
    string,
    { readonly doubt: Omit<UnchangedUnknown, "members">; readonly members: Map<string, Member> }
  >();
  for (const { differences, subject } of all) {
    for (const doubt of differences.flatMap(({ besides = [] }) => besides)) {
      const key = JSON.stringify([doubt.role, formatConditionNames(doubt.depends)]);
      const one = found.get(key) ?? { doubt, members: new Map<string, Member>() };
      found.set(key, one);
      for (const { role, member } of after.holdings(subject)) {
        if (role === doubt.role) one.members.set(JSON.stringify([member.field, member.entries]), member);
      }
    }
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { doubt, members }]) => ({ ...doubt, members: [...members.values()] }));
}

/** Groups the principals that have the same statement; what they hold besides may differ. */
function groupByStatement(all: readonly One[]): readonly Statement[] {
  const byText = new Map<
    string,
    { readonly statement: Statement; readonly who: AffectedPrincipal[]; readonly levels: (readonly LevelChange[])[] }
  >();
  for (const one of all) {
    if (one.differences.length + one.tenants.length === 0) continue;
    const differences = one.differences.map(({ levels: _, ...rest }): AccessDifference => rest);
    const levels = one.differences.map((difference) => difference.levels);
    const reported = differences.map(({ via, ...rest }) => [rest, via?.role, via?.groups]);
    const key = JSON.stringify([reported, one.tenants]);
    const same = byText.get(key);
    if (same) {
      same.who.push(one.who);
      same.levels.push(levels);
    } else {
      const [who, each] = [[one.who], [levels]];
      byText.set(key, { statement: { who, differences, levels: each, tenants: one.tenants }, who, levels: each });
    }
  }
  return [...byText.values()].map(({ statement }) => statement);
}
