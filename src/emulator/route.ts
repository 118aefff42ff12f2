import type { ResourceFamily } from "../model/names.ts";
import { splitSegments } from "./request.ts";
import type { Settings } from "./settings.ts";

/** What a path means, and the methods that are registered there, in the order in which the server lists them. */
export type ApiRoute = { readonly methods: readonly string[] } & (
  | { readonly kind: "root" }
  | { readonly kind: "collection"; readonly family: ResourceFamily }
  | { readonly kind: "item"; readonly family: ResourceFamily; readonly name: string }
  | { readonly kind: "config" }
  | { readonly kind: "license" }
  /** Three segments that the API does not know: the search engine takes them for a document of an index. */
  | { readonly kind: "document"; readonly index: string }
);

/** Undefined where no handler is registered for the path. */
export function findRoute(path: string, settings: Settings): ApiRoute | undefined {
  const segments = splitSegments(path);
  if (segments === undefined) return undefined;
  if (segments.join("/") === "") return { kind: "root", methods: ["GET"] };
  return apiRoute(segments, settings) ?? documentRoute(segments);
}

function apiRoute(segments: readonly string[], settings: Settings): ApiRoute | undefined {
  const { dialect } = settings.behaviour;
  const [root, api, place, name, ...more] = segments;
  if (`/${root}/${api}` !== dialect.prefix || place === undefined || more.length > 0) return undefined;
  if (place === dialect.config.path) return configRoute(name, settings);
  if (place === dialect.license?.path.replace(/\/$/, "") && name === undefined) {
    return { kind: "license", methods: ["DELETE", "GET", "PUT", "POST"] };
  }
  const found = familyAt(place, settings);
  if (found === undefined) return undefined;
  const { family, methods } = found;
  if (name !== undefined) return { kind: "item", family, name, methods };
  return { kind: "collection", family, methods: methods.filter((method) => method === "PATCH" || method === "GET") };
}

function familyAt(place: string, { behaviour }: Settings) {
  const { collections, patch } = behaviour.dialect;
  const entry = Object.entries(collections).find(([, segment]) => segment === place);
  if (entry === undefined) return behaviour.aliases.get(place);
  const family = entry[0] as ResourceFamily;
  const methods = ["PATCH", "GET", "PUT", "DELETE"].filter((method) => method !== "PATCH" || patch.has(family));
  return { family, methods };
}

/** Unless the node setting allows it, the writing routes are not even registered. Real servers put below the name. */
function configRoute(name: string | undefined, settings: Settings): ApiRoute | undefined {
  const writable = settings.allowConfigModification;
  if (name === undefined) return { kind: "config", methods: writable ? ["PATCH", "GET", "PUT"] : ["GET"] };
  return writable && name === settings.behaviour.dialect.config.path ? { kind: "config", methods: ["PUT"] } : undefined;
}

function documentRoute(segments: readonly string[]): ApiRoute | undefined {
  const [index = ""] = segments;
  return segments.length === 3 ? { kind: "document", index, methods: ["GET", "PUT", "POST", "DELETE"] } : undefined;
}
