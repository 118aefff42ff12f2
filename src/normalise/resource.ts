import { serverFields } from "../dialects/codec.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { canonicaliseSixRole, parseSixIndices, parseSixTenants } from "../dialects/six-roles.ts";
import { withoutEmptyAttributes } from "../dialects/user-attributes.ts";
import { canonicaliseFields } from "../families/canonical.ts";
import { ignoredFields } from "../families/ignored.ts";
import { factsOf } from "../families/index.ts";
import { encodeCanonical } from "../json/canonical.ts";
import { type Fields, isList, isObject, isText, toList, type Value } from "../json/value.ts";
import type { ResourceFamily } from "../model/names.ts";

/** Converts one declared entry, in any format, to its canonical form. */
export function canonicaliseEntry(dialect: Dialect, family: ResourceFamily, written: Value): Fields {
  // Loaders of 6.x took a single text for a list of one.
  const isShort = family === "action_groups" && (isList(written) || isText(written));
  const fields = isShort ? { allowed_actions: toList(written) } : written;
  if (!isObject(fields)) return {};
  if (family === "roles" && dialect.documentTypes) {
    const own = Object.entries(fields).filter(([name]) => !notRelevant.has(name));
    return canonicaliseSixRole(dialect, spell(dialect, family, Object.fromEntries(own)));
  }
  const value = canonicaliseFields(spell(dialect, family, fields), factsOf[family].fields, notRelevant);
  return family === "internal_users" ? withoutEmptyAttributes(value, dialect) : value;
}

/** Whether the canonical form is made from other fields than those that are written. */
export function isRespelt(dialect: Dialect, family: ResourceFamily, written: Value): boolean {
  if (!isObject(written) || (family === "roles" && dialect.documentTypes)) return true;
  return spell(dialect, family, written) !== written;
}

const notRelevant: ReadonlySet<string> = new Set([...serverFields, ...ignoredFields]);

/** By which the entry's own file says that it belongs to the server. */
export function listServerFlags(written: Value): readonly string[] {
  if (!isObject(written)) return [];
  return [...serverFields].filter((flag) => written[flag] === true || written[flag] === "true");
}

function spell(dialect: Dialect, family: ResourceFamily, fields: Fields): Fields {
  switch (family) {
    case "roles":
      return convertRole(dialect, fields);
    case "role_mappings":
      return joinSpellings(fields, { backendroles: "backend_roles", and_backendroles: "and_backend_roles" });
    case "internal_users":
      return joinSpellings(fields, { roles: "backend_roles" });
    case "action_groups":
      return joinSpellings(fields, { permissions: "allowed_actions" });
    default:
      return fields;
  }
}

/** Lists under an old name are added to those under the new one. */
function joinSpellings(fields: Fields, names: Readonly<Record<string, string>>): Fields {
  if (!Object.keys(names).some((old) => Object.hasOwn(fields, old))) return fields;
  const joined = new Map<string, Value>(Object.entries(fields));
  for (const [old, name] of Object.entries(names)) {
    const list = joined.get(old);
    if (list === undefined) continue;
    joined.delete(old);
    joined.set(name, [...toList(joined.get(name)), ...toList(list)]);
  }
  return Object.fromEntries(joined);
}

/** Converts a role in any format of 6.x and 7.x to the fields of 7.x; not canonical yet. */
function convertRole(dialect: Dialect, fields: Fields): Fields {
  return isWrittenAsSeven(fields) ? fields : respelt(dialect, fields);
}

function isWrittenAsSeven({ cluster, indices, tenants, ...role }: Fields): boolean {
  if (cluster !== undefined || indices !== undefined || tenants !== undefined) return false;
  const { cluster_permissions = [], index_permissions = [], tenant_permissions = [] } = role;
  if (!isList(cluster_permissions) || !isList(index_permissions) || !isList(tenant_permissions)) return false;
  return index_permissions.every((element) => !isObject(element) || element.document_types === undefined);
}

function respelt(dialect: Dialect, { cluster, indices, tenants, ...role }: Fields): Fields {
  return {
    ...role,
    cluster_permissions: joined(role.cluster_permissions, cluster),
    index_permissions: dialect.documentTypes
      ? [...toList(role.index_permissions), ...parseSixIndices(indices)]
      : [...toList(role.index_permissions).map(withoutTypes), ...typesUnited(parseSixIndices(indices))],
    tenant_permissions: [...toList(role.tenant_permissions), ...parseSixTenants(dialect, tenants)],
  };
}

/** Where the product has no types, what single ones of a pattern grant is one permission for the whole index. */
function typesUnited(permissions: readonly Fields[]): readonly Value[] {
  const united = new Map<string, Fields>();
  for (const { allowed_actions, document_types: _, ...rest } of permissions) {
    const key = encodeCanonical(rest);
    const actions = joined(united.get(key)?.allowed_actions, allowed_actions);
    united.set(key, { ...rest, allowed_actions: actions });
  }
  return [...united.values()];
}

function withoutTypes(element: Value): Value {
  if (!isObject(element)) return element;
  const { document_types: _, ...rest } = element;
  return rest;
}

function joined(a: Value | undefined, b: Value | undefined): readonly Value[] {
  return [...toList(a), ...toList(b)];
}
