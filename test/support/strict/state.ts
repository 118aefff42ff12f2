import type { Json, JsonObject } from "../../../src/json/value.ts";
import { type FamilyName, families, fieldsOf, flags, listField, type Release, type Shape } from "./forms.ts";
import { isArray, isMap, type Members, setMember } from "./json.ts";

/** What a server holds, in the form of its collection GETs: names to fields, or to arrays for the groups of 6.x-25. */
export interface WireState {
  readonly resources: ReadonlyMap<FamilyName, ReadonlyMap<string, Json>>;
  /** What is under `gate_config`: `{ dynamic: … }`. */
  readonly config?: JsonObject;
  /** What GET shows of the license; absent where none is installed. */
  readonly license?: Json;
}

/** How the gaps of api.md are filled: each is one a client has to live with. */
export interface Variant {
  readonly release: Release;
  /** `absent`: nothing on this server is reserved or static, and no answer has the flags. */
  readonly flags: "present" | "absent";
  /** `filled`: empty lists and texts are shown; `omitted`: they never are; `stored`: as they were written. */
  readonly defaults: "filled" | "omitted" | "stored";
}

export type Stored = Map<FamilyName, Map<string, JsonObject>>;

export function store(state: WireState, variant: Variant): Stored {
  return new Map(
    families.map((family) => {
      const resources = [...(state.resources.get(family) ?? [])];
      return [family, new Map(resources.map(([name, value]) => [name, storable(family, value, variant)]))];
    }),
  );
}

function storable(family: FamilyName, value: Json, variant: Variant): JsonObject {
  if (family === "action_groups") return storableGroup(value, variant);
  const fields = isMap(value) ? value : {};
  return variant.flags === "absent" ? without(fields, flags) : fields;
}

/** Takes a group in either release's form; an array of 6.x-25 has no space for flags. */
function storableGroup(value: Json, variant: Variant): JsonObject {
  const list = isArray(value) ? value : isMap(value) ? (value.allowed_actions ?? value.permissions ?? []) : [];
  if (variant.release === "6.x-25") return { permissions: list };
  const rest = isMap(value) ? without(value, ["allowed_actions", "permissions"]) : {};
  return { ...(variant.flags === "absent" ? without(rest, flags) : rest), allowed_actions: list };
}

/** A resource as answers show it. */
export function shown(family: FamilyName, fields: JsonObject, variant: Variant): JsonObject {
  const filled = withDefaults(fields, fieldsOf(family, variant.release), mandatory(family, variant), variant.defaults);
  // §2: flags are fields of roles and tenants; other resources show one only where it is set.
  const shows = variant.flags === "present" && (family === "roles" || family === "tenants");
  return shows ? { reserved: false, hidden: false, static: false, ...filled } : filled;
}

function mandatory(family: FamilyName, { release }: Variant): readonly string[] {
  return family === "action_groups" ? [listField(release)] : [];
}

function withDefaults(
  fields: JsonObject,
  shapes: Readonly<Record<string, Shape>>,
  always: readonly string[],
  defaults: Variant["defaults"],
): JsonObject {
  if (defaults === "stored") return fields;
  const result: Members = {};
  for (const [field, value] of Object.entries(fields)) {
    const shape = Object.hasOwn(shapes, field) ? shapes[field] : undefined;
    const empty = value === "" || (isArray(value) && value.length === 0);
    if (defaults === "omitted" && empty && shape !== undefined && !always.includes(field)) continue;
    const each = typeof shape === "object" && "each" in shape ? shape.each : undefined;
    const nested = each !== undefined && isArray(value);
    const element = (item: Json) => (each !== undefined && isMap(item) ? withDefaults(item, each, [], defaults) : item);
    setMember(result, field, nested ? value.map(element) : value);
  }
  if (defaults === "omitted") return result;
  for (const [field, shape] of Object.entries(shapes)) {
    if (Object.hasOwn(result, field) || Array.isArray(shape) || field === "value") continue;
    setMember(result, field, shape === "string" ? "" : []);
  }
  return result;
}

/** One resource inside the answer of a collection GET. */
export function inCollection(family: FamilyName, fields: JsonObject, variant: Variant): Json {
  const value = shown(family, fields, variant);
  return family === "action_groups" && variant.release === "6.x-25" ? (value.permissions ?? []) : value;
}

/** The answer of a single GET, §2 and §2.4; a block's example in §2.5 lacks the verdict, so this one does. */
export function alone(family: FamilyName, name: string, fields: JsonObject, variant: Variant): JsonObject {
  const value = shown(family, fields, variant);
  if (family === "action_groups" && variant.release !== "6.x-25") {
    return { allowed_actions: value.allowed_actions ?? [] };
  }
  const fieldsShown = family === "blocks" ? without(value, ["verdict"]) : inCollection(family, fields, variant);
  return named([[name, fieldsShown]]);
}

export function named(entries: Iterable<readonly [string, Json]>): Members {
  return Object.fromEntries(entries);
}

export function without(value: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([field]) => !fields.includes(field)));
}

/** The fields of a live resource that the document does not know and that every update has to leave alone. */
export function unknownFields(family: FamilyName, fields: JsonObject, release: Release): string[] {
  const known = fieldsOf(family, release);
  return Object.keys(fields).filter((field) => !Object.hasOwn(known, field) && !flags.some((flag) => flag === field));
}
