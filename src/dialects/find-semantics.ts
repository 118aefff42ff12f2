import type { Dialect } from "./dialect.ts";
import { getOpenSearchSemantics } from "./opensearch-semantics.ts";
import { getBuild } from "./release.ts";
import { findSearchGuard7Semantics, flxSemantics, searchGuard6Semantics } from "./search-guard-semantics.ts";
import type { Semantics } from "./semantics.ts";

/** @param evaluation `privileges_evaluation_type` of the config */
export function getSemantics({ product, release }: Dialect, evaluation?: string): Semantics {
  if (product === "opensearch") return getOpenSearchSemantics(release, evaluation);
  if (release === "FLX") return flxSemantics;
  if (release.startsWith("6")) return searchGuard6Semantics;
  return findSearchGuard7Semantics(getBuild(release));
}
