import { listBuiltinsShown } from "../../dialects/builtin/listed.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { type Fields, isObject, type Json, type JsonObject } from "../../json/value.ts";
import { type ResourceFamily, resourceFamilies } from "../../model/names.ts";
import type { EmulatorState, InitialState } from "../state.ts";
import { fromTree, type Tree, toTree } from "../tree.ts";
import type { RealEntries, RealState } from "./kept.ts";
import type { RealProduct } from "./product.ts";

/** What a product comes with, as a server of it holds it. */
export type BuiltinEntries = ReadonlyMap<ResourceFamily, { readonly fixed: RealEntries; readonly first: RealEntries }>;

/**
 * Entries that the server could not hold are left out, and lose what it does not know. What is static takes the place of
 * what was given under its name, as when servers load.
 */
export function createRealState(initial: InitialState, product: RealProduct, builtin: BuiltinEntries): RealState {
  const families = resourceFamilies.map((family): [ResourceFamily, RealEntries] => {
    const given = entriesFrom(family, initial[family], product);
    const { first = [], fixed = [] } = builtin.get(family) ?? {};
    return [family, new Map([...first, ...given, ...fixed])];
  });
  const config = withText(toTree(initial.config ?? { dynamic: {} }), initial.license);
  const stored = product.config.stored(config, "PUT", config);
  return {
    families: Object.fromEntries(families) as Record<ResourceFamily, RealEntries>,
    config: "tree" in stored ? stored.tree : config,
    ...(initial.internalUsers && { internalUsers: initial.internalUsers }),
  };
}

function entriesFrom(family: ResourceFamily, given: InitialState[ResourceFamily], product: RealProduct): RealEntries {
  const entries = new Map<string, Tree>();
  const pairs: Iterable<[string, Json]> = given instanceof Map ? given : Object.entries((given ?? {}) as JsonObject);
  for (const [name, value] of pairs) {
    const stored = product.entries.stored(family, toTree(value), { writeKind: "PUT", name });
    if ("tree" in stored) entries.set(name, stored.tree);
  }
  return entries;
}

/** Of each family what is static, and what is of the first configuration alone. */
export function getBuiltinEntries(product: RealProduct, dialect: Dialect): BuiltinEntries {
  const entriesOf = (family: ResourceFamily, isStatic: boolean): RealEntries =>
    new Map(
      listBuiltinsShown(dialect, family)
        .filter((one) => one.isStatic === isStatic)
        .map(({ name, wire }) => [name, builtinTree(family, name, wire, product)]),
    );
  return new Map(
    resourceFamilies.map((family) => [family, { fixed: entriesOf(family, true), first: entriesOf(family, false) }]),
  );
}

/** Also what the API of the release would not take: what a line of releases ships is known of its newest. */
function builtinTree(family: ResourceFamily, name: string, wire: Fields, product: RealProduct): Tree {
  const tree = toTree(wire as Json);
  const stored = product.entries.stored(family, tree, { writeKind: "PUT", name });
  return "tree" in stored ? stored.tree : tree;
}

/** For those who look at the emulator from outside. */
export function showState(state: RealState): EmulatorState {
  const families = resourceFamilies.map((family) => [family, shownEntries(state.families[family])] as const);
  const config = fromTree(state.config);
  return {
    ...(Object.fromEntries(families) as Omit<EmulatorState, "config">),
    config: isObject(config) ? (config as JsonObject) : {},
    ...(state.internalUsers && { internalUsers: state.internalUsers }),
  };
}

/** Of a family that no request has changed, the same entries again. */
function shownEntries(entries: RealEntries): ReadonlyMap<string, JsonObject> {
  const known = shown.get(entries);
  if (known) return known;
  const made = [...entries].flatMap(([name, tree]): [string, JsonObject][] => {
    const value = fromTree(tree);
    if (Array.isArray(value)) return [[name, { permissions: value }]];
    return isObject(value) ? [[name, value as JsonObject]] : [];
  });
  const found = new Map(made);
  shown.set(entries, found);
  return found;
}

const shown = new WeakMap<RealEntries, ReadonlyMap<string, JsonObject>>();

/** The text of an installed license is in the config; "" and absent are the same. */
export function findLicenseText(config: Tree): string | undefined {
  const dynamic = config instanceof Map ? config.get("dynamic") : undefined;
  const text = dynamic instanceof Map ? dynamic.get("license") : undefined;
  return typeof text === "string" && text !== "" ? text : undefined;
}

export function withText(config: Tree, license: string | undefined): Tree {
  if (license === undefined || !(config instanceof Map)) return config;
  const dynamic = config.get("dynamic");
  const members = dynamic instanceof Map ? [...dynamic] : [];
  return new Map([...config, ["dynamic", new Map<string, Tree>([...members, ["license", license]])]]);
}
