import type { JsonObject } from "../../json/value.ts";
import type { ResourceFamily } from "../../model/names.ts";
import type { Tree } from "../tree.ts";

/** As the server stores them; never changed in place. A value may be null, or (6.x) a bare list. */
export type RealEntries = ReadonlyMap<string, Tree>;

export interface RealState {
  readonly families: Readonly<Record<ResourceFamily, RealEntries>>;
  /** The value under the key of the config: `{dynamic: {...}}`. */
  readonly config: Tree;
  readonly internalUsers?: ReadonlyMap<string, JsonObject>;
}

export function withFamily(state: RealState, family: ResourceFamily, entries: RealEntries): RealState {
  return { ...state, families: { ...state.families, [family]: entries } };
}
