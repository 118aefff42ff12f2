import { type Family, isResourceFamily, type ResourceFamily } from "../model/names.ts";
import type { OtherRoute, ProductModel } from "./product.ts";
import { createNoHandlerReply, createWrongMethodReply, type Reply } from "./reply.ts";
import type { RawRequest } from "./request.ts";

/** What a path means, and the methods that are registered there. */
export type ApiRoute = { readonly methods: readonly string[] } & (
  | { readonly kind: "root" | "license" | OtherRoute["kind"] }
  | { readonly kind: "collection"; readonly family: ResourceFamily }
  | { readonly kind: "item"; readonly family: ResourceFamily; readonly name: string }
  | { readonly kind: "config"; readonly name?: string }
  | { readonly kind: "document"; readonly index: string }
  | { readonly kind: "aliases" }
  /** One segment below a name that the search engine takes for an index. */
  | { readonly kind: "index" }
  | { readonly kind: "malformed"; readonly detail: string }
);

/** Undefined where no handler is registered for the path. */
export function findRoute(path: string, product: ProductModel, writable: boolean): ApiRoute | undefined {
  const [before = ""] = path.split("?", 1);
  const parts = before.replace(/^\//, "").replace(/\/+$/, "").split("/");
  if (parts.join("") === "") return { kind: "root", methods: ["GET", "HEAD"] };
  if (parts.some((part) => part === "")) return undefined;
  if (parts.join("/") === "_alias") return { kind: "aliases", methods: ["GET", "HEAD"] };
  return (
    product.routes.otherPaths.get(`/${parts.join("/")}`) ??
    apiRoute(parts, product, writable) ??
    engineRoute(parts, product)
  );
}

/** The answer to a path or method that is not registered. */
export function answerMisrouted({ method, path }: RawRequest, route: ApiRoute | undefined): Reply {
  if (method === "OPTIONS") {
    return { status: 200, text: "", ...(route && { headers: { allow: route.methods.join(",") } }) };
  }
  return route === undefined ? createNoHandlerReply(method, path) : createWrongMethodReply(method, path, route.methods);
}

/** The family that a route is about; undefined where it is about none that gate-sync writes. */
export function findRouteFamily(route: ApiRoute | undefined): Family | undefined {
  switch (route?.kind) {
    case "collection":
    case "item":
      return isResourceFamily(route.family) ? route.family : undefined;
    case "config":
    case "license":
      return route.kind;
    default:
      return undefined;
  }
}

function apiRoute(parts: readonly string[], product: ProductModel, writable: boolean): ApiRoute | undefined {
  const { routes, engine } = product;
  const prefix = routes.prefixes.find((known) => `/${parts.join("/")}/`.startsWith(`${known}/`));
  if (prefix === undefined) return undefined;
  const [place = "", raw, ...more] = parts.slice(prefix.split("/").length - 1);
  if (place === "" || more.length > 0) return undefined;
  if (place === "license" && routes.license !== undefined) {
    return raw === undefined ? { kind: "license", methods: routes.license } : undefined;
  }
  const name = raw === undefined ? undefined : decoded(raw, engine.plusIsBlank);
  if (typeof name === "object") return { kind: "malformed", methods: routes.item, detail: name.detail };
  return configRoute(place, name, product, writable) ?? resourceRoute(place, name, product);
}

function resourceRoute(place: string, name: string | undefined, { routes }: ProductModel): ApiRoute | undefined {
  const segment = routes.segments.get(place);
  if (segment === undefined) return undefined;
  const { family, only } = segment;
  if (name !== undefined && only !== undefined && name !== only) return undefined;
  if (name === undefined) return { kind: "collection", family, methods: segment.collection ?? routes.collection };
  const methods = segment.item ?? routes.item;
  return methods.length === 0 ? undefined : { kind: "item", family, name, methods };
}

function configRoute(place: string, name: string | undefined, product: ProductModel, writable: boolean) {
  const facts = product.routes.config.find(({ path }) => path === place);
  if (facts === undefined) return undefined;
  if (name === undefined) {
    return { kind: "config", methods: writable ? facts.methods.writable : facts.methods.readOnly } as const;
  }
  const { named } = facts;
  if (named === undefined || (!writable && !named.whenReadOnly)) return undefined;
  return named.any || name === product.config.key
    ? ({ kind: "config", name, methods: named.methods } as const)
    : undefined;
}

function engineRoute(parts: readonly string[], { engine }: ProductModel): ApiRoute | undefined {
  const [index = ""] = parts;
  if (engine.documents === undefined) return undefined;
  const { methods, ofIndex } = engine.documents;
  if (parts.length === 3) return { kind: "document", index, methods };
  return parts.length === 2 && ofIndex.length > 0 && index.startsWith("_")
    ? { kind: "index", methods: ofIndex }
    : undefined;
}

/** Bytes that are no UTF-8 become the replacement character. */
function decoded(segment: string, plusIsBlank: boolean): string | { readonly detail: string } {
  const bad = /%(?![0-9a-f]{2})/i.exec(segment);
  if (bad !== null) return { detail: badEscape(segment, bad.index) };
  const text = plusIsBlank ? segment.replaceAll("+", " ") : segment;
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll("%", ""), "hex").toString("utf8"),
  );
}

function badEscape(segment: string, at: number): string {
  const found = segment.slice(at, at + 3);
  return found.length < 3
    ? `unterminated escape sequence at end of string: ${segment}`
    : `invalid escape sequence \`${found}' at index ${at} of: ${segment}`;
}
