import { listMembers } from "../access/model/subject.ts";
import { copyPlace } from "../diagnostics/source.ts";
import { type Builtins, createBuiltins } from "../dialects/builtin/index.ts";
import type { BuiltinFamily } from "../dialects/builtin/source.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { getSemantics } from "../dialects/find-semantics.ts";
import { type Fields, isEqual, listTexts } from "../json/value.ts";
import type { DesiredResource, DesiredState } from "../model/desired.ts";
import type { LiveState } from "../model/live.ts";
import type { ResourceFamily } from "../model/names.ts";
import type { Policies } from "../model/policy.ts";
import {
  listGrantedPermissions,
  listTenantPermissions,
  listTextsUnder,
  listWrittenTexts,
  type WrittenPermission,
  type WrittenText,
} from "../validate/written.ts";
import { listKnownUsers } from "./known-users.ts";
import { createMeaning } from "./meaning.ts";
import {
  isRestrictingReads,
  type LintKnown,
  type LintName,
  type LintPermission,
  type LintRole,
  type LintState,
  type LintText,
  type LintTexts,
} from "./rule.ts";

/**
 * Everything that lint rules look at. An entry of the server counts where nothing is declared under its name; without
 * a server, the product's built-in entries count.
 *
 * @param declared all that the files declare, where `desired` is only the families that a run is about
 */
export function createLintState(
  desired: DesiredState,
  declared: DesiredState,
  live: LiveState | undefined,
  dialect: Dialect,
  policies: Policies = {},
): LintState {
  const semantics = getSemantics(dialect);
  const builtin = createBuiltins(dialect);
  const users = listKnownUsers(declared, live, dialect, policies);
  const known = { ...knowledge(declared, live, builtin), ...(users && { users }) };
  const entries = {
    roles: relevant(desired, "roles", builtin).map(roleOf),
    mappings: relevant(desired, "role_mappings", builtin).map(({ name, node, origin }) => ({
      name,
      origin,
      users: plain(listTextsUnder(node, "users")),
      backendRoles: plain(
        listTextsUnder(node, "backend_roles", "backendroles", "and_backend_roles", "and_backendroles"),
      ),
      hosts: plain(listTextsUnder(node, "hosts")),
    })),
    groups: relevant(desired, "action_groups", builtin).map(({ name, node, origin }) => ({
      name,
      origin,
      actions: plain(
        node.kind === "list" ? listWrittenTexts(node) : listTextsUnder(node, "allowed_actions", "permissions"),
      ),
    })),
  };
  return {
    dialect,
    semantics,
    known,
    ...entries,
    names: [...listNamesIn(entries), ...listOwnNames(desired, builtin)],
    otherNames: { [Symbol.iterator]: () => listOtherNames(declared, live, builtin) },
    restricting: entries.roles.filter(({ indices }) => indices.some(isRestrictingReads)),
    ...textsIn(entries),
    ...createMeaning(known.groups, semantics, live?.resources.has("action_groups") === true),
    heldByUsers: new Set(listRolesOfUsers(declared, live, dialect)),
    membersTo: (role) => listMembers(known.mappings?.get(role) ?? {}),
  };
}

function* listNamesIn({
  roles,
  mappings,
  groups,
}: Pick<LintState, "roles" | "mappings" | "groups">): Iterable<LintName> {
  for (const { name, origin } of [...roles, ...mappings]) yield { kind: "role", value: name, at: origin };
  for (const { name, origin } of groups) yield { kind: "action group", value: name, at: origin };
  for (const { users, backendRoles, hosts } of mappings) {
    for (const user of users) yield { kind: "user", value: user.value, at: user };
    for (const role of backendRoles) yield { kind: "backend role", value: role.value, at: role };
    for (const host of hosts) yield { kind: "host", value: host.value, at: host };
  }
}

function* listOwnNames(desired: DesiredState, builtin: Builtins): Iterable<LintName> {
  for (const { name, origin } of relevant(desired, "tenants", builtin))
    yield { kind: "tenant", value: name, at: origin };
  for (const { name, origin, node } of desired.resources.get("internal_users")?.values() ?? []) {
    yield { kind: "user", value: name, at: origin };
    for (const role of plain(listTextsUnder(node, "backend_roles")))
      yield { kind: "backend role", value: role.value, at: role };
  }
  for (const { node } of desired.resources.get("nodes_dn")?.values() ?? [])
    for (const name of plain(listTextsUnder(node, "nodes_dn"))) yield { kind: "node", value: name.value, at: name };
}

function* listOtherNames(
  { resources }: DesiredState,
  live: LiveState | undefined,
  builtin: Builtins,
): Iterator<Omit<LintName, "at">> {
  for (const [family, kind] of Object.entries(kinds) as readonly [keyof typeof kinds, LintName["kind"]][]) {
    const names = family === "internal_users" ? [] : builtin[family].keys();
    for (const value of [...names, ...(live?.resources.get(family)?.keys() ?? [])]) yield { kind, value };
  }
  const declared = resources.get("role_mappings");
  for (const [name, { users, backend_roles, hosts }] of builtinOrRead(
    live?.resources.get("role_mappings"),
    builtin.role_mappings,
  )) {
    // What is declared replaces these.
    if (declared?.has(name)) continue;
    for (const value of listTexts(users)) yield { kind: "user", value };
    for (const value of listTexts(backend_roles)) yield { kind: "backend role", value };
    for (const value of listTexts(hosts)) yield { kind: "host", value };
  }
}

