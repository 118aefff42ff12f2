import { evaluateRequest, getDashboardsIndex, isReduced, mayAnswerAll } from "../../evaluate/request.ts";
import type { AccessModel } from "../../model/access-model.ts";
import { needsOneRole } from "../../model/settings.ts";
import type { KnownUser, Subject } from "../../model/subject.ts";
import { matchesPattern } from "../../patterns/matches.ts";
import type { Harm } from "../../verdict.ts";
import { excludeKnown, findHeldByNone, listOneRoles } from "../held-together.ts";
import { verdicts } from "../table/codes.ts";
import type { Column, Table } from "../table/table.ts";
import { areSettingsChanged } from "../touched.ts";

/** What a subject may have too much or too little of, as the settings are those of one side and its rules are others. */
export interface SettingsHarm {
  readonly kind: Harm;
  readonly action: string;
  readonly index?: string;
  /** As the config names it. */
  readonly setting: string;
}

/** The states before, in between and after. */
type Models = readonly [before: AccessModel, between: AccessModel, after: AccessModel];

/** One cell of a table. */
type Place = Pick<SettingsHarm, "action" | "index">;

/**
 * What evaluating requests by settings may do in an intermediate state: requests that need several permissions at
 * once, which no table of single permissions shows. Harm that is not ruled out is `unsure`.
 *
 * @param table of the three models
 */
export function findSettingsHarm(models: Models, subject: Subject, table: Table): SettingsHarm | undefined {
  const [before, , after] = models;
  const ofRoles = findHarmOfSpan(models, subject, table) ?? findHarmOfOneRole(models, subject, table);
  if (ofRoles || !areSettingsChanged(before.state, after.state)) return ofRoles;
  return (
    findHarmOfReduction(models, subject, table) ??
    findHarmOfDashboards(models, subject, table) ??
    findHarmOfAnonymous(models, subject, table)
  );
}

/**
 * `multi_rolespan_enabled`: with it, several roles together permit a request, and without it one role has to. Where they
 * may span, a subject must not have what it is to have only where they may not; where they may not, each role that
 * permits something before and after needs one that permits it in between.
 */
function findHarmOfSpan(models: Models, subject: Subject, table: Table): SettingsHarm | undefined {
  const [before, between, after] = models;
  if (needsOneRole(before) === needsOneRole(after)) return undefined;
  // By one role it is the same with and without.
  if (listOneRoles(between, subject).length <= 1) return undefined;
  const [strict, loose] = needsOneRole(before) ? ([0, 2] as const) : ([2, 0] as const);
  const place = needsOneRole(between)
    ? findHeldBetween([models[strict], between, models[loose]], subject, table)
    : findUncovered(table, [getColumn(table, 1)], getColumn(table, loose));
  return place && { kind: "unsure", ...place, setting: "multi_rolespan_enabled" };
}

/** What one role grants on one side, and all of the other side together, and no role in between. */
function findHeldBetween([strict, between, loose]: Models, subject: Subject, { part }: Table): Place | undefined {
  const now = listOneRoles(between, subject);
  const given = excludeKnown(listOneRoles(strict, subject), now).map(({ model }) => [model, loose]);
  return findHeldByNone(given, now, subject, part);
}

/**
 * Where one role has to permit a request in all states: none may do so in between alone, and none be missing there of
 * those that permit it before and after.
 */
function findHarmOfOneRole(models: Models, subject: Subject, { part }: Table): SettingsHarm | undefined {
  if (!models.every(needsOneRole)) return undefined;
  const [before, , after] = models;
  const [old = [], between = [], now = []] = models.map((model) => listOneRoles(model, subject));
  const more = excludeKnown(between, [...old, ...now]).map(({ model }) => [model, before, after]);
  const less = excludeKnown(old, between).flatMap((one) =>
    excludeKnown(now, between).map((other) => [one.model, other.model]),
  );
  const gained = (given: readonly AccessModel[]) =>
    findHeldByNone([given], old, subject, part) && findHeldByNone([given], now, subject, part);
  const place = more.map(gained).find((found) => found) ?? findHeldByNone(less, between, subject, part);
  return place && { kind: "unsure", ...place, setting: "multi_rolespan_enabled" };
}

/**
 * `do_not_fail_on_forbidden`: with it, a request over several indices is answered about the permitted ones, which shows
 * nothing that a request about these alone does not show; without it, it is refused. So what was permitted and is
 * answered in part afterwards must not be refused in between. Reduced to nothing, some requests are answered about all.
 */
