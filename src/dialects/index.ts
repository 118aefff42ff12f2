import type { Product } from "../model/plan.ts";
import type { Dialect } from "./dialect.ts";
import { gate, gatePrefix, gateReleases } from "./gate.ts";
import { openSearch, openSearchPrefix, openSearchReleases } from "./opensearch.ts";
import { searchGuard, searchGuardPrefix, searchGuardReleases } from "./search-guard.ts";

export const products: readonly Product[] = ["gate", "search-guard", "opensearch"];

/** Releases that may be stated, oldest first. */
export const releasesOf: Readonly<Record<Product, readonly string[]>> = {
  gate: gateReleases,
  "search-guard": searchGuardReleases,
  opensearch: openSearchReleases,
};

export const prefixOf: Readonly<Record<Product, string>> = {
  gate: gatePrefix,
  "search-guard": searchGuardPrefix,
  opensearch: openSearchPrefix,
};

/** Taken where nobody says which: for offline judgement, and for servers that do not tell. */
export const assumedRelease: Readonly<Record<Product, string>> = {
  gate: "7.x-43.0.0",
  "search-guard": "7",
  opensearch: "2",
};

export function dialectFor(product: Product, release: string, engine?: string): Dialect {
  switch (product) {
    case "gate":
      return gate(release, engine);
    case "search-guard":
      return searchGuard(release);
    case "opensearch":
      return openSearch(release);
  }
}
