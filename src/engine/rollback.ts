import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { RunError } from "../diagnostics/failure.ts";
import { digest } from "../json/canonical.ts";
import { equal, type Fields } from "../json/value.ts";
import { detect } from "../live/detect/detect.ts";
import { memoised } from "../live/memo.ts";
import { readState } from "../live/read.ts";
import type { BackedUpChange, Backup } from "../model/backup.ts";
import type { DesiredFamily, DesiredResource, DesiredState } from "../model/desired.ts";
import type { LiveFamily, LiveState } from "../model/live.ts";
import { addressOf, families as allFamilies, type Family, isResourceFamily } from "../model/names.ts";
import type { ServerIdentity, TargetSummary } from "../model/plan.ts";
import type { Policies } from "../model/policy.ts";
import type { ReadPort } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import { holdsSecret } from "../render/secrets.ts";
import { findBackup } from "../store/backup.ts";
import { dynamicOf } from "./backup.ts";
import { decide, nothingSent, type Planned, type PlanRequest } from "./decide.ts";
import { judge } from "./judge.ts";
import { withKeptSecrets } from "./kept-secrets.ts";
import { openTarget, stopAtErrors } from "./open.ts";
import { type OpenBackup, openBackup } from "./open-backup.ts";
import { openReader } from "./source.ts";
import { whatToRead } from "./wanted.ts";

export interface RollbackRequest extends PlanRequest {
  /** Absolute. */
  readonly stateDir: string;
  /** Its name; absent: the newest of the target. */
  readonly backup?: string;
}

/**
 * The plan that takes one run back: what the run was about to change becomes again what its backup holds; everything
 * else stays, whoever made it. Nothing is written.
 */
export async function rollback(
  request: RollbackRequest,
  connect: (target: Target) => ReadPort,
): Promise<Planned & { readonly backup: Backup }> {
  const opened = await openTarget(request);
  const backup = narrowed(await findBackup(request.stateDir, opened.name, request.backup), request.families);
  const target = { ...opened, families: whatItMade(opened.families) };
  const files = await openBackup(backup, target, request);

  const { reader, summary } = await openReader(target, { connect }, request.cwd);
  try {
    const asked = memoised(reader);
    const families = backup.manifest.families.filter(isResourceFamily);
    const detected = await detect(asked, target, families);
    refuseUnlessSame(backup, { ...summary, server: detected.server });
    const { desired, diagnostics, references } = judge(
      { repository: files.changed, whole: files.changed },
      detected.dialect,
      target,
    );
    const found: readonly Diagnostic[] = [...files.diagnostics, ...diagnostics];
    stopAtErrors(found, nothingSent);

    const wanted = whatToRead(desired);
    const live = await readState(asked, detected.dialect, wanted);
    const wish = wishFor(desired, live, backup, files);
    const planned = await decide({ request, target, summary, detected, desired: wish.desired, live }, asked, {
      diagnostics: found,
      references,
      notes: [`This takes back the run of ${backup.manifest.time}: backup ${backup.name}.`, ...wish.notes],
      referenceOnly: wanted.reference,
      notices: [],
      fileCount: files.changed.fileCount,
    });
    return { ...planned, backup };
  } finally {
    await reader.close();
  }
}

function narrowed(backup: Backup, families: readonly Family[] = allFamilies): Backup {
  const { manifest } = backup;
  const hasConfig = families.includes("config");
  return {
    ...backup,
    manifest: {
      ...manifest,
      families: manifest.families.filter((family) => families.includes(family)),
      changes: manifest.changes.filter(({ family }) => families.includes(family)),
      config_children: hasConfig ? manifest.config_children : [],
      secrets_replaced: hasConfig ? manifest.secrets_replaced : [],
    },
  };
}

/** Where nothing is deleted by a plan, what the run made has to go all the same. */
function whatItMade(policies: Policies): Policies {
  return Object.fromEntries(
    Object.entries(policies).map(([family, policy]) => [
      family,
      policy.mode === "adopt" ? { ...policy, mode: "manage" } : policy,
    ]),
  );
}

function refuseUnlessSame({ name, manifest }: Backup, now: TargetSummary): void {
  const then = manifest.target;
  if (then.server.product === now.server.product && isSame(then.server, now.server, then.url === now.url)) return;
  throw new RunError("invalid", {
    what: `The backup ${name} is of another cluster.`,
    why: `It was made of ${told(then)}, and this is ${told(now)}. ${nothingSent}`,
    fix: "Name the cluster it was made of with --target or --url, or another backup.",
  });
}

/** A cluster that does not tell its id is known by its address. */
function isSame(then: ServerIdentity, now: ServerIdentity, sameUrl: boolean): boolean {
  if (then.clusterUuid === undefined || now.clusterUuid === undefined) return sameUrl;
  return then.clusterUuid === now.clusterUuid;
}

