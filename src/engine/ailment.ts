import type { Ailment } from "../apply/ports.ts";
import { poisonIn } from "../diff/poison.ts";
import { readState } from "../live/read.ts";
import { addressOf } from "../model/names.ts";
import type { Operation } from "../model/operation.ts";
import type { ReadPort } from "../model/ports.ts";
import type { Planned } from "./plan.ts";

/** Why the nodes cannot load what was stored, read from what they were given to load; undefined where nothing is seen. */
export async function ailment(
  operation: Operation,
  { plan, detected: { dialect } }: Planned,
  reader: ReadPort,
): Promise<Ailment | undefined> {
  if (!dialect.canBePoisoned) return undefined;
  const live = await readState(reader, dialect, { needed: ["roles", "action_groups"], reference: [] });
  const poison = poisonIn(live);
  const [first] = poison;
  if (!first) return undefined;
  const later = plan.operations.slice(plan.operations.indexOf(operation) + 1);
  const coming = new Set(later.flatMap(({ family, names }) => names.map((name) => addressOf(family, name))));
  const curedLater = poison.every(({ cures }) => cures.some((address) => coming.has(address)));
  const more = poison.length > 1 ? ` (and ${poison.length - 1} more)` : "";
  const advice = curedLater
    ? "A later request of this plan ends that"
    : "As long as it is so, every write is stored and takes no effect. Plan with roles and action_groups declared: " +
      "that plan takes it out first";
  return { why: `${first.why}${more}. ${advice}`, curedLater };
}
