import type { Degradation } from "../apply/ports.ts";
import { findUnloadable } from "../diff/unloadable.ts";
import { readState } from "../live/read.ts";
import { createAddress } from "../model/names.ts";
import type { Operation } from "../model/operation.ts";
import type { ReadPort } from "../model/ports.ts";
import type { DecidedPlan } from "./plan.ts";

/** Why the nodes cannot load what was stored, read from what they were given to load; undefined where nothing is seen. */
export async function findDegraded(
  operation: Operation,
  { plan, detected: { dialect } }: DecidedPlan,
  reader: ReadPort,
): Promise<Degradation | undefined> {
  if (!dialect.canBeUnloadable) return undefined;
  const live = await readState(reader, dialect, { needed: ["roles", "action_groups"], reference: [] });
  const unloadable = findUnloadable(live);
  const [first] = unloadable;
  if (!first) return undefined;
  const later = plan.operations.slice(plan.operations.indexOf(operation) + 1);
  const coming = new Set(later.flatMap(({ family, names }) => names.map((name) => createAddress(family, name))));
  const remediedLater = unloadable.every(({ remedies }) => remedies.some((address) => coming.has(address)));
  const more = unloadable.length > 1 ? ` (and ${unloadable.length - 1} more)` : "";
  const advice = remediedLater
    ? "A later request of this plan ends that"
    : "As long as it is so, every write is stored and takes no effect. Plan with roles and action_groups declared: " +
      "that plan takes it out first";
  return { why: `${first.why}${more}. ${advice}`, remediedLater };
}
