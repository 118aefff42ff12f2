import { serverFields } from "../dialects/codec.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { canonicalSixRole } from "../dialects/six-roles.ts";
import { canonicalFields } from "../families/canonical.ts";
import { ignoredFields } from "../families/ignored.ts";
import { factsOf } from "../families/index.ts";
import { type Fields, isList, isObject, type Value } from "../json/value.ts";
import type { ResourceFamily } from "../model/names.ts";
import { asList, spellRole } from "./role.ts";

/** One declared entry, in whatever spelling, to its canonical form. */
export function canonicalEntry(dialect: Dialect, family: ResourceFamily, written: Value): Fields {
  const fields = family === "action_groups" && isList(written) ? { allowed_actions: written } : written;
  const own = isObject(fields) ? Object.entries(fields).filter(([name]) => isOurs(name)) : [];
  const spelt = spell(dialect, family, Object.fromEntries(own));
  if (family === "roles" && dialect.documentTypes) return canonicalSixRole(dialect, spelt);
  return canonicalFields(spelt, factsOf[family].fields);
}

function isOurs(field: string): boolean {
  return !serverFields.has(field) && !ignoredFields.has(field);
}

/** True when the entry's own file says that it belongs to the server. */
export function isServerOwned(written: Value): boolean {
  return isObject(written) && [...serverFields].some((flag) => written[flag] === true || written[flag] === "true");
}

function spell(dialect: Dialect, family: ResourceFamily, fields: Fields): Fields {
  switch (family) {
    case "roles":
      return spellRole(dialect, fields);
    case "role_mappings":
      return joinSpellings(fields, { backendroles: "backend_roles", and_backendroles: "and_backend_roles" });
    case "action_groups":
      return joinSpellings(fields, { permissions: "allowed_actions" });
    default:
      return fields;
  }
}

/** Lists under an old name are added to those under the new one. */
function joinSpellings(fields: Fields, names: Readonly<Record<string, string>>): Fields {
  const joined = new Map<string, Value>(Object.entries(fields));
  for (const [old, name] of Object.entries(names)) {
    const list = joined.get(old);
    if (list === undefined) continue;
    joined.delete(old);
    joined.set(name, [...asList(joined.get(name)), ...asList(list)]);
  }
  return Object.fromEntries(joined);
}
