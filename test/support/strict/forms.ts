import { isIP } from "node:net";
import type { Json, JsonObject } from "../../../src/json/value.ts";
import { isArray, isMap, member, same } from "./json.ts";
import { undocumented } from "./refusal.ts";

export const families = ["action_groups", "tenants", "roles", "role_mappings", "blocks"] as const;
export type FamilyName = (typeof families)[number];

export function isFamilyName(family: string): family is FamilyName {
  return (families as readonly string[]).includes(family);
}
export type Release = "6.x-25" | "7.x-43.0.0";

/** Collection paths of api.md §4.1. */
export const collections: Readonly<Record<string, FamilyName>> = {
  rolesmapping: "role_mappings",
  roles: "roles",
  tenants: "tenants",
  actiongroups: "action_groups",
  blocks: "blocks",
};

/** Field types of api.md §2 as they may be in a request: `flags` are only ever answered. */
export type Shape = "string" | "strings" | readonly string[] | { readonly each: Readonly<Record<string, Shape>> };

export const flags = ["reserved", "hidden", "static"] as const;

/** The field of an action group, api.md §2.4. */
export function listField(release: Release): string {
  return release === "6.x-25" ? "permissions" : "allowed_actions";
}

export function fieldsOf(family: FamilyName, release: Release): Readonly<Record<string, Shape>> {
  return family === "action_groups" ? { [listField(release)]: "strings" } : documented[family];
}

const documented: Readonly<Record<Exclude<FamilyName, "action_groups">, Readonly<Record<string, Shape>>>> = {
  role_mappings: { description: "string", backend_roles: "strings", hosts: "strings", users: "strings" },
  roles: {
    cluster_permissions: "strings",
    index_permissions: {
      each: {
        index_patterns: "strings",
        dls: "string",
        fls: "strings",
        masked_fields: "strings",
        allowed_actions: "strings",
      },
    },
    tenant_permissions: { each: { tenant_patterns: "strings", allowed_actions: "strings" } },
  },
  tenants: { description: "string" },
  blocks: {
    type: ["ip", "name", "net_mask"],
    value: "string",
    verdict: ["allow", "disallow"],
    description: "string",
  },
};

/**
 * Throws where a written resource is not one of api.md §2. What is in `before` unchanged passes: flags, fields
 * that the document does not know, and lists that were missing already.
 */
export function checkResource(family: FamilyName, release: Release, after: Json, before?: JsonObject): void {
  if (!isMap(after)) throw undocumented(`a resource of ${family} is an object`);
  const shapes = fieldsOf(family, release);
  for (const [field, value] of Object.entries(after)) {
    if (before !== undefined && same(member(before, field), value)) continue;
    const shape = Object.hasOwn(shapes, field) ? shapes[field] : undefined;
    if (shape === undefined) throw undocumented(`no field of ${family}: ${field}`);
    checkShape(value, shape, field);
  }
  const missing = missingOf(family, release, after);
  if (missing !== undefined && (before === undefined || missingOf(family, release, before) === undefined)) {
    throw undocumented(missing);
  }
  if (family === "blocks") checkBlock(after);
}

/** A missing member that a PUT must have: the rules of §2.1 and §2.4, and the only field that §2.3 and §4.3 give a tenant. */
function missingOf(family: FamilyName, release: Release, value: JsonObject): string | undefined {
  const has = (...fields: string[]) => fields.some((field) => Object.hasOwn(value, field));
  if (family === "role_mappings" && !has("backend_roles", "hosts", "users")) return "a mapping needs one of its lists";
  if (family === "action_groups" && !has(listField(release))) return `an action group needs ${listField(release)}`;
  if (family === "tenants" && !has("description")) return "the body of a tenant has a description";
  return undefined;
}

function checkShape(value: Json, shape: Shape, where: string): void {
  if (shape === "string") {
    if (typeof value !== "string") throw undocumented(`${where} is a string`);
  } else if (shape === "strings") {
    if (!isStrings(value)) throw undocumented(`${where} is an array of string`);
  } else if (Array.isArray(shape)) {
    if (!shape.includes(value)) throw undocumented(`${where} is one of ${shape.join(", ")}`);
  } else {
    checkElements(value, (shape as { each: Readonly<Record<string, Shape>> }).each, where);
  }
}

function checkElements(value: Json, each: Readonly<Record<string, Shape>>, where: string): void {
  if (!isArray(value) || !value.every(isMap)) throw undocumented(`${where} is an array of object`);
  for (const element of value as readonly JsonObject[]) {
    for (const [field, item] of Object.entries(element)) {
      const shape = Object.hasOwn(each, field) ? each[field] : undefined;
      if (shape === undefined) throw undocumented(`no field of an element of ${where}: ${field}`);
      checkShape(item, shape, `${where}.${field}`);
    }
  }
}

export function isStrings(value: Json | undefined): value is readonly string[] {
  return isArray(value) && value.every((item) => typeof item === "string");
}

/** §2.5: the value is an IP address, a user name or a network, according to type. */
function checkBlock({ type, value }: JsonObject): void {
  if (typeof value !== "string") return;
  const [address, bits, ...rest] = value.split("/");
  const width = isIP(address ?? "") === 6 ? 128 : 32;
  const network = isIP(address ?? "") > 0 && /^\d+$/.test(bits ?? "") && Number(bits) <= width && rest.length === 0;
  if (type === "ip" && isIP(value) === 0) throw undocumented(`no IP address: ${value}`);
  if (type === "net_mask" && !network) throw undocumented(`no network in CIDR notation: ${value}`);
}
