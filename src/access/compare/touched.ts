import { roleMappings } from "../../families/role-mappings.ts";
import { getUnknownText } from "../../families/unknown.ts";
import { collectReached } from "../../json/graph.ts";
import { memoiseByKey, memoiseByObject } from "../../json/memoise.ts";
import { listTexts } from "../../json/value.ts";
import type { AccessModel } from "../model/access-model.ts";
import { findKeyOfRole, listKeyRoles } from "../model/api-keys.ts";
import { createPrincipalSubject, listAllowedMembers } from "../model/block-values.ts";
import { indexChangedUsers, listRolesOfChangedUsers } from "../model/changed-users.ts";
import { isGiven, meansAll } from "../model/mapped.ts";
import { listPermissionNames, listTenantPatterns } from "../model/roles.ts";
import type { AccessState, HeldEntries } from "../model/state.ts";
import { createMemberSubject, listMembers, type Member, type Subject } from "../model/subject.ts";
import { createSubjectIn, listInternalHolders, listInternalUserMembers } from "../model/users.ts";
import { matchesPattern } from "../patterns/matches.ts";

/** One member of a mapping, by itself: every principal that it gives a role to. */
export interface TouchedPrincipal {
  /** The same for two entries that say the same. */
  readonly key: string;
  readonly member: Member;
  readonly subject: Subject;
  /** One of the roles is given by this very entry. */
  readonly isDirect: boolean;
  /**
   * An internal user that has one of the roles by backend roles or by a pattern: what other principals explain is not
   * repeated.
   */
  readonly isInternal?: true;
}

/** What differs between two states, and for whom. */
export interface TouchedPrincipals {
  readonly roles: ReadonlySet<string>;
  /** Everybody that one of the roles is given to before or after; entries that mean the same once, in order. */
  readonly everybody: readonly TouchedPrincipal[];
}

/** The order of the writes and the access diff ask for the same two states, one after the other. */
const worked = new WeakMap<AccessModel, { readonly after: AccessModel; readonly touched: TouchedPrincipals }>();

export function findTouched(before: AccessModel, after: AccessModel): TouchedPrincipals {
  const last = worked.get(before);
  if (last?.after === after) return last.touched;
  const roles = findTouchedRoles(before.state, after.state);
  const touched = { roles, everybody: listPrincipals(roles, [before, after]) };
  worked.set(before, { after, touched });
  return touched;
}

/**
 * Whether no principal can hold anything of what differs between two states: then nobody gains or loses access, and
 * that is known without evaluating any. Blocks and settings concern everybody, whatever they hold.
 */
export function touchesNoPrincipal(before: AccessState, after: AccessState): boolean {
  const states = [before, after];
  if (states.some(({ users }) => users?.kind === "unread")) return false;
  if (listChangedNames(before.blocks, after.blocks).length > 0 || areSettingsChanged(before, after)) return false;
  const roles = findTouchedRoles(before, after);
  return [...roles].every((role) => states.every((state) => listGrantPathsTo(role, state).length === 0));
}

/** Whether requests are evaluated otherwise, by settings of the config or of the nodes. */
export function areSettingsChanged(before: AccessState, after: AccessState): boolean {
  return JSON.stringify(before.settings) !== JSON.stringify(after.settings);
}

/** Roles that differ between two states, or that lead to different access. Entries are compared by identity. */
export function findTouchedRoles(before: AccessState, after: AccessState): ReadonlySet<string> {
  const last = comparedRoles.get(before);
  if (last?.after === after) return last.touched;
  const touched = compareRoles(before, after);
  comparedRoles.set(before, { after, touched });
  return touched;
}

/** Guards, the order of the writes and the access diff ask for the same two states. */
const comparedRoles = new WeakMap<
  AccessState,
  { readonly after: AccessState; readonly touched: ReadonlySet<string> }
>();

function compareRoles(before: AccessState, after: AccessState): ReadonlySet<string> {
  // Another product may grant otherwise by what is equal.
  if (before.semantics !== after.semantics) {
    const states = [before, after];
    const all = states.flatMap((state) => [state.roles, state.mappings, listKeyRoles(state)]);
    return new Set(all.flatMap((held) => [...held.keys()]));
  }
  const touched = new Set([
    ...listChangedNames(before.roles, after.roles),
    ...listChangedNames(before.mappings, after.mappings),
    ...listRolesOfChangedUsers(before, after),
  ]);
  const groups = listChangedNames(before.groups, after.groups);
  if (groups.length > 0) {
    const reached = [...listContainers(groups, before.groups), ...listContainers(groups, after.groups)];
    const all = [before, after].flatMap((state) => [state.roles, listKeyRoles(state)]);
    for (const role of all.flatMap((roles) => listRolesNaming(reached, roles))) touched.add(role);
  }
  const tenants = listChangedNames(before.tenants, after.tenants);
  if (tenants.length > 0) {
    for (const role of [...listRolesOnTenants(tenants, before.roles), ...listRolesOnTenants(tenants, after.roles)])
      touched.add(role);
  }
  return touched;
}

