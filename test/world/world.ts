import type { JsonObject } from "../../src/json/value.ts";
import type { ResourceFamily } from "../../src/model/names.ts";
import type { WireState } from "../support/strict-server.ts";

/** A repository and a server, and what has to become of every resource that either has. */
export interface World {
  /** Says how to make this very world again; belongs into the message of a failing test. */
  readonly seed: string;
  readonly desired: DesiredWorld;
  /** In the form of collection GETs; can be handed to a server. */
  readonly live: WireState;
  /** Name patterns that somebody else owns, the same for every family. */
  readonly exclude: readonly string[];
  readonly expected: ReadonlyMap<ResourceFamily, ReadonlyMap<string, Expected>>;
  /** Absent where the config is not declared. */
  readonly expectedConfig?: "update" | "in-sync";
  /** Decides how the files are laid out; no meaning. */
  readonly layout: string;
}

/** As a state file has it: names to fields in the spelling of 7.x. A family that is absent is not declared. */
export interface DesiredWorld {
  readonly resources: ReadonlyMap<ResourceFamily, ReadonlyMap<string, JsonObject>>;
  readonly config?: JsonObject;
}

/** Decided when the world was made, not by comparing: a witness independent of the product. */
export type Expected =
  | "create"
  | "update"
  | "delete"
  | "in-sync"
  | "reserved" // live and the server's own; where it is declared at all, then the same
  | "static"
  | "hidden" // live, and no GET shows it
  | "unmanaged" // live only, of a family that is not declared or excluded by its name
  | "conflict"; // declared otherwise than a reserved or static one is: an error before anything is sent

export const writing: ReadonlySet<Expected> = new Set(["create", "update", "delete"]);

/** How many resources of a family have this fate; of all families when none is named. */
export function count(world: World, fate: Expected, family?: ResourceFamily): number {
  const families = family === undefined ? [...world.expected.keys()] : [family];
  return families
    .flatMap((each) => [...(world.expected.get(each)?.values() ?? [])])
    .filter((expected) => expected === fate).length;
}

/** The resource families in which anything has to be written. */
export function changedFamilies(world: World): ResourceFamily[] {
  return [...world.expected]
    .filter(([, fates]) => [...fates.values()].some((fate) => writing.has(fate)))
    .map(([f]) => f);
}

/** The families whose deletions are refused until allowed: more than 25, or 20 % and at least 3, or declared empty. */
export function refusedDeletions(world: World): ResourceFamily[] {
  return changedFamilies(world).filter((family) => {
    const deleted = count(world, "delete", family);
    const deletable = deleted + count(world, "update", family) + count(world, "in-sync", family);
    const emptied = world.desired.resources.get(family)?.size === 0;
    return deleted > 25 || (deleted >= 3 && deleted > deletable * 0.2) || (emptied && deleted > 0);
  });
}
