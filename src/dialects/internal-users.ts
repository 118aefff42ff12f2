import { isList, isObject, type Json, type JsonObject, type Value } from "../json/value.ts";
import type { InternalUser } from "../model/internal-user.ts";
import type { Dialect, InternalUserDialect } from "./dialect.ts";

/**
 * What a server answers to GET of its internal users. Hashes and descriptions are left out at once.
 *
 * @returns undefined where the answer is not what the API calls internal users
 */
export function decodeInternalUsers(
  { internalUsers: facts }: Dialect,
  body: unknown,
): ReadonlyMap<string, InternalUser> | undefined {
  if (!facts || !isObject(body as Value)) return undefined;
  const users = new Map<string, InternalUser>();
  for (const [name, fields] of Object.entries(body as JsonObject)) {
    if (/^_(sg_)?meta$/.test(name)) continue;
    if (!isObject(fields)) return undefined;
    users.set(name, parseInternalUser(fields as JsonObject, facts));
  }
  return users;
}

/** One internal user, as a server shows it or as its own file has it. */
export function parseInternalUser(fields: JsonObject, { roles, backendRoles }: InternalUserDialect): InternalUser {
  const attributes = attributesIn(fields.attributes);
  return {
    roles: roles === undefined ? [] : textsIn(fields[roles]),
    backendRoles: textsIn(fields[backendRoles]),
    ...(attributes && { attributes }),
  };
}

/** Numbers and booleans become texts, as on the servers; of a value that is not shown, nothing is known. */
function attributesIn(attributes: Json = {}): InternalUser["attributes"] {
  if (!isObject(attributes)) return {};
  const values = Object.entries(attributes as JsonObject);
  if (values.some(([, value]) => value === null)) return undefined;
  return Object.fromEntries(values.map(([name, value]) => [name, String(value)]));
}

function textsIn(list: Json | undefined): readonly string[] {
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
