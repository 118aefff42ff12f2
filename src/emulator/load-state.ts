import { listBuiltinsShown } from "../dialects/builtin/listed.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Json, JsonObject } from "../json/value.ts";
import { type ResourceFamily, resourceFamilies } from "../model/names.ts";
import type { ProductModel } from "./product.ts";
import { type InitialState, type ServerState, type StoredEntries, withLicense } from "./state.ts";
import { type Tree, toTree } from "./values/tree.ts";

/** What a product comes with, as a server of it holds it. */
export type BuiltinEntries = ReadonlyMap<
  ResourceFamily,
  { readonly statics: StoredEntries; readonly first: StoredEntries }
>;

/**
 * Entries that the server could not hold are left out, and lose what it does not know. What is static takes the place of
 * what was given under its name, as when servers load.
 */
export function createServerState(initial: InitialState, product: ProductModel, builtin: BuiltinEntries): ServerState {
  const families = resourceFamilies.map((family): [ResourceFamily, StoredEntries] => {
    const given = loadEntries(family, initial[family], product);
    const { first = [], statics = [] } = builtin.get(family) ?? {};
    return [family, new Map([...first, ...given, ...statics])];
  });
  const config = withLicense(toTree(initial.config ?? { dynamic: {} }), initial.license);
  return {
    families: Object.fromEntries(families) as Record<ResourceFamily, StoredEntries>,
    config: product.config.load(config),
  };
}

function loadEntries(
  family: ResourceFamily,
  given: InitialState[ResourceFamily],
  product: ProductModel,
): StoredEntries {
  const pairs: Iterable<[string, Json]> = given instanceof Map ? given : Object.entries((given ?? {}) as JsonObject);
  const loaded = [...pairs].map(([name, value]) => [name, product.entries.load(family, toTree(value), name)] as const);
  return new Map(loaded.flatMap(([name, tree]) => (tree === undefined ? [] : [[name, tree]])));
}

/** Of each family what is static, and what is of the first configuration alone. */
export function getBuiltinEntries(product: ProductModel, dialect: Dialect): BuiltinEntries {
  const entriesOf = (family: ResourceFamily, isStatic: boolean): StoredEntries =>
    new Map(
      listBuiltinsShown(dialect, family)
        .filter((one) => one.isStatic === isStatic)
        .map(({ name, wire }) => [name, loadOrKeep(family, name, wire as Json, product)]),
    );
  const documentsOf = (family: ResourceFamily): StoredEntries =>
    new Map(
      Object.entries(product.firstDocuments?.[family] ?? {}).map(([name, value]) => [
        name,
        loadOrKeep(family, name, value as Json, product),
      ]),
    );
  return new Map(
    resourceFamilies.map((family) => [
      family,
      { statics: entriesOf(family, true), first: new Map([...entriesOf(family, false), ...documentsOf(family)]) },
    ]),
  );
}

/** Also what the API of the release would not take: what a line of releases ships is known of its newest. */
function loadOrKeep(family: ResourceFamily, name: string, value: Json, product: ProductModel): Tree {
  return product.entries.load(family, toTree(value), name) ?? toTree(value);
}