export function listChangedNames(before: HeldEntries, after: HeldEntries): readonly string[] {
  if (before === after) return [];
  const gone = [...before.keys()].filter((name) => !after.has(name));
  return [...gone, ...[...after.keys()].filter((name) => before.get(name) !== after.get(name))];
}

/** The groups themselves, and those that contain them, in any depth. */
function listContainers(names: readonly string[], groups: HeldEntries): ReadonlySet<string> {
  const containers = new Map<string, string[]>();
  for (const [name, group] of groups) {
    for (const groupMember of listTexts(group.allowed_actions)) {
      const all = containers.get(groupMember);
      if (all) all.push(name);
      else containers.set(groupMember, [name]);
    }
  }
  return collectReached(names, (name) => containers.get(name) ?? []);
}

function listRolesNaming(groups: Iterable<string>, roles: HeldEntries): readonly string[] {
  const wanted = new Set(groups);
  return [...roles]
    .filter(([, role]) => permissionNamesOf(role).some((text) => wanted.has(text)))
    .map(([name]) => name);
}

/** Asked of both states of a plan, and of what is left of them for users whose names no mapping spells out. */
const permissionNamesOf = memoiseByObject(listPermissionNames);

/** Roles that have a pattern which matches one of the tenants. */
function listRolesOnTenants(tenants: readonly string[], roles: HeldEntries): readonly string[] {
  const isMatched = (pattern: string): boolean =>
    pattern.includes("${") || tenants.some((tenant) => matchesPattern(pattern, tenant) !== "no");
  return [...roles].filter(([, role]) => listTenantPatterns(role).some(isMatched)).map(([name]) => name);
}

/** Comparisons of two patterns: a second's worth, and a few. */
const mostCompared = 400_000;

/** How many members mappings have, and how many are patterns or sets: each principal is tried against these. */
function countWideMembers(models: readonly AccessModel[]): Readonly<Record<"all" | "wide" | "weight", number>> {
  const counts = models.map(({ state }) => countMembers(state.mappings));
  const most = (of: "all" | "wide" | "weight") => Math.max(0, ...counts.map((count) => count[of]));
  return { all: most("all"), wide: most("wide"), weight: most("weight") };
}

/** Two patterns of several stars each are compared by a search. */
function weighMember({ entries }: Member): number {
  return entries.reduce((all, entry) => all + Math.max(1, 4 * (entry.split("*").length - 3)), 0);
}

const countMembers = memoiseByObject((mappings: HeldEntries) => {
  const members = [...mappings.values()].flatMap(listMembers);
  const wide = members.filter(isWide);
  const weight = wide.reduce((all, member) => all + weighMember(member), 0);
  return { all: members.length, wide: wide.length, weight };
});

/** How many principals can be evaluated in a few seconds: each is tried against every pattern of a mapping. */
export function getMostEvaluated(models: readonly AccessModel[], most = 1000): number {
  return Math.max(10, Math.min(most, Math.floor(mostCompared / (1 + countWideMembers(models).weight))));
}