function findHarmOfReduction(models: Models, subject: Subject, table: Table): SettingsHarm | undefined {
  const [before, between, after] = models;
  const reduces = ({ state: { settings } }: AccessModel): boolean => settings.reducesRequests === true;
  const findHarmOfReductionByRole = (side: AccessModel): Place | undefined => {
    const now = listOneRoles(between, subject);
    const given = excludeKnown(listOneRoles(side, subject), now).map(({ model }) => [model]);
    return findHeldByNone(given, now, subject, table.part, (action) => isReduced(models[loose], [action]));
  };
  const [strict, loose] = reduces(before) ? ([2, 0] as const) : ([0, 2] as const);
  if (reduces(before) !== reduces(after) && !reduces(between)) {
    const isAnswered = (action: number): boolean =>
      isReduced(models[loose], [nameOf(table, action)]) && isPermittedSomewhere(table, getColumn(table, loose), action);
    const place =
      findUncovered(table, [getColumn(table, strict)], getColumn(table, 1), isAnswered) ??
      (needsOneRole(between) ? findHarmOfReductionByRole(models[strict]) : undefined);
    if (place) return { kind: "unsure", ...place, setting: "do_not_fail_on_forbidden" };
  }
  const answersAll = (model: AccessModel, action: number): boolean => mayAnswerAll(model, [nameOf(table, action)]);
  for (const end of [0, 2] as const) {
    const isOnlyHere = (action: number): boolean =>
      answersAll(between, action) &&
      answersAll(models[end], action) &&
      !answersAll(models[2 - end] as AccessModel, action);
    const place = findUncovered(table, [getColumn(table, end)], getColumn(table, 1), isOnlyHere);
    if (place) return { kind: "unsure", ...place, setting: "do_not_fail_on_forbidden_empty" };
  }
  return undefined;
}

/** `kibana` of the config: a request about the dashboards' index alone takes the global tenant besides. */
function findHarmOfDashboards(models: Models, subject: Subject, table: Table): SettingsHarm | undefined {
  const [before, , after] = models;
  if (JSON.stringify(before.state.settings.dashboards) === JSON.stringify(after.state.settings.dashboards))
    return undefined;
  const names = [...new Set([before, after].flatMap((model) => getDashboardsIndex(model) ?? []))];
  for (const name of names) {
    for (const cell of table.actions.ofLevel("index")) {
      const action = nameOf(table, cell);
      const request = { cluster: [], index: [action], on: [{ name, isAlone: "yes" as const }] };
      const [was, now, is] = models.map((model) => evaluateRequest(model, subject, request).verdict);
      if (now === was || now === is) continue;
      const kind = [was, now, is].includes("unknown") ? "unsure" : now === "yes" ? "leak" : "outage";
      return { kind, action, index: name, setting: "kibana" };
    }
  }
  return undefined;
}

/** `http.anonymous_auth_enabled`: who has not logged in must not have what is to be granted only when it is off. */
function findHarmOfAnonymous(models: Models, subject: Subject, table: Table): SettingsHarm | undefined {
  const [before, between, after] = models;
  const letsIn = ({ state: { settings } }: AccessModel): boolean => settings.anonymous === true;
  if (letsIn(before) === letsIn(after) || !letsIn(between) || !mayBeAnonymous(subject, between)) return undefined;
  const place = findUncovered(table, [getColumn(table, 1)], getColumn(table, letsIn(before) ? 0 : 2));
  return place && { kind: "unsure", ...place, setting: "http.anonymous_auth_enabled" };
}

function mayBeAnonymous({ user, backendRoles }: Subject, { state: { semantics } }: AccessModel): boolean {
  const isCalled = (who: KnownUser, name: string): boolean =>
    "name" in who ? who.name === name : matchesPattern(who.pattern, name) !== "no";
  const { anonymous } = semantics;
  if (user && isCalled(user, anonymous.user)) return true;
  return backendRoles.some((role) => isCalled(role, anonymous.backendRole));
}

/** The first permission on an index that all of some columns grant, or may grant, and another one not for certain. */
function findUncovered(
  table: Table,
  given: readonly Column[],
  outer: Column,
  isMeant: (action: number) => boolean = () => true,
): Place | undefined {
  for (const [index, { example }] of table.indices.cells.entries()) {
    if (given.some((column) => column.signature(index) === outer.signature(index))) continue;
    const [codes, covered] = [given.map((column) => column.index(index)), outer.index(index)];
    for (const action of table.actions.ofLevel("index")) {
      const isGiven = codes.every((some) => some[action] !== verdicts.no);
      if (isGiven && covered[action] !== verdicts.yes && isMeant(action))
        return { action: nameOf(table, action), index: example };
    }
  }
  return undefined;
}

function isPermittedSomewhere({ indices }: Table, column: Column, action: number): boolean {
  return indices.cells.some((_, index) => column.index(index)[action] !== verdicts.no);
}

function getColumn({ columns }: Table, at: 0 | 1 | 2): Column {
  return columns[at] as Column;
}

function nameOf({ actions }: Table, action: number): string {
  return actions.cells[action]?.example ?? "";
}
