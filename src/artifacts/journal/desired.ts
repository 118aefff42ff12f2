import { Secret } from "../../json/secret.ts";
import type { Slot } from "../../json/slots.ts";
import type { DesiredState } from "../../model/desired.ts";
import { type Address, createAddress, type Family } from "../../model/names.ts";
import type { SavedDesired } from "../../model/plan-file.ts";
import { fillDesired } from "../saved-plan/desired.ts";

/** Equal to no value of a server: no JSON string that gate-sync writes begins so. */
const unknownText = "\u0000no secret: ";

export interface JournaledDesired {
  readonly desired: DesiredState;
  /** Entries with a secret that is no longer available: they differ from every live value. */
  readonly withoutSecret: ReadonlySet<Address>;
}

/**
 * What was desired once, from where it was written down without its secrets.
 *
 * @param secrets by their references, where they are known again
 */
export function restoreJournaledDesired(
  written: { readonly declared: readonly Family[]; readonly desired: readonly SavedDesired[] },
  secrets: ReadonlyMap<string, Secret> = new Map(),
): JournaledDesired {
  const withoutSecret = new Set<Address>();
  const fill = ({ reference }: Slot, { family, name }: SavedDesired) => {
    const known = secrets.get(reference);
    if (known) return known;
    withoutSecret.add(createAddress(family, name));
    return new Secret(reference, unknownText + reference);
  };
  const desired = fillDesired(written, fill, () => nowhere);
  return { desired, withoutSecret };
}

const nowhere = { path: "journal", line: 1, column: 1 } as const;
