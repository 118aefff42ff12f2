import type { Dialect } from "../dialects/dialect.ts";
import { parseSixIndices, parseSixTenants } from "../dialects/six-roles.ts";
import { encodeCanonical } from "../json/canonical.ts";
import { type Fields, isList, isObject, type Value } from "../json/value.ts";

/** Converts a role in any format of 6.x and 7.x to the fields of 7.x; not canonical yet. */
export function convertRole(dialect: Dialect, fields: Fields): Fields {
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

export function toList(value: Value | undefined): readonly Value[] {
  if (value === undefined || value === null) return [];
  return isList(value) ? value : [value];
}
