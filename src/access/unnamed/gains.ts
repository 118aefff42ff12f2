import type { AccessDifference, TenantDifference } from "../../model/access.ts";
import { findHeldOtherwise } from "../compare/held-together.ts";
import { createParting } from "../compare/table/parts.ts";
import { buildTables } from "../compare/table/tables.ts";
import { findTenantDifferences } from "../compare/tenants.ts";
import { areSettingsChanged, findTouchedRoles, touchesNoPrincipal } from "../compare/touched.ts";
import { isBlockedIn } from "../evaluate/blocked.ts";
import { type AccessModel, createAccessModel } from "../model/access-model.ts";
import type { Holding } from "../model/holders.ts";
import type { AccessState } from "../model/state.ts";
import type { Subject } from "../model/subject.ts";
import { extractOpenState } from "./open.ts";
import { listAnonymous, listLetInNames, listUnnamed } from "./principals.ts";

/** What a principal with names that are nowhere written comes to be able to do, or to see. */
export interface UnnamedGain {
  /** One of many. */
  readonly subject: Subject;
  /** It is who has not logged in. */
  readonly isAnonymous: boolean;
  /** What it holds before and after. */
  readonly holdings: readonly Holding[];
  readonly differences: readonly AccessDifference[];
  readonly tenants: readonly TenantDifference[];
  /** Settings by which requests are evaluated otherwise, or by one role of several: what this gives is unknown. */
  readonly settings: readonly string[];
}

export interface UnnamedGained {
  readonly gains: readonly UnnamedGain[];
  /** There are too many combinations of patterns to look at all of them. */
  readonly tooMany: boolean;
}

/**
 * What principals with names that are nowhere written gain: by mappings of `*`, and by everything that means the
 * same.
 */
export function findUnnamedGained(before: AccessState, after: AccessState): UnnamedGained {
  if (touchesNoPrincipal(before, after)) return { gains: [], tooMany: false };
  const letIn = listLetInNames([before, after]);
  const all = findGains([extractOpenState(before), extractOpenState(after)], false, letIn);
  if (after.settings.anonymous === false) return all;
  const { anonymous } = after.semantics;
  const others = findGains([extractOpenState(before, anonymous), extractOpenState(after, anonymous)], true);
  return { gains: [...all.gains, ...others.gains], tooMany: all.tooMany || others.tooMany };
}

function findGains(
  states: readonly [before: AccessState, after: AccessState],
  isAnonymous: boolean,
  letIn: readonly string[] = [],
): UnnamedGained {
  const [before, after] = states;
  const touched = findTouchedRoles(before, after);
  const settings = listLooserSettings(before, after);
  const isEvaluatedOtherwise = areSettingsChanged(before, after);
  const models = [createAccessModel(before), createAccessModel(after)] as const;
  const { user, backendRole } = after.semantics.anonymous;
  const { subjects, tooMany } = isAnonymous
    ? { subjects: listAnonymous(states, user, backendRole), tooMany: false }
    : listUnnamed(states, letIn);
  const tables = buildTables(models);
  const part = createParting();
  const known = new Set<string>();
  const gains = subjects.flatMap((subject): readonly UnnamedGain[] => {
    const held = models.map((model) => model.holdings(subject));
    const shut = models.map((model) => isBlockedIn(model.state, subject));
    const holdings = held.flat();
    const isConcerned = isEvaluatedOtherwise || shut[0] !== shut[1] || holdings.some(({ role }) => touched.has(role));
    if (!isConcerned || holdings.length === 0) return [];
    const key = JSON.stringify([held.map(listRoleTexts), shut, isVariable(subject, models) && subject.user]);
    if (known.has(key)) return [];
    known.add(key);
    const differences = tables.differences(subject).filter(isGain);
    const tenants = findTenantDifferences(models[0], models[1], subject).filter(isTenantGain);
    const byOneRole = findHeldOtherwise(models, subject, part).gained ? ["multi_rolespan_enabled"] : [];
    // What a mapping may give by unknown fields counts where the roles differ.
    const holdsAny = held[1]?.some(({ unknown }) => unknown?.by !== "mapping");
    const ofSettings = holdsAny ? [...settings, ...byOneRole] : [];
    if (differences.length + tenants.length + ofSettings.length === 0) return [];
    return [{ subject, isAnonymous, holdings, differences, tenants, settings: ofSettings }];
  });
  return { gains, tooMany: (tooMany && (touched.size > 0 || isEvaluatedOtherwise)) || tables.isManifold() };
}

function listRoleTexts(holdings: readonly Holding[]): readonly string[] {
  return [...new Set(holdings.map(({ role, verdict }) => `${verdict} ${role}`))].sort();
}

/** Something that it has depends on its own name. */
function isVariable(subject: Subject, models: readonly AccessModel[]): boolean {
  return models.some((model) =>
    model.holdings(subject).some(({ role }) => JSON.stringify(model.state.roles.get(role) ?? {}).includes("${")),
  );
}

/** Whatever is not certainly less. */
function isGain({ kind }: AccessDifference): boolean {
  return kind !== "lost" && kind !== "narrowed" && kind !== "may-lose";
}

function isTenantGain({ before, after }: TenantDifference): boolean {
  const levels = ["nothing", "read", "write"];
  return before === "unknown" || after === "unknown" || levels.indexOf(after) > levels.indexOf(before);
}

/** By these more requests pass than before, whatever the roles say. */
function listLooserSettings(before: AccessState, after: AccessState): readonly string[] {
  const { roleSpan } = after.semantics;
  const spans = ({ settings }: AccessState): boolean => settings.spansRoles ?? roleSpan !== false;
  const [was, is] = [before.settings.reducesToNothing, after.settings.reducesToNothing];
  return [
    ...(roleSpan !== "ignored" && spans(after) && !spans(before) ? ["multi_rolespan_enabled"] : []),
    ...(is === true && was !== true ? ["do_not_fail_on_forbidden_empty"] : []),
  ];
}
