import { createBuiltins } from "../dialects/builtin/index.ts";
import { builtinFamilies, hasBuiltins } from "../dialects/builtin/source.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { createDialect } from "../dialects/index.ts";
import type { LiveState } from "../model/live.ts";
import type { ResourceFamily } from "../model/names.ts";

/** Search Guard 7 marks its own so; releases add to them. */
const ownPrefix = "SGS_";

/** No product needs it, but the first configuration of each has it. */
const exampleTenant = "admin_tenant";

/**
 * Entries that a server may hold without a declaration, for when the server is not asked. Often the product is not
 * stated either, so these are the names of OpenSearch and of Search Guard 6, whatever the target.
 */
export function listBuiltinNames(family: ResourceFamily): readonly string[] {
  if (!hasBuiltins(family)) return [];
  const names = [createDialect("opensearch", "2"), createDialect("search-guard", "6")].flatMap((dialect) => [
    ...createBuiltins(dialect)[family].keys(),
  ]);
  return family === "tenants" ? [...names, exampleTenant] : names;
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

export function looksBuiltin(name: string): boolean {
  return name.startsWith(ownPrefix);
}

/** Names that vendors gave to entries of their files in any release, most of them long gone. */
export function isVendorsName(name: string): boolean {
  return /^(sg_|sgs_|opendistro_security_|opensearch_|kibana_|security_rest_api_|own_index$|all_access$|readall|logstash$|manage_snapshots$|kibanauser$|kibanaserver$|unlimited$|admin_tenant$|test_tenant)/i.test(
    name,
  );
}
