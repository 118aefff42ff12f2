import { createBuiltins } from "../dialects/builtin/index.ts";
import { anyServer, type PossibleServers } from "../dialects/builtin/names.ts";
import { builtinFamilies } from "../dialects/builtin/source.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { assumedRelease, createDialect } from "../dialects/index.ts";
import type { LiveState } from "../model/live.ts";
import type { Target } from "../model/target.ts";

export type StatedServer = Pick<Target, "product" | "release">;

/**
 * @param dialect what entries are checked for
 * @param stated what says so; a product alone may be any release of it, and the documentation of `gate` lists no built-in names
 */
export function listPossibleServers(dialect: Dialect, { product, release }: StatedServer): PossibleServers {
  if (product === undefined || product === "gate") return anyServer;
  // Files that have the form or the fields of another release than the one that is assumed show which it is.
  const isAssumed = release === undefined && dialect.release === assumedRelease[product];
  const mayBeSix = isAssumed && product === "search-guard";
  const dialects = [dialect, ...(mayBeSix ? [createDialect(product, "6")] : [])];
  return {
    title: release === undefined ? product : `${product} ${release}`,
    dialects,
    haveOwnPrefix: dialects.some((one) => one.product === "search-guard" && !one.documentTypes),
  };
}

/** The state of a server that was never written to: what is missing beside it is missing on some server. */
export function createBareServer(dialect: Dialect): LiveState {
  const builtin = createBuiltins(dialect);
  const resources = builtinFamilies.map((family) => {
    const held = [...builtin[family]].map(
      ([name, value]) => [name, { family, name, value, ownership: "reserved" }] as const,
    );
    return [family, new Map(held)] as const;
  });
  return { resources: new Map(resources), paths: new Map() };
}
