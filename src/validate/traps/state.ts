import { waysOf } from "../../access/subject.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { judgingOf } from "../../dialects/judging.ts";
import { type Shipped, shippedWith } from "../../dialects/shipped/index.ts";
import { equal, type Fields } from "../../json/value.ts";
import type { DesiredResource, DesiredState } from "../../model/desired.ts";
import type { LiveState } from "../../model/live.ts";
import type { ResourceFamily } from "../../model/names.ts";
import {
  grantedPermissionsOf,
  tenantPermissionsOf,
  textsOf,
  textsUnder,
  type WrittenPermission,
  type WrittenText,
} from "../written.ts";
import { meaningOf } from "./meaning.ts";
import type { Known, Text, Texts, TrapPermission, TrapRole, TrapState } from "./trap.ts";

/**
 * All that traps look at. What the server holds counts where nothing else is declared under its name; without a server,
 * what its product ships.
 *
 * @param declared all that the files declare, where `desired` is only the families that a run is about
 */
export function trapState(
  desired: DesiredState,
  declared: DesiredState,
  live: LiveState | undefined,
  dialect: Dialect,
): TrapState {
  const judging = judgingOf(dialect);
  const shipped = shippedWith(dialect);
  const known = knowledge(declared, live, shipped);
  const entries = {
    roles: ours(desired, "roles", shipped).map(roleOf),
    mappings: ours(desired, "role_mappings", shipped).map(({ name, node }) => ({
      name,
      users: plain(textsUnder(node, "users")),
      backendRoles: plain(textsUnder(node, "backend_roles", "backendroles", "and_backend_roles", "and_backendroles")),
      hosts: plain(textsUnder(node, "hosts")),
    })),
    groups: ours(desired, "action_groups", shipped).map(({ name, node, origin }) => ({
      name,
      origin,
      actions: plain(node.kind === "list" ? textsOf(node) : textsUnder(node, "allowed_actions", "permissions")),
    })),
  };
  return {
    dialect,
    judging,
    known,
    ...entries,
    ...textsIn(entries),
    ...meaningOf(known.groups, judging, live?.resources.has("action_groups") === true),
    waysTo: (role) => waysOf(known.mappings?.get(role) ?? {}),
  };
}

function textsIn({ roles, mappings, groups }: Pick<TrapState, "roles" | "mappings" | "groups">): Texts {
  const found = {
    granted: { cluster: new Set<string>(), indices: new Set<string>() },
    indexPatterns: [] as Text[],
    tenantPatterns: [] as Text[],
    actions: [] as Text[],
    principals: [] as Text[],
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

function add(odd: Text[], texts: readonly Text[], isOdd: (value: string) => boolean, all?: Set<string>): void {
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

function knowledge(declared: DesiredState, live: LiveState | undefined, shipped: Shipped): Known {
  const held = (family: Exclude<ResourceFamily, "blocks">): ReadonlyMap<string, Fields> => {
    const read = live?.resources.get(family);
    const found = new Map<string, Fields>(shippedOrRead(read, shipped[family]));
    for (const [name, { value }] of declared.resources.get(family) ?? []) found.set(name, value);
    return found;
  };
  const isKnown = (family: ResourceFamily): boolean =>
    declared.resources.has(family) || live?.resources.has(family) === true;
  return {
    groups: held("action_groups"),
    shippedGroups: live?.resources.has("action_groups") ? new Map() : shipped.action_groups,
    ...(isKnown("tenants") && { tenants: new Set(held("tenants").keys()) }),
    ...(isKnown("role_mappings") && { mappings: held("role_mappings") }),
    ...(isKnown("roles") && { roles: held("roles") }),
  };
}

function shippedOrRead(
  read: ReadonlyMap<string, { readonly value: Fields }> | undefined,
  shipped: ReadonlyMap<string, Fields>,
): Iterable<readonly [string, Fields]> {
  return read ? [...read].map(([name, { value }]) => [name, value]) : shipped;
}

/** Whoever keeps a copy of what is shipped did not write it. */
function ours(
  desired: DesiredState,
  family: Exclude<ResourceFamily, "blocks">,
  shipped: Shipped,
): readonly DesiredResource[] {
  const declared = [...(desired.resources.get(family)?.values() ?? [])];
  return declared.filter(({ name, value, serverOwned }) => {
    const original = shipped[family].get(name);
    return !serverOwned && !(original && equal(withoutWords(original), withoutWords(value)));
  });
}

function withoutWords({ description: _, type: __, ...fields }: Fields): Fields {
  return fields;
}

function roleOf({ name, origin, node }: DesiredResource): TrapRole {
  return {
    name,
    origin,
    cluster: plain(textsUnder(node, "cluster_permissions", "cluster")),
    indices: grantedPermissionsOf(node).map((permission) => permissionOf(name, permission)),
    tenants: tenantPermissionsOf(node).map(({ patterns, actions }) => ({
      patterns: plain(patterns),
      actions: plain(actions),
    })),
  };
}

function permissionOf(
  role: string,
  { range, patterns, actions, dls, fls, maskedFields }: WrittenPermission,
): TrapPermission {
  const { file, start, end } = dls ?? range;
  const text = dls?.value;
  return {
    role,
    range,
    patterns: plain(patterns),
    actions: plain(actions),
    ...(dls && text !== "" && { dls: { file, start, end, ...(typeof text === "string" && { value: text }) } }),
    fls: plain(fls),
    masks: plain(maskedFields),
  };
}

/** There are a million of them: none is made anew. */
function plain(texts: readonly WrittenText[]): readonly Text[] {
  return texts.every(isPlain) ? texts : texts.filter(isPlain);
}

function isPlain(text: WrittenText): text is Text {
  return typeof text.value === "string";
}