/** Everybody that one of the roles is given to, in any of the states; entries that mean the same once. */
export function listPrincipals(roles: Iterable<string>, models: readonly AccessModel[]): readonly TouchedPrincipal[] {
  const memberList = new Map<string, Member>();
  for (const role of roles) for (const { state } of models) addMembers(listGrantPathsTo(role, state), memberList);
  const direct = new Set(memberList.keys());
  // A principal that a pattern or a part of a set matches has the role too, and other roles besides.
  const wide = [...memberList.values()].filter(isWide);
  const sets = [...memberList.values()].filter(({ field }) => field === "backend_roles" || field === "itself");
  const isFeasible = wide.length * countWideMembers(models).all <= mostCompared;
  const rivalsOf = createRivalFinder(wide, sets);
  const tried = new Set<readonly Member[]>();
  for (const { state } of isFeasible && wide.length + sets.length > 0 ? models : []) {
    for (const role of new Set([...state.mappings.keys(), ...state.roles.keys()])) {
      // A mapping that is equal in both states counts once.
      const given = listGrantPathsTo(role, state);
      if (tried.has(given)) continue;
      tried.add(given);
      for (const member of given) {
        const rivals = rivalsOf(member.field);
        if (rivals.length === 0) continue;
        const subject = createMemberSubject(member);
        if (rivals.some((rival) => mayGive(rival, subject))) addMembers([member], memberList);
      }
    }
  }
  const states = models.map(({ state }) => state);
  for (const [key, member] of memberList) {
    const allowed = listAllowedMembers(member, states);
    if (direct.has(key)) for (const one of allowed) direct.add(getMemberKeyText(one));
    addMembers(allowed, memberList);
  }
  const named = [...memberList]
    .map(([key, member]) => ({
      key,
      member,
      subject: createPrincipalSubject(member, states),
      isDirect: direct.has(key),
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  return [...named, ...listInternalUsersWith(new Set(roles), models, memberList)];
}

/** Internal users that have one of the roles, and that no member names; the same users are in all states. */
function listInternalUsersWith(
  roles: ReadonlySet<string>,
  models: readonly AccessModel[],
  memberList: ReadonlyMap<string, Member>,
): readonly TouchedPrincipal[] {
  const state = models[0]?.state;
  if (state?.users?.kind !== "known" || roles.size === 0) return [];
  const { wide } = countWideMembers(models);
  if (state.users.byName.size * (1 + wide) > mostCompared) return [];
  return listInternalUserMembers(state).flatMap((member): readonly TouchedPrincipal[] => {
    const key = getMemberKeyText(member);
    if (memberList.has(key)) return [];
    const subject = createSubjectIn(state, member);
    const has = models.some((model) => model.holdings(subject).some(({ role }) => roles.has(role)));
    return has ? [{ key, member, subject, isDirect: false, isInternal: true }] : [];
  });
}

/** Members that may give something to every principal with one value of a field, and to no other. */
function createRivalFinder(
  wide: readonly Member[],
  sets: readonly Member[],
): (field: Member["field"]) => readonly Member[] {
  const sortOf = (field: Member["field"]) => (field === "users" || field === "hosts" ? field : "backend_roles");
  return memoiseByKey((field: Member["field"]) =>
    (field === "and_backend_roles" ? [...wide, ...sets] : wide).filter(
      (rival) => sortOf(rival.field) === sortOf(field) || rival.entries.every((entry) => meansAll(entry) !== "no"),
    ),
  );
}

/**
 * What gives a role in one state: members of its mapping, internal users, a backend role that is called like it, the key
 * of which it is the permissions.
 */
export function listGrantPathsTo(role: string, state: AccessState): readonly Member[] {
  const { roles, mappings, settings } = state;
  const key = findKeyOfRole(role, state);
  if (key) return [key];
  const mapping = mappings.get(role);
  const resolution = settings.mappingResolution ?? "MAPPING_ONLY";
  const holders = [...listInternalHolders(role, state), ...(indexChangedUsers(state).get(role) ?? [])];
  const members = mapping && resolution !== "BACKENDROLES_ONLY" ? listMembers(mapping) : [];
  // By a field that is not known it may be held by anybody, and there is no member to name.
  const unnamed = mapping && getUnknownText(mapping, roleMappings.fields) !== undefined ? [createHolder(role)] : [];
  const mapped = holders.length + unnamed.length > 0 ? [...members, ...holders, ...unnamed] : members;
  if (resolution === "MAPPING_ONLY" || !roles.has(role)) return mapped;
  return [...mapped, { field: "backend_roles", entries: [role] }];
}

function createHolder(role: string): Member {
  return { field: "itself", entries: [role] };
}

function addMembers(some: readonly Member[], memberList: Map<string, Member>): void {
  for (const member of some) {
    const key = getMemberKeyText(member);
    if (!memberList.has(key)) memberList.set(key, member);
  }
}

/** The same for two entries that say the same. */
export function getMemberKeyText({ field, entries }: Member): string {
  return JSON.stringify([field, entries]);
}

/** Whether it may match several principals that differ in something else. */
export function isWide({ field, entries }: Member): boolean {
  return field === "and_backend_roles" || entries.some((entry) => /[*?$]|^\//.test(entry));
}

/** `*` alone. */
export function isEverybody({ field, entries }: Member): boolean {
  return field !== "and_backend_roles" && field !== "itself" && entries.every((entry) => /^\*+$/.test(entry));
}

export function mayGive(member: Member, subject: Subject): boolean {
  return isGiven(member, subject, { starMatchesNone: "unknown", resolvesHosts: "no" }) !== "no";
}
