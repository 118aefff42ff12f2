import type { Dialect } from "../dialects/dialect.ts";
import { findUnloadable } from "../diff/unloadable.ts";
import { createAddress } from "../model/names.ts";
import type { Operation } from "../model/operation.ts";
import type { Degradation } from "../model/outcome.ts";
import type { ReadPort } from "../model/ports.ts";
import { readState } from "./read.ts";

/** Why the nodes cannot load what was stored, read from what they were given to load; undefined where nothing is seen. */
export async function findDegraded(
  operation: Operation,
  { operations, dialect }: { readonly operations: readonly Operation[]; readonly dialect: Dialect },
  reader: ReadPort,
): Promise<Degradation | undefined> {
  if (!dialect.canBeUnloadable) return undefined;
  const live = await readState(reader, dialect, { needed: ["roles", "action_groups"], reference: [] });
  const unloadable = findUnloadable(live);
  const [first] = unloadable;
  if (!first) return undefined;
  const later = operations.slice(operations.indexOf(operation) + 1);
  const coming = new Set(later.flatMap(({ family, names }) => names.map((name) => createAddress(family, name))));
  const repairedLater = unloadable.every(({ repairs }) => repairs.some((address) => coming.has(address)));
  const more = unloadable.length > 1 ? ` (and ${unloadable.length - 1} more)` : "";
  const advice = repairedLater
    ? "A later request of this plan ends that"
    : "As long as it is so, every write is stored and takes no effect. Plan with roles and action_groups declared: " +
      "that plan takes it out first";
  return { why: `${first.why}${more}. ${advice}`, repairedLater };
}
