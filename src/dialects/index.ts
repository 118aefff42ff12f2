import type { Product } from "../model/plan.ts";
import type { Dialect } from "./dialect.ts";
import { createGateDialect, gatePrefix } from "./gate.ts";
import { createOpenSearchDialect, openSearchPrefix } from "./opensearch.ts";
import { searchGuard, searchGuardPrefix } from "./search-guard.ts";

export const products: readonly Product[] = ["gate", "search-guard", "opensearch"];

export const prefixOf: Readonly<Record<Product, string>> = {
  gate: gatePrefix,
  "search-guard": searchGuardPrefix,
  opensearch: openSearchPrefix,
};

/** The default: for offline checks, and for servers that do not show their release. */
export const assumedRelease: Readonly<Record<Product, string>> = {
  gate: "7.x-43.0.0",
  "search-guard": "7",
  opensearch: "2",
};

/**
 * @param release in the format that `parseRelease` returns
 * @param engine the version of the search engine, where it is known
 */
export function createDialect(product: Product, release: string, engine?: string): Dialect {
  switch (product) {
    case "gate":
      return createGateDialect(release, engine);
    case "search-guard":
      return searchGuard(release, engine);
    case "opensearch":
      return createOpenSearchDialect(release);
  }
}
