import type { Field } from "../families/facts.ts";
import { isList, isObject, type Json, type JsonObject } from "../json/value.ts";
import type { ResourceFamily } from "../model/names.ts";
import type { KnownFields } from "./fields.ts";
import { findMaskingProblem } from "./masking.ts";
import type { Behaviour } from "./products/behaviour.ts";
import { bodyRequired, createEngineFailure, createInvalidReply, createUnparsableReply, type Reply } from "./reply.ts";

/** Why the server refuses to store this value, or undefined. */
export function explainStoreRefusal(value: Json, known: KnownFields, behaviour: Behaviour): Reply | undefined {
  const { family } = known;
  if (family === "tenants" && !isObject(value))
    return createUnparsableReply("Cannot deserialize a tenant out of this token");
  if (!isObject(value) || (family !== "tenants" && Object.keys(value).length === 0)) return bodyRequired;
  return (
    wrongTypes(value, known) ??
    wrongKeys(value, known, behaviour) ??
    badMasking(value) ??
    unmappable(value, known) ??
    (family === "blocks" ? unknownWord(value) : undefined)
  );
}

/** Unknown and missing keys are reported together. */
function wrongKeys(entry: JsonObject, known: KnownFields, behaviour: Behaviour): Reply | undefined {
  const unknown = Object.keys(entry).filter((key) => !known.fields.has(key) && !known.stored.has(key));
  const lacking = lackingKeys(entry, known.family, behaviour);
  if (unknown.length === 0 && lacking === undefined) return undefined;
  const keys = unknown.length === 0 ? {} : { invalid_keys: { keys: unknown.join(",") } };
  return createInvalidReply("Invalid configuration", { ...keys, ...lacking });
}

/** Real servers print a missing mandatory key twice, and print nothing where one of several is needed. */
function lackingKeys(entry: JsonObject, family: ResourceFamily, { dialect }: Behaviour): JsonObject | undefined {
  if (family === "action_groups") {
    const list = dialect.actionGroup.list;
    if (Object.hasOwn(entry, list)) return undefined;
    return { missing_mandatory_keys: { keys: list }, specify_one_of: { keys: list } };
  }
  if (family !== "role_mappings" || dialect.mappingLists.some((list) => Object.hasOwn(entry, list))) return undefined;
  return {};
}

/** Goes by the name of the key, at any depth; this complaint hides the one about keys. */
function wrongTypes(entry: JsonObject, { family, fields }: KnownFields): Reply | undefined {
  const wrong = new Map<string, string>();
  const visit = (value: Json): void => {
    if (isList(value)) for (const item of value) visit(item);
    if (!isObject(value)) return;
    for (const [key, item] of Object.entries(value)) {
      const field = fields.get(key);
      if (field !== undefined && !hasType(item, field, family, key)) {
        wrong.set(key, `${typeName(field, family)} expected`);
      }
      visit(item);
    }
  };
  visit(entry);
  return wrong.size === 0 ? undefined : createInvalidReply("Wrong datatype", Object.fromEntries(wrong));
}

function hasType(value: Json, field: Field, family: ResourceFamily, key: string): boolean {
  // Documented as one string (section 2.5); real servers take a list.
  if (family === "blocks" && key === "value") return typeof value === "string" || isList(value);
  return typeName(field, family) === "Array" ? isList(value) : typeof value === "string";
}

function typeName(field: Field, family: ResourceFamily): "Array" | "String" {
  return family !== "blocks" && (field.kind === "set" || field.kind === "permissions") ? "Array" : "String";
}

function badMasking(entry: JsonObject): Reply | undefined {
  const elements = isList(entry.index_permissions) ? entry.index_permissions : [];
  const lists = elements.map((element) => (isObject(element) ? element.masked_fields : undefined));
  for (const expression of lists.flatMap((list) => (isList(list) ? list : []))) {
    const problem = typeof expression === "string" ? findMaskingProblem(expression) : undefined;
    if (problem !== undefined)
      return createInvalidReply("Wrong datatype", { [`Masked field not valid: ${expression}`]: problem });
  }
  return undefined;
}

/** Below the keys nothing is validated: what the server's own types cannot hold makes it fail as a bug would. */
function unmappable(entry: JsonObject, known: KnownFields): Reply | undefined {
  for (const name of known.fields.keys()) {
    const value = entry[name];
    if (!isList(value)) continue;
    const elements = known.elements.get(name);
    for (const item of value) {
      const refusal = elements ? unmappableElement(name, item, elements) : unmappableText(name, item);
      if (refusal !== undefined) return refusal;
    }
  }
  return undefined;
}

type ElementFields = NonNullable<ReturnType<KnownFields["elements"]["get"]>>;

function unmappableElement(list: string, item: Json, { fields, stored }: ElementFields): Reply | undefined {
  if (!isObject(item)) return cannotMap(list, item);
  for (const [name, value] of Object.entries(item)) {
    const field = fields.get(name);
    if (field === undefined && stored.has(name)) continue;
    if (field === undefined) return unrecognised(name, [...fields.keys()]);
    if (value === null) continue;
    if ((field.kind === "set") !== isList(value)) return cannotMap(name, value);
    const items = isList(value) ? value : [value];
    const refusal = items.map((member) => unmappableText(name, member)).find((found) => found !== undefined);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function unmappableText(name: string, item: Json): Reply | undefined {
  return isList(item) || isObject(item) ? cannotMap(name, item) : undefined;
}

function unrecognised(name: string, known: readonly string[]): Reply {
  const names = known.map((key) => `"${key}"`).join(", ");
  const reason = `Unrecognized field "${name}", not marked as ignorable (${known.length} known properties: ${names})`;
  return createEngineFailure(500, "unrecognized_property_exception", reason);
}

function cannotMap(name: string, value: Json): Reply {
  const token = isList(value) ? "START_ARRAY" : isObject(value) ? "START_OBJECT" : "VALUE";
  const reason = `Can not deserialize "${name}" out of ${token} token`;
  return createEngineFailure(500, "json_mapping_exception", reason);
}

const words: Readonly<Record<string, readonly string[]>> = {
  type: ["ip", "name", "net_mask"],
  verdict: ["allow", "disallow"],
};

function unknownWord(block: JsonObject): Reply | undefined {
  for (const [name, known] of Object.entries(words)) {
    const value = block[name];
    if (typeof value !== "string" || known.includes(value)) continue;
    const reason = `Can not deserialize "${name}" from String "${value}": value not one of ${known.join(", ")}`;
    return createEngineFailure(500, "invalid_format_exception", reason);
  }
  return undefined;
}
