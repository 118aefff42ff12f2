import type { Json, JsonObject } from "../../../src/json/value.ts";
import { isMap, member, same } from "./json.ts";
import { undocumented } from "./refusal.ts";

type Place =
  | "boolean"
  | "integer"
  | "string"
  | "boolean-or-text" // a PATCH example of §5 sets one with the string "false"
  | "free"
  | { readonly fields: Readonly<Record<string, Place>> }
  | { readonly named: Place };

/** The structure of api.md §5. */
const config: Place = {
  fields: {
    dynamic: {
      fields: {
        do_not_fail_on_forbidden: "boolean",
        dashboard: { fields: { multitenancy_enabled: "boolean" } },
        http: { fields: { anonymous_auth_enabled: "boolean" } },
        authc: {
          named: {
            fields: {
              http_enabled: "boolean",
              transport_enabled: "boolean-or-text",
              order: "integer",
              http_authenticator: { fields: { challenge: "boolean", type: "string", config: "free" } },
              authentication_backend: { fields: { type: "string", config: "free" } },
              description: "string",
            },
          },
        },
      },
    },
  },
};

/** Throws where a written config is not that of §5; what the live one has, is unchanged and is undocumented passes. */
export function checkConfig(after: Json, before: JsonObject): void {
  check(after, before, config, "gate_config");
}

/** Keys beside `dynamic` and in it that the document does not know, that were live and that a write has dropped. */
export function lostConfigKeys(after: JsonObject, before: JsonObject): string[] {
  const dynamic = (value: JsonObject) => (isMap(value.dynamic) ? value.dynamic : {});
  const lost = (now: JsonObject, then: JsonObject, known: readonly string[], where: string) =>
    Object.keys(then)
      .filter((key) => !known.includes(key) && !Object.hasOwn(now, key))
      .map((key) => where + key);
  const children = ["do_not_fail_on_forbidden", "dashboard", "http", "authc"];
  return [
    ...lost(after, before, ["dynamic"], "gate_config."),
    ...lost(dynamic(after), dynamic(before), children, "gate_config.dynamic."),
  ];
}

function check(value: Json, live: Json | undefined, place: Place, where: string): void {
  if (live !== undefined && same(value, live)) return;
  if (place === "free") return;
  if (typeof place === "string") {
    if (!isScalar(value, place)) throw undocumented(`${where} is a ${place}`);
    return;
  }
  if (!isMap(value)) throw undocumented(`${where} is an object`);
  const before = isMap(live) ? live : {};
  for (const [key, item] of Object.entries(value)) {
    const below =
      "named" in place ? place.named : Object.hasOwn(place.fields, key) ? (place.fields[key] as Place) : undefined;
    const old = member(before, key);
    if (below !== undefined) check(item, old, below, `${where}.${key}`);
    else if (old === undefined || !same(item, old)) throw undocumented(`not documented: ${where}.${key}`);
  }
}

function isScalar(value: Json, place: "boolean" | "integer" | "string" | "boolean-or-text"): boolean {
  switch (place) {
    case "integer":
      return Number.isInteger(value);
    case "boolean-or-text":
      return typeof value === "boolean" || value === "true" || value === "false";
    default:
      return typeof value === place;
  }
}
