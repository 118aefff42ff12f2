import { getPosition, type SourceRange } from "../diagnostics/source.ts";
import { Secret } from "../json/secret.ts";
import { fillSlots, putSecretsInSlots, type Slot, type SlotOptions } from "../json/slots.ts";
import type { Fields, JsonObject } from "../json/value.ts";
import type { DesiredResource, DesiredState } from "../model/desired.ts";
import { type Address, createAddress, type Family, isResourceFamily, type ResourceFamily } from "../model/names.ts";
import type { SavedDesired, SavedOrigin } from "../model/plan-file.ts";
import { getDesiredValue } from "../secrets/changed.ts";
import { hideSecrets } from "../secrets/config-fields.ts";

// Desired values in files: saved plans and journals hold them without their secrets.

/** Undefined where nothing is desired under that name. */
export function encodeDesired(
  { family, name }: { readonly family: Family; readonly name: string },
  desired: DesiredState,
  slots: SlotOptions,
): SavedDesired | undefined {
  const value = getDesiredValue(desired, family, name);
  if (value === undefined) return undefined;
  const writesAlways = family === "license" && desired.license?.writeAlways;
  return {
    family,
    name,
    value: putSecretsInSlots(value, slots) as JsonObject,
    ...(writesAlways && { write_always: true }),
  };
}

export interface DesiredInFile {
  readonly declared: readonly Family[];
  readonly desired: readonly SavedDesired[];
}

/** The desired state again, each slot of a secret filled by what is handed in. */
export function fillDesired(
  { declared, desired }: DesiredInFile,
  fill: (slot: Slot, entry: SavedDesired) => Secret,
  originOf: (address: Address) => SavedOrigin,
): DesiredState {
  const resources = new Map<ResourceFamily, Map<string, DesiredResource>>();
  for (const family of declared) if (isResourceFamily(family)) resources.set(family, new Map());
  let state: Omit<DesiredState, "resources"> = {};
  for (const entry of desired) {
    const { family, name } = entry;
    const value = fillSlots(entry.value, (slot) => fill(slot, entry)) as Fields;
    const origin = decodeOrigin(originOf(createAddress(family, name)));
    const node = { ...origin, kind: "scalar", value: null } as const;
    if (isResourceFamily(family)) {
      const declaredOne = { family, name, value, origin, node, serverOwned: false };
      resources.set(family, (resources.get(family) ?? new Map()).set(name, declaredOne));
    } else if (family === "config") {
      // Asterisks are recognised only where they replace a secret.
      const hidden = { dynamic: hideSecrets(value.dynamic ?? {}, "", "in the state file") };
      state = { ...state, config: { value: hidden, origin, node, native: false } };
    } else if (value.text instanceof Secret) {
      state = { ...state, license: { text: value.text, writeAlways: entry.write_always ?? false, origin } };
    }
  }
  return { resources, ...state };
}

/**
 * The desired state again, to compare with what a server holds now.
 *
 * @param secrets by their references, where they are known
 * @returns `withoutSecret`: entries with a secret that is not known; they differ from every live value
 */
export function restoreComparable(
  written: DesiredInFile,
  secrets: ReadonlyMap<string, Secret> = new Map(),
): { readonly desired: DesiredState; readonly withoutSecret: ReadonlySet<Address> } {
  const withoutSecret = new Set<Address>();
  const fill = ({ reference }: Slot, { family, name }: SavedDesired) => {
    const known = secrets.get(reference);
    if (known) return known;
    withoutSecret.add(createAddress(family, name));
    // Equal to no value of a server: no string that gate-sync writes begins so.
    return new Secret(reference, `\u0000no secret: ${reference}`);
  };
  const desired = fillDesired(written, fill, () => ({ path: "journal", line: 1, column: 1 }));
  return { desired, withoutSecret };
}

export function encodeOrigin({ file, start, generatedFor, overriddenAt }: SourceRange): SavedOrigin {
  return {
    path: file.path,
    ...getPosition(file, start),
    ...(generatedFor && { generated_for: encodeOrigin(generatedFor) }),
    ...(overriddenAt && { overridden_in: overriddenAt.map(encodeOrigin) }),
  };
}

/** The place in a state file that is not read any more. */
export function decodeOrigin({ path, line, column, generated_for, overridden_in }: SavedOrigin): SourceRange {
  return {
    file: { path, text: "", at: { line, column } },
    start: 0,
    end: 0,
    ...(generated_for && { generatedFor: decodeOrigin(generated_for) }),
    ...(overridden_in && { overriddenAt: overridden_in.map(decodeOrigin) }),
  };
}
