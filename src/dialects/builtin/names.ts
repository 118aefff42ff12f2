// Names of entries that products bring.
import { memoiseByKey } from "../../json/memoise.ts";
import type { ResourceFamily } from "../../model/names.ts";
import type { Dialect } from "../dialect.ts";
import { createDialect } from "../index.ts";
import { reservedDemoUsers } from "./demo-users.ts";
import { createBuiltins } from "./index.ts";
import { hasBuiltins } from "./source.ts";

/** Search Guard 7 marks its own so; releases add to them. */
const ownPrefix = "SGS_";

/** No product needs it, but the first configuration of each has it. */
const exampleTenant = "admin_tenant";

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

/** Some product brings an entry of this name. */
export function isBuiltIn(family: ResourceFamily, name: string): boolean {
  const isDemoUser = family === "internal_users" && (reservedDemoUsers as readonly string[]).includes(name);
  return isDemoUser || isBuiltinName(family, name) || isVendorsName(name);
}
