import { type Fields, isList, isObject, type Json, type JsonObject, type Value } from "../json/value.ts";
import type { InternalUser } from "../model/internal-user.ts";
import type { Product } from "../model/plan.ts";
import { decodeResource } from "./codec.ts";
import type { Dialect } from "./dialect.ts";

/**
 * What a server answers to GET of its internal users, as access goes by it.
 *
 * @returns undefined where the answer is not what the API calls internal users
 */
export function decodeInternalUsers(dialect: Dialect, body: unknown): ReadonlyMap<string, InternalUser> | undefined {
  if (!dialect.internalUsers || !isObject(body as Value)) return undefined;
  const users = new Map<string, InternalUser>();
  for (const [name, wire] of Object.entries(body as JsonObject)) {
    if (/^_(sg_)?meta$/.test(name)) continue;
    if (!isObject(wire)) return undefined;
    // A snapshot keeps the names of attributes alone: their values are unknown.
    const { attributes = null } = wire;
    const isHidden = isObject(attributes) && Object.values(attributes).includes(null);
    const { attributes: known, ...user } = createInternalUser(decodeResource(dialect, "internal_users", wire), dialect);
    users.set(name, { ...user, ...(known && !isHidden && { attributes: known }) });
  }
  return users;
}

/** What decides about the access of an internal user; its roles are those of the product alone. */
export function createInternalUser(value: Fields, { internalUsers: facts }: Dialect): InternalUser {
  const { attributes } = value;
  return {
    roles: facts?.roles === undefined ? [] : textsIn(value[facts.roles]),
    backendRoles: textsIn(value.backend_roles),
    attributes: isObject(attributes)
      ? Object.fromEntries(Object.entries(attributes).map(([name, text]) => [name, String(text)]))
      : {},
  };
}

function textsIn(list: Value | undefined): readonly string[] {
  return isList(list) ? list.flatMap((item) => (typeof item === "string" ? [item] : [])) : [];
}

/** As a snapshot keeps them: names, roles and the names of attributes; no hash, no description, no value of an attribute. */
export function withoutPrivateFields(body: Json): Json {
  if (!isObject(body)) return null;
  return Object.fromEntries(
    Object.entries(body as JsonObject).flatMap(([name, fields]) => {
      if (!isObject(fields)) return [];
      const { attributes, ...others } = fields as JsonObject;
      const kept = Object.entries(others).filter(([field]) => publicFields.has(field));
      const named = isObject(attributes) ? Object.keys(attributes).map((key): [string, Json] => [key, null]) : [];
      return [
        [name, { ...Object.fromEntries(kept), ...(named.length > 0 && { attributes: Object.fromEntries(named) }) }],
      ];
    }),
  );
}

const publicFields: ReadonlySet<string> = new Set([
  "backend_roles",
  "roles",
  "opendistro_security_roles",
  "search_guard_roles",
]);

/** What of a new user's name keeps it from being created, or from logging in; undefined where nothing does. */
export function findUserNameFault(name: string, product: Product): string | undefined {
  if (name.includes(":")) return "a colon";
  if (product !== "opensearch") return undefined;
  // OpenSearch decodes the names of users once more, as Java decodes a part of a URL.
  if (/%3a/i.test(name)) return "%3A, an encoded colon";
  return /%(?![0-9a-f+][0-9a-f])/i.test(name) ? "a % without two hex digits after it" : undefined;
}
