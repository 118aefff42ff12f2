import { findBackup } from "../artifacts/backup/file.ts";
import { withHiddenStrings } from "../artifacts/backup/kept-secrets.ts";
import { buildReverted } from "../artifacts/backup/reverted.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { RunError } from "../diagnostics/failure.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { getCredentials } from "../families/credentials.ts";
import { Secret } from "../json/secret.ts";
import { detect } from "../live/detect/detect.ts";
import { memoiseReads } from "../live/memo.ts";
import { readState } from "../live/read.ts";
import { listFamiliesToRead } from "../live/wanted.ts";
import type { Expectations } from "../model/access-test.ts";
import type { Backup } from "../model/backup.ts";
import type { DesiredState } from "../model/desired.ts";
import type { LiveState } from "../model/live.ts";
import { families as allFamilies, createAddress, type Family, isResourceFamily } from "../model/names.ts";
import { getMode, type Policies } from "../model/policy.ts";
import type { ReadPort } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import type { DecidedPlan } from "../plan/decided-plan.ts";
import { formatPlace } from "../render/views/place.ts";
import { nothingSent, openRepository, openTarget, stopAtErrors } from "./open.ts";
import { openBackup, refuseUnlessBackupOf } from "./open-backup.ts";
import { checkFiles } from "./pipeline/checked-files.ts";
import type { PlanRequest } from "./pipeline/context.ts";
import { decidePlan } from "./pipeline/decide.ts";
import { openReader } from "./source.ts";

export interface RollbackRequest extends PlanRequest {
  /** Absolute. */
  readonly stateDir: string;
  /** Its name; absent: the newest of the target. */
  readonly backup?: string;
}

/**
 * The plan that reverts one run: what the run was about to change becomes again what its backup holds; everything
 * else stays. Nothing is written.
 */
export async function planRollback(
  request: RollbackRequest,
  connect: (target: Target) => ReadPort,
): Promise<DecidedPlan & { readonly backup: Backup }> {
  const target = await openTarget(request);
  const policies = withDeletions(target.families);
  const { stateDir, env, families } = request;
  const backup = narrowed(await findBackup(stateDir, target.name, request.backup, env), families);
  const state = await openBackup(backup, target, request);

  const { reader, summary } = await openReader(target, { connect }, request.cwd);
  try {
    const asked = memoiseReads(reader);
    const detected = await detect(asked, target, backup.manifest.families.filter(isResourceFamily));
    refuseUnlessBackupOf({ ...summary, server: detected.server }, backup, nothingSent);
    const files = checkFiles(
      { repository: state.changed, whole: state.changed },
      detected.dialect,
      // Without the target's lint settings: what was there is restored as it was.
      { families: policies },
    );
    const diagnostics: readonly Diagnostic[] = [...state.diagnostics, ...files.diagnostics];
    stopAtErrors(diagnostics, nothingSent);

    const wanted = listFamiliesToRead(files.desired, policies);
    const live = withHiddenStrings(await readState(asked, detected.dialect, wanted), backup.manifest);
    const { expected, declared, notes: aboutFiles } = await openFilesOfToday(target, request, detected.dialect);
    const { desired, notes, unrestored, undone } = buildReverted({
      desired: files.desired,
      live,
      manifest: backup.manifest,
      placeOf: state.placeOf,
      policies,
    });
    const planned = await decidePlan({
      request,
      target,
      summary,
      detected,
      reader: asked,
      desired,
      declared: desired,
      live,
      policies,
      isRollback: true,
      undone,
      unrestored,
      files,
      ...(expected && { expected }),
      secretEntries: state.secret,
      diagnostics,
      notes: [
        `This undoes the run of ${backup.manifest.time}: backup ${backup.name}.`,
        ...notes,
        ...listPasswordNotes(backup, live, declared, policies),
        ...aboutFiles,
      ],
      referenceOnly: wanted.reference.filter((family) => !desired.resources.has(family)),
      notices: [],
      fileCount: state.changed.fileCount,
    });
    return { ...planned, backup };
  } finally {
    await reader.close();
  }
}

interface FilesOfToday {
  readonly expected?: Expectations;
  /** Absent where they cannot be read. */
  readonly declared?: DesiredState;
  readonly notes: readonly string[];
}

/** Files that cannot be read must not stop a rollback. */
async function openFilesOfToday(target: Target, request: RollbackRequest, dialect: Dialect): Promise<FilesOfToday> {
  if (target.state.length === 0) return { notes: [] };
  try {
    const { whole, diagnostics } = await openRepository(target, request, "leave");
    const files = checkFiles({ repository: whole, whole }, dialect, target);
    stopAtErrors([...diagnostics, ...files.diagnostics], nothingSent);
    return { expected: { tests: files.tests, personas: files.personas }, declared: files.declared, notes: [] };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return { notes: ["Access tests are not checked: the state files have errors, which gate-sync validate shows."] };
  }
}

/** Of each user that the rollback deletes, or cannot create again: whether the files of today have its password. */
function listPasswordNotes(
  { manifest }: Backup,
  live: LiveState,
  declared: DesiredState | undefined,
  policies: Policies,
): readonly string[] {
  const isThere = (name: string) => live.resources.get("internal_users")?.has(name) === true;
  const users = manifest.changes.filter(
    ({ family, name, action }) => family === "internal_users" && (action === "create") === isThere(name),
  );
  return users.map(({ family, name }) => {
    const address = createAddress(family, name);
    if (getMode(family, policies) === "observe")
      return `${address} stays as it is: internal users are only compared. To undo it, state families.internal_users.mode in gate-sync.yaml.`;
    if (!declared)
      return `Whether the password of ${address} can be written again is unknown: no state files can be read.`;
    const user = declared.resources.get("internal_users")?.get(name);
    const [secret] = Object.values(user ? getCredentials(user.value) : {});
    return user && secret instanceof Secret
      ? `The password of ${address} can be written again: gate-sync apply creates the user with ${secret.reference} (${formatPlace(user)}).`
      : `The password of ${address} cannot be written again: no state file has it, and no server shows it.`;
  });
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
      secrets_replaced: manifest.secrets_replaced.filter((place) =>
        place.includes("internal_users/") ? families.includes("internal_users") : hasConfig,
      ),
    },
  };
}

/** What the run created is deleted, where a plan of the files deletes nothing, too (`mode: adopt`). */
function withDeletions(policies: Policies): Policies {
  return Object.fromEntries(
    Object.entries(policies).map(([family, policy]) => [
      family,
      policy.mode === "adopt" ? { ...policy, mode: "manage" } : policy,
    ]),
  );
}