function told({ url, server: { product, clusterName, clusterUuid } }: Backup["manifest"]["target"]): string {
  const known = [product, clusterName, clusterUuid].filter((word) => word !== undefined);
  return `${url} (${known.join(", ")})`;
}

/** What is wanted of all that is read, and what has to be said about it. */
function wishFor(desired: DesiredState, live: LiveState, { manifest }: Backup, files: OpenBackup) {
  const { changes } = manifest;
  const lost = changes.filter((change) => holdsSecret(backedUpValue(change, desired) ?? {}));
  const ours = changes.filter((change) => !lost.includes(change));
  const resources = [...desired.resources].map(([family, entries]) => {
    const names = new Set(ours.filter((change) => change.family === family).map(({ name }) => name));
    return [family, withTheRest(entries, live.resources.get(family) ?? new Map(), names, files)] as const;
  });
  const config =
    desired.config &&
    wantedConfig(dynamicOf(desired.config.value), dynamicOf(live.config?.document), manifest.config_children);
  const made = ours.filter((change) => isMadeAnew(change, desired, live));
  return {
    desired: {
      resources: new Map(resources),
      ...(desired.config &&
        config && { config: { ...desired.config, native: false, value: { dynamic: config.children } } }),
    },
    notes: [
      ...cannot(
        lost.map(({ family, name }) => addressOf(family, name)),
        "the backup leaves its secret out",
      ),
      ...cannot(config?.lost ?? [], "its secret is gone from the server. Put it back from the repository"),
      ...cannot(changes.some(({ family }) => family === "license") ? ["license"] : [], "servers never show its text"),
      ...(desired.config && manifest.secrets_replaced.length > 0
        ? [`Secrets that the run replaced stay as they are now: ${manifest.secrets_replaced.join(", ")}.`]
        : []),
      ...made.flatMap(({ family, name, unknown_fields = [] }) =>
        unknown_fields.length === 0
          ? []
          : [
              `${addressOf(family, name)} comes back without ${unknown_fields.join(", ")}: the backup leaves out fields that gate-sync does not know.`,
            ],
      ),
      ...movedNote(ours.filter((change) => hasMoved(change, desired, live))),
    ],
  };
}

/** Members of a family that the run did not touch are wanted as they are. */
function withTheRest(
  wanted: DesiredFamily,
  live: LiveFamily,
  ours: ReadonlySet<string>,
  files: OpenBackup,
): DesiredFamily {
  const all = new Map<string, DesiredResource>();
  for (const [name, resource] of wanted) if (ours.has(name)) all.set(name, resource);
  for (const { family, name, value, ownership } of live.values()) {
    const place = files.placeOf(family);
    if (ours.has(name) || ownership !== "open" || !place) continue;
    all.set(name, { family, name, value, origin: place.range, node: place.node, serverOwned: false });
  }
  return all;
}

/** Of the children that the run changed, those that the backup does not have go back to their default. */
function wantedConfig(backedUp: Fields, live: Fields, changed: readonly string[]) {
  const wanted = Object.fromEntries(changed.map((name) => [name, backedUp[name] ?? null]));
  return withKeptSecrets(wanted, live);
}

function backedUpValue({ family, name }: BackedUpChange, { resources }: DesiredState): Fields | undefined {
  return isResourceFamily(family) ? resources.get(family)?.get(name)?.value : undefined;
}

function liveValue({ family, name }: BackedUpChange, { resources }: LiveState): Fields | undefined {
  return isResourceFamily(family) ? resources.get(family)?.get(name)?.value : undefined;
}

function isMadeAnew(change: BackedUpChange, desired: DesiredState, live: LiveState): boolean {
  return backedUpValue(change, desired) !== undefined && liveValue(change, live) === undefined;
}

/** Neither as it was before the run nor as the run left it. */
function hasMoved(change: BackedUpChange, desired: DesiredState, live: LiveState): boolean {
  if (!isResourceFamily(change.family)) return false;
  const [before, now] = [backedUpValue(change, desired), liveValue(change, live)];
  if (equal(before, now)) return false;
  if (change.action === "delete") return now !== undefined;
  if (change.after === undefined) return false;
  return now === undefined || digest(now) !== change.after;
}

function movedNote(moved: readonly BackedUpChange[]): readonly string[] {
  if (moved.length === 0) return [];
  const addresses = moved.map(({ family, name }) => addressOf(family, name)).join(", ");
  return [`Changed since by somebody else, and taken back all the same: ${addresses}.`];
}

function cannot(addresses: readonly string[], why: string): readonly string[] {
  return addresses.map((address) => `${address} cannot be restored: ${why}.`);
}
