import { type BackupPlace, findBackup } from "../../artifacts/backup/file.ts";
import { findRunOfBackup } from "../../artifacts/journal/file.ts";
import { diffResources } from "../../diff/diff.ts";
import { getNoun } from "../../families/index.ts";
import { holdsSecret } from "../../json/value.ts";
import type { Backup, Manifest } from "../../model/backup.ts";
import { isPending } from "../../model/change.ts";
import type { DesiredState } from "../../model/desired.ts";
import type { LiveState } from "../../model/live.ts";
import {
  type Address,
  families as allFamilies,
  createAddress,
  type Family,
  isResourceFamily,
} from "../../model/names.ts";
import type { Policies } from "../../model/policy.ts";
import { normalise } from "../../normalise/desired.ts";
import { openTarget } from "../open.ts";
import { openBackup, refuseUnlessBackupOf } from "../open-backup.ts";
import type { RunRequest } from "../request.ts";
import type { Source } from "../source.ts";
import { type OpenAccess, openHeld } from "./open.ts";

interface BackedUp {
  readonly now: OpenAccess;
  readonly earlier: OpenAccess;
  /** `backup NAME (before the apply of TIME, run ID)` */
  readonly title: string;
  /** What of then is taken as it is now, in sentences. */
  readonly asNow: readonly string[];
}

/** What a server holds, and what it held before the run that a backup was made for. */
export async function openBackedUp(request: RunRequest, source: Source, place: BackupPlace): Promise<BackedUp> {
  const target = await openTarget(request);
  const backup = await findBackup(place.stateDir, target.name, place.name, request.env);
  const { manifest } = backup;
  const { whole } = await openBackup(backup, target, request);
  const { held: live, createModel, summary, ...access } = await openHeld(target, request, source);
  refuseUnlessBackupOf(summary, backup, "Nothing was compared.");
  const { desired } = normalise(whole, access.dialect, target.families);
  const secret = listSecretEntries(desired, manifest).filter((address) => isReadable(address, live));
  return {
    now: { ...access, model: createModel(live) },
    earlier: {
      ...access,
      model: createModel(putBack(live, desired, target.families, new Set(secret))),
      basis: `Then: what is there now, with what the backup holds: ${formatFamilies(manifest.families)}.`,
      missing: { names: [], because: "unread" },
    },
    title: await formatTitle(backup, place, request.env),
    asNow: [
      `Not in the backup, so taken as it is now: ${listAbsent(live, manifest).join(", ")}.`,
      ...(secret.length === 0 ? [] : [`Secret in the backup, so taken as it is now: ${secret.join(", ")}.`]),
      ...listLostFields(live, manifest),
    ],
  };
}

async function formatTitle({ name, manifest: { time } }: Backup, { stateDir }: BackupPlace, env: RunRequest["env"]) {
  const made = await findRunOfBackup(stateDir, name, env);
  return `backup ${name} (${made ? `before the ${made.command} of ${time}, run ${made.run}` : time})`;
}

/**
 * The live state, in which the backup's families are again what they were: as after a plan that makes them so, which leaves
 * reserved entries, those out of scope, and fields that gate-sync does not know.
 */
function putBack(
  live: LiveState,
  { resources, config }: DesiredState,
  policies: Policies,
  secret: ReadonlySet<Address>,
): LiveState {
  const restored = [...resources].flatMap(([family, backedUp]) => {
    const now = live.resources.get(family);
    if (!now) return [];
    const entries = new Map(now);
    for (const change of diffResources(family, backedUp, now, { ...policies[family], mode: "manage" })) {
      const { name, after } = change;
      if (!isPending(change) || secret.has(createAddress(family, name))) continue;
      if (after) entries.set(name, { family, name, value: after, ownership: "open" });
      else entries.delete(name);
    }
    return [[family, entries] as const];
  });
  return {
    ...live,
    resources: new Map([...live.resources, ...restored]),
    // Access goes by some settings of the config, and a backup has all of these.
    ...(live.config && config && { config: { document: config.value } }),
  };
}

/** Those of which the backup does not say what they were. */
function listSecretEntries({ resources }: DesiredState, { families, secret = [] }: Manifest): readonly Address[] {
  const entries = [...resources.values()].flatMap((family) => [...family.values()]);
  const known = new Set(entries.map(({ family, name }) => createAddress(family, name)));
  return [
    ...entries.filter(({ value }) => holdsSecret(value)).map(({ family, name }) => createAddress(family, name)),
    ...secret.filter((address) => !known.has(address) && families.some((family) => address.startsWith(`${family}/`))),
  ];
}

function isReadable(address: Address, { resources }: LiveState): boolean {
  return [...resources.keys()].some((family) => address.startsWith(`${family}/`));
}

function formatFamilies(families: readonly Family[]): string {
  return families.length === 0 ? "nothing" : families.map((family) => getNoun(family, 2)).join(", ");
}

/** What of a server decides of access, and is not in the backup. */
function listAbsent({ resources, config, internalUsers }: LiveState, { families }: Manifest): readonly string[] {
  const isRead = (family: Family) => (isResourceFamily(family) ? resources.has(family) : family === "config" && config);
  return [
    ...allFamilies.filter((family) => isRead(family) && !families.includes(family)).map((family) => getNoun(family, 2)),
    ...(internalUsers?.kind === "known" ? ["internal users"] : []),
    "reserved entries",
    "entries outside the scope of the target",
  ];
}

/** Of entries that are gone: of others, the fields that they have now are taken. */
function listLostFields({ resources }: LiveState, { changes }: Manifest): readonly string[] {
  return changes.flatMap(({ family, name, unknown_fields = [] }) =>
    unknown_fields.length === 0 || !isResourceFamily(family) || resources.get(family)?.has(name)
      ? []
      : [`Not in the backup, so left out: ${unknown_fields.join(", ")} of ${createAddress(family, name)}.`],
  );
}
