import type { Held } from "../apply/perform.ts";
import { diff } from "../diff/diff.ts";
import { equal } from "../json/value.ts";
import { differs } from "../json/witness.ts";
import { readState } from "../live/read.ts";
import { type Change, isPending } from "../model/change.ts";
import type { DesiredState } from "../model/desired.ts";
import { addressOf, type Family } from "../model/names.ts";
import type { Operation } from "../model/operation.ts";
import type { ReadPort } from "../model/ports.ts";
import type { Planned } from "./plan.ts";

/** What the server now holds of an operation's changes: read again, and decided by the same differ as the plan. */
export async function look(operation: Operation, { plan, ...planned }: Planned, reader: ReadPort): Promise<Held> {
  const now = await changesNow([operation.family], { plan, ...planned }, reader);
  // Whether a license is the one installed often cannot be told: then nobody can say whether it was taken.
  if (operation.family === "license") return now.every(isInSync) ? "as-desired" : "otherwise";
  const open = now.filter((change) => isPending(change) && operation.names.includes(change.name));
  if (open.length === 0) return "as-desired";
  const before = plan.changes.filter(
    ({ family, name }) => family === operation.family && operation.names.includes(name),
  );
  const untouched = before.every((change) =>
    equal(change.before, now.find(({ name }) => name === change.name)?.before),
  );
  return untouched ? "as-before" : "otherwise";
}

/**
 * Reads every changed family again and names what still differs, in two ways that share no code: the differ's own
 * judgement, and deep-diff over what the server holds and what was to be written.
 */
export async function stillDiffering(
  operations: readonly Operation[],
  planned: Planned,
  reader: ReadPort,
): Promise<readonly string[]> {
  const families = [...new Set(operations.map(({ family }) => family))];
  const written = new Set(operations.flatMap(({ family, names }) => names.map((name) => addressOf(family, name))));
  const now = await changesNow(families, { ...planned, desired: withoutAlways(planned.desired) }, reader);
  return now
    .filter((change) => {
      const address = addressOf(change.family, change.name);
      return (
        isPending(change) ||
        (written.has(address) && isManaged(change) && differs(change.before ?? {}, change.after ?? {}))
      );
    })
    .map(({ family, name }) => addressOf(family, name));
}

/** A license that is written whatever the server holds would look as if it were never written. */
function withoutAlways({ license, ...desired }: DesiredState): DesiredState {
  return { ...desired, ...(license && { license: { ...license, writeAlways: false } }) };
}

function isInSync({ reason }: Change): boolean {
  return reason === "in-sync";
}

/** A deleted resource is simply gone; one that somebody else made since has nothing desired to differ from. */
function isManaged({ before, after }: Change): boolean {
  return before !== undefined && after !== undefined;
}

async function changesNow(
  families: readonly Family[],
  { desired, detected, target }: Planned,
  reader: ReadPort,
): Promise<readonly Change[]> {
  const live = await readState(reader, detected.dialect, { needed: families, reference: [] });
  return diff(only(families, desired), live, target.families);
}

function only(families: readonly Family[], { resources, config, license }: DesiredState): DesiredState {
  return {
    resources: new Map([...resources].filter(([family]) => families.includes(family))),
    ...(config && families.includes("config") && { config }),
    ...(license && families.includes("license") && { license }),
  };
}
