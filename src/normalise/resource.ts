import { serverFields } from "../dialects/codec.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { canonicaliseSixRole } from "../dialects/six-roles.ts";
import { canonicaliseFields } from "../families/canonical.ts";
import { ignoredFields } from "../families/ignored.ts";
import { factsOf } from "../families/index.ts";
import { type Fields, isList, isObject, type Value } from "../json/value.ts";
import type { ResourceFamily } from "../model/names.ts";
import { convertRole, toList } from "./role.ts";

/** Converts one declared entry, in any format, to its canonical form. */
export function canonicaliseEntry(dialect: Dialect, family: ResourceFamily, written: Value): Fields {
  const fields = family === "action_groups" && isList(written) ? { allowed_actions: written } : written;
  if (!isObject(fields)) return {};
  if (family === "roles" && dialect.documentTypes) {
    const own = Object.entries(fields).filter(([name]) => !notRelevant.has(name));
    return canonicaliseSixRole(dialect, spell(dialect, family, Object.fromEntries(own)));
  }
  return canonicaliseFields(spell(dialect, family, fields), factsOf[family].fields, notRelevant);
}

const notRelevant: ReadonlySet<string> = new Set([...serverFields, ...ignoredFields]);

/** True when the entry's own file says that it belongs to the server. */
export function isServerOwned(written: Value): boolean {
  if (!isObject(written)) return false;
  for (const flag of serverFields) if (written[flag] === true || written[flag] === "true") return true;
  return false;
}

function spell(dialect: Dialect, family: ResourceFamily, fields: Fields): Fields {
  switch (family) {
    case "roles":
      return convertRole(dialect, fields);
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
