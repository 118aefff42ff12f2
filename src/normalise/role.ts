import type { Dialect } from "../dialects/dialect.ts";
import { type Fields, isList, isObject, isText, text, type Value } from "../json/value.ts";

/** A role in any spelling of 6.x and 7.x to the fields of 7.x; not canonical yet. */
export function spellRole(dialect: Dialect, { cluster, indices, tenants, ...role }: Fields): Fields {
  return {
    ...role,
    cluster_permissions: joined(role.cluster_permissions, cluster),
    index_permissions: [...asList(role.index_permissions), ...indexPermissions(dialect, indices)].map((element) =>
      dialect.documentTypes ? element : withoutTypes(element),
    ),
    tenant_permissions: [...asList(role.tenant_permissions), ...tenantPermissions(dialect, tenants)],
  };
}

/** 6.x: pattern → document type → actions, beside the restrictions `_dls_`, `_fls_` and `_masked_fields_`. */
function indexPermissions(dialect: Dialect, indices: Value | undefined): readonly Value[] {
  if (!isObject(indices)) return [];
  return Object.entries(indices).flatMap(([pattern, body]): readonly Fields[] => {
    const { _dls_: dls, _fls_: fls, _masked_fields_: maskedFields, ...types } = isObject(body) ? body : { "*": body };
    const restrictions = {
      index_patterns: [pattern],
      dls: dls ?? null,
      fls: asList(fls),
      masked_fields: asList(maskedFields),
    };
    if (!dialect.documentTypes) {
      return [{ ...restrictions, allowed_actions: Object.values(types).flatMap(asList) }];
    }
    return Object.entries(types).map(([type, actions]) => ({
      ...restrictions,
      document_types: type === "*" ? [] : [type],
      allowed_actions: asList(actions),
    }));
  });
}

/** Where the product has no types, a permission for some of them is one for the whole index. */
function withoutTypes(element: Value): Value {
  if (!isObject(element)) return element;
  const { document_types: _, ...rest } = element;
  return rest;
}

/** 6.x: tenant → RW or RO, which other releases say with an action group of their own. */
function tenantPermissions(dialect: Dialect, tenants: Value | undefined): readonly Value[] {
  if (!isObject(tenants)) return [];
  return Object.entries(tenants).map(([tenant, access]) => ({
    tenant_patterns: [tenant],
    allowed_actions: asList(access).map((word) =>
      isText(word) && text(word).toUpperCase() === "RW" ? dialect.tenantAccess.RW : dialect.tenantAccess.RO,
    ),
  }));
}

function joined(a: Value | undefined, b: Value | undefined): readonly Value[] {
  return [...asList(a), ...asList(b)];
}

export function asList(value: Value | undefined): readonly Value[] {
  if (value === undefined || value === null) return [];
  return isList(value) ? value : [value];
}
