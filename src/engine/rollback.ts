import { join } from "node:path";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { RunError } from "../diagnostics/failure.ts";
import { detect } from "../live/detect/detect.ts";
import { memoiseReads } from "../live/memo.ts";
import { readState } from "../live/read.ts";
import { createGit } from "../load/git.ts";
import { listTrackedBelow } from "../load/tracked.ts";
import type { Backup } from "../model/backup.ts";
import { families as allFamilies, type Family, isResourceFamily } from "../model/names.ts";
import type { TargetSummary } from "../model/plan.ts";
import type { Policies } from "../model/policy.ts";
import type { ReadPort } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import { findBackup } from "../store/backup.ts";
import { type DecidedPlan, decidePlan, nothingSent, type PlanRequest } from "./decide.ts";
import { evaluateChanges } from "./evaluate.ts";
import { openTarget, stopAtErrors } from "./open.ts";
import { withHiddenTexts } from "./records/kept-secrets.ts";
import { openBackup } from "./records/open-backup.ts";
import { buildReverted } from "./records/reverted.ts";
import { isSameCluster } from "./same-cluster.ts";
import { openReader } from "./source.ts";
import { listFamiliesToRead } from "./wanted.ts";

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
export async function planRollback(
  request: RollbackRequest,
  connect: (target: Target) => ReadPort,
): Promise<DecidedPlan & { readonly backup: Backup }> {
  const opened = await openTarget(request);
  const tracked = await listTrackedBelow(createGit(request.env), join(request.stateDir, "backups"));
  const backup = narrowed(await findBackup(request.stateDir, opened.name, request.backup, tracked), request.families);
  const target = { ...opened, families: whatItMade(opened.families) };
  const files = await openBackup(backup, target, request);

  const { reader, summary } = await openReader(target, { connect }, request.cwd);
  try {
    const asked = memoiseReads(reader);
    const families = backup.manifest.families.filter(isResourceFamily);
    const detected = await detect(asked, target, families);
    refuseUnlessSame(backup, { ...summary, server: detected.server });
    const { desired, diagnostics, references } = evaluateChanges(
      { repository: files.changed, whole: files.changed },
      detected.dialect,
      // What was there is taken back, traps and all.
      { families: target.families },
    );
    const found: readonly Diagnostic[] = [...files.diagnostics, ...diagnostics];
    stopAtErrors(found, nothingSent);

    const wanted = listFamiliesToRead(desired);
    const live = withHiddenTexts(await readState(asked, detected.dialect, wanted), backup.manifest);
    const wish = buildReverted({ desired, live, manifest: backup.manifest, files, policies: target.families });
    const planned = await decidePlan(
      { request, target, summary, detected, desired: wish.desired, live, takesBack: true },
      asked,
      {
        diagnostics: found,
        references,
        secret: () => [...files.secret],
        notes: [`This takes back the run of ${backup.manifest.time}: backup ${backup.name}.`, ...wish.notes],
        referenceOnly: wanted.reference,
        notices: [],
        fileCount: files.changed.fileCount,
      },
    );
    return { ...planned, backup, beside: { policies: target.families, secret: files.secret } };
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
  if (isSameCluster(then, now)) return;
  throw new RunError("usage", {
    what: `The backup ${name} is of another cluster.`,
    why: `It was made of ${explained(then)}, and this is ${explained(now)}. ${nothingSent}`,
    fix: "Name the cluster it was made of with --target or --url, or another backup.",
  });
}

function explained({ url, server: { product, clusterName, clusterUuid } }: Backup["manifest"]["target"]): string {
  const known = [product, clusterName, clusterUuid].filter((word) => word !== undefined);
  return `${url} (${known.join(", ")})`;
}
