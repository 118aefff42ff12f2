import { openMarked } from "../../diff/diff.ts";
import { isInScope } from "../../families/scope.ts";
import { computeDigest } from "../../json/canonical.ts";
import { type Fields, holdsSecret, isEqual } from "../../json/value.ts";
import type { BackedUpChange, Manifest } from "../../model/backup.ts";
import type { DesiredFamily, DesiredResource, DesiredState } from "../../model/desired.ts";
import type { LiveResource, LiveState } from "../../model/live.ts";
import { type Address, createAddress, type Family, isResourceFamily } from "../../model/names.ts";
import type { Policies } from "../../model/policy.ts";
import type { Section } from "../../model/repository.ts";
import { getDynamicConfig } from "./backup.ts";
import { withKeptSecrets } from "./kept-secrets.ts";

/** Where the files of a backup hold a family; undefined where they do not. */
type PlaceOf = (family: Family) => Pick<Section, "range" | "node"> | undefined;

interface RevertInput {
  /** What the state files of the backup declare of what its run was about to change. */
  readonly desired: DesiredState;
  readonly live: LiveState;
  readonly manifest: Manifest;
  readonly placeOf: PlaceOf;
  readonly policies: Policies;
}

/**
 * The desired state of a rollback: what the run changed becomes what it was before; everything else that is read stays as
 * it is now. `notes` say what cannot be restored.
 */
export function buildReverted({ desired, live, manifest, placeOf, policies }: RevertInput): {
  readonly desired: DesiredState;
  readonly notes: readonly string[];
  /** How many of the notes say so. */
  readonly unrestored: number;
  /** What the run created, and nobody changed since. */
  readonly undone: ReadonlySet<Address>;
} {
  const { changes } = manifest;
  const lost = changes.filter((change) => holdsSecret(backedUpValue(change, desired) ?? {}));
  const gone = changes.filter((change) => change.family === "internal_users" && isCreatedAgain(change, desired, live));
  const kept = changes.filter((change) => change.action === "create" && isReserved(change, live));
  const relevant = changes.filter((change) => ![lost, gone, kept].some((some) => some.includes(change)));
  const resources = [...desired.resources].map(([family, entries]) => {
    const names = new Set(relevant.filter((change) => change.family === family).map(({ name }) => name));
    const others = [...(live.resources.get(family)?.values() ?? [])].filter(
      ({ name, ownership }) => !names.has(name) && ownership === "open" && isInScope(policies[family], name),
    );
    return [family, withUntouched(entries, others, names, placeOf(family))] as const;
  });
  const config =
    desired.config &&
    revertConfig(
      getDynamicConfig(desired.config.value),
      getDynamicConfig(live.config?.document),
      manifest.config_children,
    );
  const created = relevant.filter((change) => isCreatedAgain(change, desired, live));
  const unrestored = [
    ...explainLost(lost.map(addressIn), "the backup leaves its secret out"),
    ...explainLost(gone.map(addressIn), "no server shows its password. Declare it in the files and apply"),
    ...explainLost(kept.map(addressIn), "it is marked reserved, and nothing reserved is deleted"),
    ...explainLost(config?.lost ?? [], "its secret is gone from the server. Put it back from the repository"),
    ...explainLost(changes.filter(({ family }) => family === "license").map(addressIn), "servers never show its text"),
  ];
  return {
    desired: {
      resources: new Map(resources),
      ...(desired.config &&
        config && { config: { ...desired.config, native: false, value: { dynamic: config.children } } }),
    },
    unrestored: unrestored.length,
    undone: new Set(changes.filter((change) => isAsCreated(change, live)).map(addressIn)),
    notes: [
      ...unrestored,
      ...replacedNote(manifest),
      ...created.flatMap(incompleteNote),
      ...movedNote(relevant.filter((change) => hasMoved(change, desired, live))),
    ],
  };
}

/** The backed-up entries that the run changed, and the others as the server has them now. */
function withUntouched(
  backedUp: DesiredFamily,
  others: readonly LiveResource[],
  relevant: ReadonlySet<string>,
  place: ReturnType<PlaceOf>,
): DesiredFamily {
  const wanted = [...backedUp].filter(([name]) => relevant.has(name));
  const rest = others.flatMap(({ family, name, value }): [string, DesiredResource][] =>
    place ? [[name, { family, name, value, origin: place.range, node: place.node, serverOwned: false }]] : [],
  );
  return new Map([...wanted, ...rest]);
}

/** A child that the run changed and that the backup does not have gets its default again. */
function revertConfig(backedUp: Fields, live: Fields, changed: readonly string[]) {
  const wanted = Object.fromEntries(
    changed.map((name) => [name, Object.hasOwn(backedUp, name) ? (backedUp[name] ?? null) : null]),
  );
  return withKeptSecrets(wanted, live);
}

function backedUpValue({ family, name }: BackedUpChange, { resources }: DesiredState): Fields | undefined {
  return isResourceFamily(family) ? resources.get(family)?.get(name)?.value : undefined;
}

function liveValue(
  { family, name }: BackedUpChange,
  { resources }: LiveState,
  desired?: DesiredState,
): Fields | undefined {
  if (!isResourceFamily(family)) return undefined;
  return openMarked(resources.get(family)?.get(name), desired?.resources.get(family)?.get(name))?.value;
}

function isReserved({ family, name }: BackedUpChange, { resources }: LiveState): boolean {
  return isResourceFamily(family) && resources.get(family)?.get(name)?.ownership === "reserved";
}

function isAsCreated(change: BackedUpChange, live: LiveState): boolean {
  const now = liveValue(change, live);
  return change.action === "create" && now !== undefined && computeDigest(now) === change.after;
}

function isCreatedAgain(change: BackedUpChange, desired: DesiredState, live: LiveState): boolean {
  return backedUpValue(change, desired) !== undefined && liveValue(change, live) === undefined;
}

/** Others changed it since: it is neither what it was before the run nor what the run, or a part of it, left. */
function hasMoved(change: BackedUpChange, desired: DesiredState, live: LiveState): boolean {
  if (!isResourceFamily(change.family)) return false;
  const [before, now] = [backedUpValue(change, desired), liveValue(change, live, desired)];
  if (isEqual(before, now)) return false;
  if (now && change.intermediate?.includes(computeDigest(now))) return false;
  if (change.action === "delete") return now !== undefined;
  if (change.after === undefined) return false;
  return now === undefined || computeDigest(now) !== change.after;
}

function movedNote(moved: readonly BackedUpChange[]): readonly string[] {
  if (moved.length === 0) return [];
  return [`Changed since by others, and reverted all the same: ${moved.map(addressIn).join(", ")}.`];
}

function replacedNote({ secrets_replaced: places }: Manifest): readonly string[] {
  return places.length === 0 ? [] : [`Secrets that the run replaced stay as they are now: ${places.join(", ")}.`];
}

function incompleteNote(change: BackedUpChange): readonly string[] {
  const { unknown_fields: fields = [] } = change;
  if (fields.length === 0) return [];
  return [
    `${addressIn(change)} comes back without ${fields.join(", ")}: gate-sync does not know such fields, and backs up none.`,
  ];
}

function addressIn({ family, name }: BackedUpChange): Address {
  return createAddress(family, name);
}

function explainLost(addresses: readonly string[], why: string): readonly string[] {
  return addresses.map((address) => `${address} cannot be restored: ${why}.`);
}
