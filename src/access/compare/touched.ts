import { roleMappings } from "../../families/role-mappings.ts";
import { unknownIn } from "../../families/unknown.ts";
import type { Fields } from "../../json/value.ts";
import { textsOf } from "../groups.ts";
import { isGiven, meansAll } from "../mapped.ts";
import type { AccessModel } from "../model.ts";
import { meets } from "../patterns/meets.ts";
import type { AccessState, Held } from "../state.ts";
import { type Subject, subjectOf, type Way, waysOf } from "../subject.ts";
import { internalHolders, internalUserWays, subjectIn } from "../users.ts";

/** One entry of a mapping, alone: whoever it gives a role to. */
export interface Principal {
  /** The same for two entries that say the same. */
  readonly key: string;
  readonly way: Way;
  readonly subject: Subject;
  /** One of the roles is given by this very entry. */
  readonly isDirect: boolean;
  /** An internal user that has one of the roles by backend roles or by a pattern: what others explain is not said again. */
  readonly isInternal?: true;
}

/** What differs between two states, and for whom. */
export interface Touched {
  readonly roles: ReadonlySet<string>;
  /** Everybody that one of the roles is given to before or after; entries that mean the same once, in order. */
  readonly everybody: readonly Principal[];
}

/** The order of the writes and what is said of them ask for the same states, one after the other. */
const worked = new WeakMap<AccessModel, { readonly after: AccessModel; readonly touched: Touched }>();

export function touchedBy(before: AccessModel, after: AccessModel): Touched {
  const last = worked.get(before);
  if (last?.after === after) return last.touched;
  const roles = touchedRoles(before.state, after.state);
  const touched = { roles, everybody: principalsOf(roles, [before, after]) };
  worked.set(before, { after, touched });
  return touched;
}

/** Roles that differ between two states, or by which somebody may come to differ. Entries are compared by identity. */
export function touchedRoles(before: AccessState, after: AccessState): ReadonlySet<string> {
  const touched = new Set([...changed(before.roles, after.roles), ...changed(before.mappings, after.mappings)]);
  const groups = changed(before.groups, after.groups);
  if (groups.length > 0) {
    const reached = [...using(groups, before.groups), ...using(groups, after.groups)];
    for (const role of [...naming(reached, before.roles), ...naming(reached, after.roles)]) touched.add(role);
  }
  const tenants = changed(before.tenants, after.tenants);
  if (tenants.length > 0) {
    for (const role of [...entering(tenants, before.roles), ...entering(tenants, after.roles)]) touched.add(role);
  }
  return touched;
}

export function changed(before: Held, after: Held): readonly string[] {
  if (before === after) return [];
  const gone = [...before.keys()].filter((name) => !after.has(name));
  return [...gone, ...[...after.keys()].filter((name) => before.get(name) !== after.get(name))];
}

/** The groups themselves, and those that contain them, in any depth. */
function using(names: readonly string[], groups: Held): ReadonlySet<string> {
  const containers = new Map<string, string[]>();
  for (const [name, group] of groups) {
    for (const member of textsOf(group, "allowed_actions")) {
      const all = containers.get(member);
      if (all) all.push(name);
      else containers.set(member, [name]);
    }
  }
  const reached = new Set(names);
  for (const name of reached) for (const container of containers.get(name) ?? []) reached.add(container);
  return reached;
}

function naming(groups: Iterable<string>, roles: Held): readonly string[] {
  const wanted = new Set(groups);
  return [...roles].filter(([, role]) => permissionTexts(role).some((text) => wanted.has(text))).map(([name]) => name);
}

const elementFields = [
  "index_permissions",
  "alias_permissions",
  "data_stream_permissions",
  "tenant_permissions",
  "exclude_index_permissions",
];

/** Names of groups among them, and whatever else permissions name. */
export function permissionTexts(role: Fields): readonly string[] {
  const elements = elementFields.flatMap((field) => elementsOf(role, field));
  return [
    ...textsOf(role, "cluster_permissions"),
    ...textsOf(role, "exclude_cluster_permissions"),
    ...elements.flatMap((element) => [...textsOf(element, "allowed_actions"), ...textsOf(element, "actions")]),
  ];
}

/** Roles that have a pattern which meets one of the tenants. */
function entering(tenants: readonly string[], roles: Held): readonly string[] {
  const isMet = (pattern: string): boolean =>
    pattern.includes("${") || tenants.some((tenant) => meets(pattern, tenant) !== "no");
  return [...roles].filter(([, role]) => tenantPatterns(role).some(isMet)).map(([name]) => name);
}

export function tenantPatterns(role: Fields): readonly string[] {
  return elementsOf(role, "tenant_permissions").flatMap((element) => textsOf(element, "tenant_patterns"));
}

function elementsOf(role: Fields, field: string): readonly Fields[] {
  const value = role[field];
  return Array.isArray(value) ? value : [];
}

/** Comparisons of two patterns: a second's worth, and a few. */
const mostCompared = 400_000;

const counted = new WeakMap<Held, { readonly all: number; readonly wide: number }>();

/** How many entries mappings have, and how many of these are patterns or sets, by which everybody has to be tried. */
function wideWays(models: readonly AccessModel[]): { readonly all: number; readonly wide: number } {
  let [all, wide] = [0, 0];
  for (const { state } of models) {
    const known = counted.get(state.mappings) ?? countOf(state.mappings);
    counted.set(state.mappings, known);
    [all, wide] = [Math.max(all, known.all), Math.max(wide, known.wide)];
  }
  return { all, wide };
}

