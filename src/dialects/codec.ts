import { isShownAsWritten } from "../families/as-written.ts";
import { canonicaliseFields } from "../families/canonical.ts";
import { holdsServiceFlag, withoutCredentials } from "../families/credentials.ts";
import type { Field } from "../families/facts.ts";
import { factsOf } from "../families/index.ts";
import { type Fields, isEqual, isList, isObject, type JsonObject, type Value } from "../json/value.ts";
import type { DesiredFamily } from "../model/desired.ts";
import type { LiveFamily, LiveResource, Ownership } from "../model/live.ts";
import { isSingleEntryFamily, type ResourceFamily, singleEntryName } from "../model/names.ts";
import { hideSecrets } from "../secrets/config-fields.ts";
import { withTypedPlaces } from "./config-texts.ts";
import type { Dialect } from "./dialect.ts";
import { canonicaliseSixRole, convertSixRole, encodeSixIndices, encodeSixTenants } from "./six-roles.ts";
import { withoutEmptyAttributes } from "./user-attributes.ts";

/** Set by servers and their files only; never compared, never sent. */
export const serverFields: ReadonlySet<string> = new Set(["reserved", "hidden", "static", "readonly"]);

/**
 * The answer to GET of a collection, canonical. Undefined where the answer is not of that shape.
 *
 * @param declared what is shown just as it is written here gets the same value, which is not made again
 */
export function decodeFamily(
  dialect: Dialect,
  family: ResourceFamily,
  body: unknown,
  declared?: DesiredFamily,
): LiveFamily | undefined {
  if (!isObject(body as Value)) return undefined;
  const resources = new Map<string, LiveResource>();
  const defaults = dialect.defaults?.[family];
  for (const [name, wire] of Object.entries(body as JsonObject)) {
    if (isHeader(name, wire)) continue;
    // Beside its document an audit configuration has a list, and whatever a patch has added.
    if (isSingleEntryFamily(family) && name !== singleEntryName) continue;
    // Search Guard 7 takes null for a tenant by PUT and bulk PATCH, and grants it like any other.
    const isNull = wire === null && family === "tenants";
    const fields = isNull ? {} : isList(wire) && family === "action_groups" ? { allowed_actions: wire } : wire;
    if (!isObject(fields) || isFault(fields)) return undefined;
    const known = declared?.get(name);
    const isKnown =
      known && !known.respelt && isShownAsWritten(known.node, fields, factsOf[family].fields, serverFields);
    resources.set(name, {
      family,
      name,
      value: isKnown ? known.value : decodeResource(dialect, family, fields),
      ownership: family === "internal_users" && holdsServiceFlag(fields) ? "service-account" : ownershipOf(fields),
      ...(defaults && { defaults }),
      ...(isNull && { isNull }),
      wire,
    });
  }
  return resources;
}

export function decodeResource(dialect: Dialect, family: ResourceFamily, wire: Fields): Fields {
  if (family === "roles" && dialect.documentTypes) {
    const own = Object.entries(wire).filter(([field]) => !serverFields.has(field));
    return canonicaliseSixRole(dialect, convertSixRole(dialect, Object.fromEntries(own)));
  }
  if (family === "internal_users") return decodeUser(dialect, wire);
  const isRenamed = family === "action_groups" || dialect.words[family] !== undefined;
  return canonicaliseFields(isRenamed ? renamed(dialect, family, wire) : wire, factsOf[family].fields, serverFields);
}

/** A hash is shown as an empty string, and is none. */
function decodeUser(dialect: Dialect, wire: Fields): Fields {
  const { fields } = factsOf.internal_users;
  const shown = canonicaliseFields(renamed(dialect, "internal_users", wire), fields, serverFields);
  return withoutCredentials("internal_users", withoutEmptyAttributes(shown, dialect));
}

function renamed(dialect: Dialect, family: ResourceFamily, wire: Fields): Fields {
  return Object.fromEntries(
    Object.entries(wire).map(([field, value]) => [canonicalName(dialect, family, field), value]),
  );
}

/** Of action groups either word is taken, whatever the release says. */
function canonicalName({ words }: Dialect, family: ResourceFamily, word: string): string {
  if (family === "action_groups" && word === "permissions") return "allowed_actions";
  return Object.entries(words[family] ?? {}).find(([, written]) => written === word)?.[0] ?? word;
}

/** `_meta`, `_sg_meta`, `_gate_meta`: the header of the stored document, which some servers let through. */
function isHeader(name: string, wire: Value): boolean {
  return /^_(\w+_)?meta$/.test(name) && isObject(wire) && "config_version" in wire;
}

