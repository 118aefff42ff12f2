import type { Family } from "../model/names.ts";

/** The family that a route is about, in whatever product; undefined where it is about none. */
export function findRouteFamily(
  route: { readonly kind: string; readonly family?: Family } | undefined,
): Family | undefined {
  switch (route?.kind) {
    case "collection":
    case "item":
      return route.family;
    case "config":
    case "license":
      return route.kind;
    default:
      return undefined;
  }
}
