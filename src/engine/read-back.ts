import type { HeldEntry } from "../apply/ports.ts";
import { diff } from "../diff/diff.ts";
import { withoutCredentials, writesCredentials } from "../families/credentials.ts";
import { isEqual } from "../json/value.ts";
import { differs } from "../json/witness.ts";
import { readState } from "../live/read.ts";
import { type Change, isPending } from "../model/change.ts";
import type { DesiredState } from "../model/desired.ts";
import { createAddress, type Family } from "../model/names.ts";
import type { Operation } from "../model/operation.ts";
import type { ReadPort } from "../model/ports.ts";
import type { DecidedPlan } from "../plan/decided-plan.ts";
import { compareHashes } from "./compared-hashes.ts";

/** What the server now holds of an operation's changes: read again, and decided by the same differ as the plan. */
export async function look(operation: Operation, planned: DecidedPlan, reader: ReadPort): Promise<HeldEntry> {
  const { family } = operation;
  const names = new Set(operation.names);
  const desired = withoutAlways(planned.desired);
  const changes = await changesNow([family], { ...planned, desired }, reader);
  const now = new Map(changes.filter(({ name }) => names.has(name)).map((change) => [change.name, change]));
  // Whether a license is the installed one is often unknown: then it is unknown whether the server took it.
  if ([...now.values()].some(({ reason }) => reason === "unknown")) return "unknown";
  // Where several requests make a change, the entry has an intermediate value between them.
  const isMade = (name: string): boolean => {
    const { to } = operation.intermediate?.get(name) ?? {};
    return to ? isEqual(to, now.get(name)?.before) : !isPending(now.get(name) ?? gone);
  };
  const rotated = planned.plan.changes.filter(
    (change) =>
      change.family === family && names.has(change.name) && change.action === "update" && writesCredentials(change),
  );
  if (operation.names.every(isMade)) {
    return (await areRotated(rotated, planned, reader)) ? "as-desired" : "unknown";
  }
  const before = planned.plan.changes.filter((change) => change.family === family && names.has(change.name));
  const moved = before.filter(({ name, before: was }) => {
    return !isEqual(operation.intermediate?.get(name)?.from ?? was, now.get(name)?.before);
  });
  if (moved.length === 0) return "as-before";
  const foreign = moved.filter(({ name }) => !isMade(name));
  return { moved: (foreign.length > 0 ? foreign : moved).map(({ name }) => createAddress(family, name)) };
}

/** Whether hashes are known to be written; a password is known by none. */
async function areRotated(
  rotated: readonly Change[],
  { target, detected: { dialect }, desired, live }: DecidedPlan,
  reader: ReadPort,
): Promise<boolean> {
  if (rotated.length === 0) return true;
  const { same } = await compareHashes(target, { reader, dialect }, desired, live);
  return rotated.every(({ name }) => same.has(name));
}

/** Deleted, as was wished: the differ has nothing to say of it. */
const gone = { action: "leave" } as const;

/**
 * Reads every changed family again and names what still differs, in two ways that share no code: by the differ, and
 * by deep-diff of what the server holds and what was to be written.
 */
export async function findStillDiffering(
  operations: readonly Operation[],
  planned: DecidedPlan,
  reader: ReadPort,
): Promise<readonly string[]> {
  const families = [...new Set(operations.map(({ family }) => family))];
  const written = new Set(operations.flatMap(({ family, names }) => names.map((name) => createAddress(family, name))));
  const now = await changesNow(families, { ...planned, desired: withoutAlways(planned.desired) }, reader);
  return now
    .filter((change) => {
      const address = createAddress(change.family, change.name);
      return (
        isPending(change) ||
        (written.has(address) &&
          isManaged(change) &&
          differs(change.before ?? {}, withoutCredentials(change.family, change.after ?? {})))
      );
    })
    .map(({ family, name }) => createAddress(family, name));
}

/** A license that is written whatever the server holds would look as if it were never written. */
function withoutAlways({ license, ...desired }: DesiredState): DesiredState {
  return { ...desired, ...(license && { license: { ...license, writeAlways: false } }) };
}

/** A deleted resource is gone; one that was created meanwhile has no desired value to differ from. */
function isManaged({ before, after }: Change): boolean {
  return before !== undefined && after !== undefined;
}

async function changesNow(
  families: readonly Family[],
  { desired, detected, policies, only: addresses }: DecidedPlan,
  reader: ReadPort,
): Promise<readonly Change[]> {
  const live = await readState(reader, detected.dialect, { needed: families, reference: [] });
  const changes = diff(ofFamilies(families, desired), live, policies);
  return addresses ? changes.filter(({ family, name }) => addresses.has(createAddress(family, name))) : changes;
}

function ofFamilies(families: readonly Family[], { resources, config, license }: DesiredState): DesiredState {
  return {
    resources: new Map([...resources].filter(([family]) => families.includes(family))),
    ...(config && families.includes("config") && { config }),
    ...(license && families.includes("license") && { license }),
  };
}