/** `{"error": {"root_cause": [...], "reason": "..."}}`: an error, though the status says otherwise. */
function isFault({ root_cause, reason }: Fields): boolean {
  return root_cause !== undefined || typeof reason === "string";
}

function ownershipOf(wire: Fields): Ownership {
  if (isTrue(wire.static)) return "static";
  return isTrue(wire.reserved) || isTrue(wire.readonly) || isTrue(wire.hidden) ? "reserved" : "open";
}

/** Search Guard 6 says booleans in words; what else a server may mean by a flag protects rather than not. */
function isTrue(value: Value | undefined): boolean {
  return value !== undefined && value !== null && value !== false && value !== "false";
}

/** A whole resource as the body of a PUT, and as the value of a bulk `add`. */
export function encodeResource(dialect: Dialect, family: ResourceFamily, value: Fields): Fields {
  const facts = factsOf[family].fields;
  const wire: [string, Value][] = [];
  for (const [name, field] of Object.entries(facts)) {
    const item = value[name];
    const sent = item === undefined ? whenAbsent(field, dialect) : encodeField(dialect, family, name, item);
    if (sent !== undefined) wire.push([getWireName(dialect, family, name), sent]);
  }
  for (const [name, item] of Object.entries(value)) if (!Object.hasOwn(facts, name)) wire.push([name, item]);
  return Object.fromEntries(wire);
}

/** What a bulk `add` of a whole resource carries: 6.x-25 of `gate` takes the bare list for an action group. */
export function encodeForBulk(dialect: Dialect, family: ResourceFamily, value: Fields): Value {
  if (family === "action_groups" && dialect.actionGroup.bare) return value.allowed_actions ?? [];
  return encodeResource(dialect, family, value);
}

/** The value of one top-level field. */
export function encodeField(dialect: Dialect, family: ResourceFamily, name: string, value: Value): Value {
  const field = factsOf[family].fields[name];
  if (field?.kind === "permissions" && isList(value)) {
    const elements = value.filter(isObject);
    if (dialect.documentTypes) {
      return name === "tenant_permissions" ? encodeSixTenants(dialect, elements) : encodeSixIndices(elements);
    }
    return elements.map((element) => encodeElement(element, field.element ?? {}));
  }
  if (family === "blocks" && name === "value" && dialect.blockValue === "string") {
    return isList(value) ? (value[0] ?? "") : value;
  }
  return value;
}

function encodeElement(element: Fields, facts: Readonly<Record<string, Field>>): Fields {
  const known = Object.entries(facts).flatMap(([name, field]): [string, Value][] => {
    const item = element[name] ?? emptyList(field);
    return item === undefined ? [] : [[name, item]];
  });
  const unknown = Object.entries(element).filter(([name]) => !Object.hasOwn(facts, name));
  return Object.fromEntries([...known, ...unknown]);
}

/** Whether a server can keep a canonical role as it is: 6.x has one place for what restricts a pattern. */
export function canHold(dialect: Dialect, role: Fields): boolean {
  if (!dialect.documentTypes) return true;
  return isEqual(role, canonicaliseSixRole(dialect, convertSixRole(dialect, encodeResource(dialect, "roles", role))));
}

/** Lists that every release documents are sent even when empty; the rest, and the maps of 6.x, only when set. */
function whenAbsent(field: Field, { documentTypes }: Dialect): Value | undefined {
  return documentTypes && field.kind === "permissions" ? undefined : emptyList(field);
}

function emptyList(field: Field): Value | undefined {
  if (field.always) return field.kind === "text" ? "" : [];
  return undefined;
}

export function getWireName(dialect: Dialect, family: ResourceFamily, field: string): string {
  if (family === "action_groups" && field === "allowed_actions") return dialect.actionGroup.list;
  return dialect.words[family]?.[field] ?? field;
}

/** The config in an answer, whatever key it is below; secrets become `Secret` values. Undefined where there is none. */
export function decodeConfig(dialect: Dialect, body: unknown): Fields | undefined {
  if (!isObject(body as Value)) return undefined;
  const wrapped = (body as JsonObject)[dialect.config.key];
  const document = isObject(wrapped) ? wrapped : (body as JsonObject);
  if (!isObject(document.dynamic)) return undefined;
  return hideSecrets(dialect.config.texts ? withTypedPlaces(document) : document) as Fields;
}

/** What a PUT of the config carries. */
export function encodeConfig(dialect: Dialect, document: Fields): Fields {
  return dialect.config.wrapped ? { [dialect.config.key]: document } : { dynamic: document.dynamic ?? {} };
}
