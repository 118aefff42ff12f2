import { memoiseByObject } from "../json/memoise.ts";
import { isObject, type Json, type JsonObject } from "../json/value.ts";
import { type ResourceFamily, resourceFamilies } from "../model/names.ts";
import { fromTree, getMember, type Tree } from "./values/tree.ts";

export type Entries = ReadonlyMap<string, JsonObject>;

/** All that the server holds, as those see it who look from outside: the flags of an entry are among its fields. */
export interface EmulatorState extends Readonly<Record<ResourceFamily, Entries>> {
  /** `{dynamic: {...}}`; the text of an installed license is `dynamic.license`, as on real servers. */
  readonly config: JsonObject;
}

/**
 * What a server may start with; the rest is empty, except the product's built-in, protected entries. Action groups
 * may be bare lists.
 */
export type InitialState = Partial<Readonly<Record<ResourceFamily, ReadonlyMap<string, Json> | JsonObject>>> & {
  readonly config?: JsonObject;
  /** The text of an installed license. */
  readonly license?: string;
};

/** As the server stores them; never changed in place. A value may be null, or (6.x) a bare list. */
export type StoredEntries = ReadonlyMap<string, Tree>;

/** What the handlers read and write. */
export interface ServerState {
  readonly families: Readonly<Record<ResourceFamily, StoredEntries>>;
  /** The value under the key of the config: `{dynamic: {...}}`. */
  readonly config: Tree;
}

export function withFamily(state: ServerState, family: ResourceFamily, entries: StoredEntries): ServerState {
  return { ...state, families: { ...state.families, [family]: entries } };
}

/** For those who look at the emulator from outside: of a state that no request has changed, the same again. */
export const showState = memoiseByObject(({ families, config }: ServerState): EmulatorState => {
  const shown = resourceFamilies.map((family) => [family, showEntries(families[family])] as const);
  const document = fromTree(config);
  return {
    ...(Object.fromEntries(shown) as Omit<EmulatorState, "config">),
    config: isObject(document) ? (document as JsonObject) : {},
  };
});

const showEntries = memoiseByObject((entries: StoredEntries): Entries => {
  const shown = [...entries].flatMap(([name, tree]): [string, JsonObject][] =>
    tree instanceof Map || Array.isArray(tree) ? [[name, showEntry(tree)]] : [],
  );
  return new Map(shown);
});

/** A write changes one entry of many: the others are shown as they were. */
const showEntry = memoiseByObject((tree: Map<string, Tree> | Tree[]): JsonObject => {
  const value = fromTree(tree);
  return Array.isArray(value) ? { permissions: value } : (value as JsonObject);
});

/** The text of an installed license is in the config; "" and absent are the same. */
export function findLicense(config: Tree): string | undefined {
  const text = getMember(getMember(config, "dynamic"), "license");
  return typeof text === "string" && text !== "" ? text : undefined;
}

export function withLicense(config: Tree, license: string | undefined): Tree {
  if (license === undefined || !(config instanceof Map)) return config;
  const dynamic = config.get("dynamic");
  const members = dynamic instanceof Map ? [...dynamic] : [];
  return new Map([...config, ["dynamic", new Map<string, Tree>([...members, ["license", license]])]]);
}
