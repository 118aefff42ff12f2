import { collections, type FamilyName } from "./forms.ts";
import { undocumented } from "./refusal.ts";

/** What a request is about. */
export type Target =
  | { readonly kind: "collection"; readonly family: FamilyName; readonly slash: boolean }
  | { readonly kind: "item"; readonly family: FamilyName; readonly name: string }
  | { readonly kind: "config" }
  | { readonly kind: "license" }
  /** `/`, the search engine's own: no path of this API. */
  | { readonly kind: "root" };

const prefix = "/_gate/api/";

/** Throws for a path that §4 does not have. */
export function targetOf(path: string): Target {
  if (path === "/") return { kind: "root" };
  if (path.includes("?")) throw undocumented("no path of the API has a query");
  if (!path.startsWith(prefix)) throw undocumented("not below /_gate/api");
  const [collection = "", item, ...rest] = path.slice(prefix.length).split("/");
  if (path === `${prefix}license/`) return { kind: "license" };
  if (path === `${prefix}gate_config`) return { kind: "config" };
  const family = Object.hasOwn(collections, collection) ? collections[collection] : undefined;
  if (family === undefined) throw undocumented("no path of the API");
  if (rest.length > 0) throw undocumented("a name is one segment of the path");
  if (item === undefined || item === "") return { kind: "collection", family, slash: item === "" };
  return { kind: "item", family, name: decoded(item) };
}

const methods: Readonly<Record<Target["kind"], readonly string[]>> = {
  collection: ["GET", "PATCH"],
  item: ["GET", "PUT", "PATCH", "DELETE"],
  config: ["GET", "PUT", "PATCH"],
  license: ["GET", "PUT"],
  root: ["GET"],
};

export function checkMethod(method: string, target: Target): void {
  if (!methods[target.kind].includes(method)) throw undocumented(`no ${method} of ${target.kind}`);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw undocumented("the name is not percent-encoded UTF-8");
  }
}