function countOf(mappings: Held): { readonly all: number; readonly wide: number } {
  const ways = [...mappings.values()].flatMap(waysOf);
  return { all: ways.length, wide: ways.filter(isWide).length };
}

/** Of so many principals it can be worked out in time what they hold: each is tried against every pattern of a mapping. */
export function mostJudged(models: readonly AccessModel[], most = 1000): number {
  return Math.max(10, Math.min(most, Math.floor(mostCompared / (1 + wideWays(models).wide))));
}

/** Everybody that one of the roles is given to, in any of the states; entries that mean the same once. */
export function principalsOf(roles: Iterable<string>, models: readonly AccessModel[]): readonly Principal[] {
  const ways = new Map<string, Way>();
  for (const role of roles) for (const { state } of models) addWays(waysTo(role, state), ways);
  const direct = new Set(ways.keys());
  // Whoever a pattern or a part of a set meets has it too, and other roles besides.
  const wide = [...ways.values()].filter(isWide);
  const sets = [...ways.values()].filter(({ field }) => field === "backend_roles" || field === "itself");
  const isFeasible = wide.length * wideWays(models).all <= mostCompared;
  const rivalsOf = rivalsIn(wide, sets);
  const tried = new Set<readonly Way[]>();
  for (const { state } of isFeasible && wide.length + sets.length > 0 ? models : []) {
    for (const role of new Set([...state.mappings.keys(), ...state.roles.keys()])) {
      // A mapping that is the same in both states is told once.
      const given = waysTo(role, state);
      if (tried.has(given)) continue;
      tried.add(given);
      for (const way of given) {
        const rivals = rivalsOf(way.field);
        if (rivals.length === 0) continue;
        const subject = subjectOf(way);
        if (rivals.some((rival) => mayGive(rival, subject))) addWays([way], ways);
      }
    }
  }
  const state = models[0]?.state ?? {};
  const named = [...ways]
    .map(([key, way]) => ({ key, way, subject: subjectIn(state, way), isDirect: direct.has(key) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  return [...named, ...internalUsersWith(new Set(roles), models, ways)];
}

/** Internal users that have one of the roles, and that no member names; the same users are in all states. */
function internalUsersWith(
  roles: ReadonlySet<string>,
  models: readonly AccessModel[],
  ways: ReadonlyMap<string, Way>,
): readonly Principal[] {
  const state = models[0]?.state;
  if (state?.users?.kind !== "known" || roles.size === 0) return [];
  const { wide } = wideWays(models);
  if (state.users.byName.size * (1 + wide) > mostCompared) return [];
  return internalUserWays(state).flatMap((way): readonly Principal[] => {
    const key = keyOf(way);
    if (ways.has(key)) return [];
    const subject = subjectIn(state, way);
    const has = models.some((model) => model.holdings(subject).some(({ role }) => roles.has(role)));
    return has ? [{ key, way, subject, isDirect: false, isInternal: true }] : [];
  });
}

/** Those that may give something to whoever has an entry of a field, and nothing else. */
function rivalsIn(wide: readonly Way[], sets: readonly Way[]): (field: Way["field"]) => readonly Way[] {
  const known = new Map<Way["field"], readonly Way[]>();
  const sortOf = (field: Way["field"]) => (field === "users" || field === "hosts" ? field : "backend_roles");
  return (field) => {
    const found =
      known.get(field) ??
      (field === "and_backend_roles" ? [...wide, ...sets] : wide).filter(
        (rival) => sortOf(rival.field) === sortOf(field) || rival.entries.every((entry) => meansAll(entry) !== "no"),
      );
    known.set(field, found);
    return found;
  };
}

/** By which a role is come by, in one state. */
export function waysTo(role: string, state: AccessState): readonly Way[] {
  const { roles, mappings, settings } = state;
  const mapping = mappings.get(role);
  const resolution = settings.mappingResolution ?? "MAPPING_ONLY";
  const holders = internalHolders(role, state);
  const members = mapping && resolution !== "BACKENDROLES_ONLY" ? waysOf(mapping) : [];
  // By a field that is not known it may be held by anybody, and there is no member to name.
  const unnamed = mapping && unknownIn(mapping, roleMappings.fields) !== undefined ? [holderOf(role)] : [];
  const mapped = holders.length + unnamed.length > 0 ? [...members, ...holders, ...unnamed] : members;
  if (resolution === "MAPPING_ONLY" || !roles.has(role)) return mapped;
  return [...mapped, { field: "backend_roles", entries: [role] }];
}

function holderOf(role: string): Way {
  return { field: "itself", entries: [role] };
}

function addWays(some: readonly Way[], ways: Map<string, Way>): void {
  for (const way of some) {
    const key = keyOf(way);
    if (!ways.has(key)) ways.set(key, way);
  }
}

function keyOf({ field, entries }: Way): string {
  return JSON.stringify([field, entries]);
}

/** Whether it may give a role to several who differ otherwise. */
export function isWide({ field, entries }: Way): boolean {
  return field === "and_backend_roles" || entries.some((entry) => /[*?$]|^\//.test(entry));
}

/** `*` alone. */
export function isEverybody({ field, entries }: Way): boolean {
  return field !== "and_backend_roles" && field !== "itself" && entries.every((entry) => /^\*+$/.test(entry));
}

export function mayGive(way: Way, subject: Subject): boolean {
  return isGiven(way, subject, { starMeetsNone: "unknown", resolvesHosts: "no" }) !== "no";
}
