import { createBuiltins } from "../dialects/builtin/index.ts";
import { builtinFamilies, hasBuiltins } from "../dialects/builtin/source.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { assumedRelease, createDialect } from "../dialects/index.ts";
import { memoiseByKey } from "../json/memoise.ts";
import type { LiveState } from "../model/live.ts";
import type { ResourceFamily } from "../model/names.ts";
import type { Target } from "../model/target.ts";

/** Search Guard 7 marks its own so; releases add to them. */
const ownPrefix = "SGS_";

/** No product needs it, but the first configuration of each has it. */
const exampleTenant = "admin_tenant";

export type StatedServer = Pick<Target, "product" | "release">;

/** Which servers entries may be for. */
export interface PossibleServers {
  /** `opensearch 2.19` */
  readonly title: string;
  readonly dialects: readonly Dialect[];
  /** Whether some of them may have entries with the prefix of Search Guard 7 that are not known here. */
  readonly haveOwnPrefix: boolean;
}

/** Where nothing states the product: the names of all that begin with `SGS_` are known by that. */
export const anyServer: PossibleServers = {
  title: "any product",
  dialects: [createDialect("opensearch", "2"), createDialect("search-guard", "6")],
  haveOwnPrefix: true,
};

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

/** Entries that a server may hold without a declaration, for when the server is not asked. */
export function listBuiltinNames(family: ResourceFamily, { dialects }: PossibleServers = anyServer): readonly string[] {
  if (!hasBuiltins(family)) return [];
  const possible = dialects.some(mayBeLater) ? [...dialects, createDialect("opensearch", "3")] : dialects;
  const names = possible.flatMap((dialect) => [...createBuiltins(dialect)[family].keys()]);
  return family === "tenants" ? [...names, exampleTenant] : names;
}

/** A line alone may be assumed, and the server a later one. */
function mayBeLater({ product, release }: Dialect): boolean {
  return product === "opensearch" && release === "2";
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

/** Whether an entry of some product, of any release, has this name. */
export function isBuiltinName(family: ResourceFamily, name: string): boolean {
  return looksBuiltin(name) || listNamesOfAny(family).has(name);
}

const listNamesOfAny = memoiseByKey((family: ResourceFamily) => new Set(listBuiltinNames(family)));

export function looksBuiltin(name: string): boolean {
  return name.startsWith(ownPrefix);
}

/** Names that vendors gave to entries of their files in any release, most of them long gone. */
export function isVendorsName(name: string): boolean {
  return /^(sg_|sgs_|opendistro_security_|opensearch_|kibana_|security_rest_api_|own_index$|all_access$|readall|logstash$|manage_snapshots$|kibanauser$|kibanaserver$|unlimited$|admin_tenant$|test_tenant)/i.test(
    name,
  );
}