const kinds = {
  roles: "role",
  role_mappings: "role",
  action_groups: "action group",
  tenants: "tenant",
  internal_users: "user",
} as const;

function listRolesOfUsers(
  { resources }: DesiredState,
  live: LiveState | undefined,
  { internalUsers }: Dialect,
): readonly string[] {
  const field = internalUsers?.roles;
  if (field === undefined) return [];
  const users = [resources, live?.resources].flatMap((all) => [...(all?.get("internal_users")?.values() ?? [])]);
  return users.flatMap(({ value }) => listTexts(value[field]));
}

function textsIn({ roles, mappings, groups }: Pick<LintState, "roles" | "mappings" | "groups">): LintTexts {
  const found = {
    granted: { cluster: new Set<string>(), indices: new Set<string>() },
    indexPatterns: [] as LintText[],
    tenantPatterns: [] as LintText[],
    actions: [] as LintText[],
    principals: [] as LintText[],
  };
  const { granted, actions: odd } = found;
  for (const { cluster, indices, tenants } of roles) {
    add(odd, cluster, hasSyntax, granted.cluster);
    for (const { patterns, actions } of indices) {
      add(found.indexPatterns, patterns, isOddIndex);
      add(odd, actions, hasSyntax, granted.indices);
    }
    for (const { patterns, actions } of tenants) {
      add(found.tenantPatterns, patterns, isOddTenant);
      add(odd, actions, hasSyntax);
    }
  }
  for (const { actions } of groups) add(odd, actions, hasSyntax);
  for (const { users, backendRoles, hosts } of mappings) {
    add(found.principals, users, hasSyntax);
    add(found.principals, backendRoles, hasSyntax);
    add(found.principals, hosts, hasSyntax);
  }
  return found;
}

function add(odd: LintText[], texts: readonly LintText[], isOdd: (value: string) => boolean, all?: Set<string>): void {
  for (const text of texts) {
    all?.add(text.value);
    if (isOdd(text.value)) odd.push(text);
  }
}

/** An expression, or a variable in it. */
function hasSyntax(value: string): boolean {
  return value.startsWith("/") || value.includes("${");
}

function isOddIndex(value: string): boolean {
  return /^[-/]|^_all$|[,$]|filter|[A-Z]/.test(value);
}

function isOddTenant(value: string): boolean {
  return /[*?/$]/.test(value);
}

function knowledge(declared: DesiredState, live: LiveState | undefined, builtin: Builtins): LintKnown {
  const held = (family: BuiltinFamily): ReadonlyMap<string, Fields> => {
    const read = live?.resources.get(family);
    const found = new Map<string, Fields>(builtinOrRead(read, builtin[family]));
    for (const [name, { value }] of declared.resources.get(family) ?? []) found.set(name, value);
    return found;
  };
  const isKnown = (family: ResourceFamily): boolean =>
    declared.resources.has(family) || live?.resources.has(family) === true;
  return {
    groups: held("action_groups"),
    builtinGroups: live?.resources.has("action_groups") ? new Map() : builtin.action_groups,
    ...(isKnown("tenants") && { tenants: new Set(held("tenants").keys()) }),
    ...(isKnown("role_mappings") && { mappings: held("role_mappings") }),
    ...(isKnown("roles") && { roles: held("roles") }),
  };
}

function builtinOrRead(
  read: ReadonlyMap<string, { readonly value: Fields }> | undefined,
  builtin: ReadonlyMap<string, Fields>,
): Iterable<readonly [string, Fields]> {
  return read ? [...read].map(([name, { value }]) => [name, value]) : builtin;
}

/** Leaves out copies of built-in entries: their users did not write them. */
function relevant(desired: DesiredState, family: BuiltinFamily, builtin: Builtins): readonly DesiredResource[] {
  const declared = [...(desired.resources.get(family)?.values() ?? [])];
  return declared.filter(({ name, value, serverOwned }) => {
    const original = builtin[family].get(name);
    return !serverOwned && !(original && isEqual(withoutWords(original), withoutWords(value)));
  });
}

function withoutWords({ description: _, type: __, ...fields }: Fields): Fields {
  return fields;
}

function roleOf({ name, origin, node }: DesiredResource): LintRole {
  return {
    name,
    origin,
    cluster: plain(listTextsUnder(node, "cluster_permissions", "cluster")),
    indices: listGrantedPermissions(node).map((permission) => permissionOf(name, permission)),
    tenants: listTenantPermissions(node).map(({ patterns, actions }) => ({
      patterns: plain(patterns),
      actions: plain(actions),
    })),
  };
}

function permissionOf(
  role: string,
  { range, patterns, actions, dls, fls, maskedFields }: WrittenPermission,
): LintPermission {
  const text = dls?.value;
  return {
    role,
    range,
    patterns: plain(patterns),
    actions: plain(actions),
    ...(dls && text !== "" && { dls: { ...copyPlace(dls), ...(typeof text === "string" && { value: text }) } }),
    fls: plain(fls),
    masks: plain(maskedFields),
  };
}

/** There may be a million of them: none is copied. */
function plain(texts: readonly WrittenText[]): readonly LintText[] {
  return texts.every(isPlain) ? texts : texts.filter(isPlain);
}

function isPlain(text: WrittenText): text is LintText {
  return typeof text.value === "string";
}
