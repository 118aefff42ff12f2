// Roles as 6.x has them: maps of index patterns, mapping types and tenants in place of lists of permissions.
import { canonicaliseFields } from "../families/canonical.ts";
import { factsOf } from "../families/index.ts";
import { encodeCanonical } from "../json/canonical.ts";
import { type Fields, isList, isObject, isText, toComparable, type Value } from "../json/value.ts";
import type { Dialect } from "./dialect.ts";

/** Beside the types of a pattern, and true of all of them. */
const restrictions = { _dls_: "dls", _fls_: "fls", _masked_fields_: "masked_fields" } as const;

/** One permission for each pattern and type of `indices`; where nothing is granted, one that only restricts. */
export function parseSixIndices(indices: Value | undefined): readonly Fields[] {
  if (!isObject(indices)) return [];
  return Object.entries(indices).flatMap(([pattern, body]): readonly Fields[] => {
    const { _dls_: dls, _fls_: fls, _masked_fields_: maskedFields, ...types } = isObject(body) ? body : { "*": body };
    const restricted = {
      index_patterns: [pattern],
      dls: dls ?? null,
      fls: asList(fls),
      masked_fields: asList(maskedFields),
    };
    const granted = Object.entries(types).map(([type, actions]) => ({
      ...restricted,
      document_types: type === "*" ? [] : [type],
      allowed_actions: asList(actions),
    }));
    return granted.length === 0 ? [restricted] : granted;
  });
}

/** `tenants`: RW, or anything else, which the server takes for RO; other releases say it with an action group. */
export function parseSixTenants({ tenantAccess }: Dialect, tenants: Value | undefined): readonly Fields[] {
  if (!isObject(tenants)) return [];
  return Object.entries(tenants).map(([tenant, access]) => ({
    tenant_patterns: [tenant],
    allowed_actions: asList(access).map((word) =>
      isText(word) && toComparable(word).toUpperCase() === "RW" ? tenantAccess.RW : tenantAccess.RO,
    ),
  }));
}

/** A role as Search Guard 6 shows it, in the fields of 7.x; not canonical yet. */
export function convertSixRole(dialect: Dialect, { cluster, indices, tenants, ...unknown }: Fields): Fields {
  return {
    ...unknown,
    cluster_permissions: asList(cluster),
    index_permissions: parseSixIndices(rejoinedIndices(indices)),
    tenant_permissions: parseSixTenants(dialect, Object.fromEntries(leavesOf(tenants ?? null, []))),
  };
}

/** Stored as settings, a key comes back taken apart at its dots, or not, unpredictably: the last part is a type. */
function rejoinedIndices(indices: Value | undefined): Fields {
  const patterns = new Map<string, Record<string, Value>>();
  for (const [key, leaf] of leavesOf(indices ?? null, [])) {
    const dot = key.lastIndexOf(".");
    const [pattern, type] = dot === -1 ? [key, "*"] : [key.slice(0, dot), key.slice(dot + 1)];
    patterns.set(pattern, Object.fromEntries([...Object.entries(patterns.get(pattern) ?? {}), [type, leaf]]));
  }
  return Object.fromEntries(patterns);
}

function leavesOf(value: Value, path: readonly string[]): readonly (readonly [string, Value])[] {
  if (isObject(value)) return Object.entries(value).flatMap(([key, below]) => leavesOf(below, [...path, key]));
  return path.length === 0 ? [] : [[path.join("."), value]];
}

/**
 * The canonical form where maps of patterns hold the permissions: one element for each pattern and type, and for each
 * tenant. What the maps cannot hold stays as it is, for the checks to name.
 */
export function canonicaliseSixRole(dialect: Dialect, role: Fields): Fields {
  const { fields } = factsOf.roles;
  const canonical = canonicaliseFields(role, fields);
  return canonicaliseFields(
    {
      ...canonical,
      index_permissions: splitIndices(asList(canonical.index_permissions).filter(isObject)),
      tenant_permissions: splitTenants(dialect, asList(canonical.tenant_permissions).filter(isObject)),
    },
    fields,
  );
}

/** Elements with the same pattern, type and restrictions are one. */
function splitIndices(elements: readonly Fields[]): readonly Fields[] {
  const joined = new Map<string, Fields>();
  for (const { index_patterns, document_types, allowed_actions, ...rest } of elements) {
    const types = asList(document_types);
    for (const pattern of asList(index_patterns)) {
      for (const type of types.length === 0 ? ["*"] : types) {
        const key = encodeCanonical([pattern, type, rest]);
        const actions = [...asList(joined.get(key)?.allowed_actions), ...asList(allowed_actions)];
        const only = type === "*" ? [] : [type];
        joined.set(key, { ...rest, index_patterns: [pattern], document_types: only, allowed_actions: actions });
      }
    }
  }
  return [...joined.values()];
}

/** Write access includes read access; a tenant without either is not granted. */
function splitTenants({ tenantAccess: { RW, RO } }: Dialect, elements: readonly Fields[]): readonly Fields[] {
  const joined = new Map<string, Fields>();
  for (const { tenant_patterns, allowed_actions, ...rest } of elements) {
    for (const tenant of asList(tenant_patterns)) {
      const key = encodeCanonical(tenant);
      const actions = [...asList(joined.get(key)?.allowed_actions), ...asList(allowed_actions)];
      const held = actions.includes(RW) ? actions.filter((action) => action !== RO) : actions;
      if (held.length > 0) joined.set(key, { ...rest, tenant_patterns: [tenant], allowed_actions: held });
    }
  }
  return [...joined.values()];
}

/** Canonical permissions as the map that goes to the server. */
export function encodeSixIndices(elements: readonly Fields[]): Fields {
  const patterns = new Map<string, Map<string, Value>>();
  for (const element of elements) {
    const [type = "*"] = asList(element.document_types).filter(isText).map(toComparable);
    for (const pattern of asList(element.index_patterns).filter(isText).map(toComparable)) {
      const body = patterns.get(pattern) ?? new Map<string, Value>();
      patterns.set(pattern, body.set(type, asList(element.allowed_actions)));
      for (const [word, field] of Object.entries(restrictions)) {
        const value = element[field];
        if (value !== undefined) body.set(word, value);
      }
    }
  }
  return Object.fromEntries([...patterns].map(([pattern, body]) => [pattern, Object.fromEntries(body)]));
}

export function encodeSixTenants({ tenantAccess: { RW } }: Dialect, elements: readonly Fields[]): Fields {
  return Object.fromEntries(
    elements.flatMap(({ tenant_patterns, allowed_actions }) => {
      const access = asList(allowed_actions).includes(RW) ? "RW" : "RO";
      return asList(tenant_patterns)
        .filter(isText)
        .map((tenant) => [toComparable(tenant), access]);
    }),
  );
}

function asList(value: Value | undefined): readonly Value[] {
  if (value === undefined || value === null) return [];
  return isList(value) ? value : [value];
}
