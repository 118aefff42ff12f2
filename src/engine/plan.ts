import { type Diagnostic, isError, sortDiagnostics } from "../diagnostics/diagnostic.ts";
import { afterDeletions } from "../diff/after-deletions.ts";
import { diff } from "../diff/diff.ts";
import { configWritable } from "../live/config-writes.ts";
import { type Detected, detect } from "../live/detect/detect.ts";
import { memoised } from "../live/memo.ts";
import { readState } from "../live/read.ts";
import { type Change, isPending } from "../model/change.ts";
import type { DesiredState } from "../model/desired.ts";
import type { LiveState } from "../model/live.ts";
import { type Address, isResourceFamily, type ResourceFamily } from "../model/names.ts";
import type { Plan } from "../model/plan.ts";
import type { Target } from "../model/target.ts";
import { fingerprintOf } from "../plan/fingerprint.ts";
import { planChanges } from "../plan/plan.ts";
import { wireContext } from "../plan/wire.ts";
import { validateValues } from "../validate/values.ts";
import { validateWrites } from "../validate/writes.ts";
import { secretsAtStake } from "./at-stake.ts";
import { judge, offlineDialect } from "./judge.ts";
import { openRepository, openTarget, stopAtErrors } from "./open.ts";
import { planKey } from "./plan-key.ts";
import type { Request } from "./request.ts";
import { openReader, type Source, unverified } from "./source.ts";
import { declaredFamilies, whatToRead } from "./wanted.ts";

export interface PlanRequest extends Request {
  /** Guards lifted for this run: `deletions`, `deletions=roles`. */
  readonly allowed: readonly string[];
  /** Families whose PATCH the server was found to refuse in this run. */
  readonly withoutPatch?: ReadonlySet<ResourceFamily>;
}

/** A plan and what it was made from; `apply` needs the rest of it. */
export interface Planned {
  readonly plan: Plan;
  readonly target: Target;
  readonly desired: DesiredState;
  readonly detected: Detected;
  readonly diagnostics: readonly Diagnostic[];
  readonly notices: readonly string[];
  readonly fileCount: number;
  /** Decided for these addresses alone; absent: for all of the declared families. */
  readonly only?: ReadonlySet<Address>;
}

const nobodyAsked = "No server was asked.";
const nothingSent = "Nothing on the server was changed.";

/** What would change on the target, and by which requests. Nothing is written: the way to the server can only read. */
export async function plan(request: PlanRequest, source: Source): Promise<Planned> {
  const target = await openTarget(request);
  const opened = await openRepository(target, request, "resolve");
  const { repository, diagnostics: shape } = opened;
  if (shape.some(isError)) stopAtErrors([...shape, ...validateValues(repository, offlineDialect(target))], nobodyAsked);

  const { reader, stated, summary } = await openReader(target, source, request.cwd);
  try {
    const asked = memoised(reader);
    const detected = await detect(asked, stated, declaredFamilies(repository).filter(isResourceFamily));
    const { desired, diagnostics: found, references } = judge(opened, detected.dialect, target);
    if (found.some(isError)) stopAtErrors([...shape, ...found, ...references()], nothingSent);

    const wanted = whatToRead(desired);
    const live = await readState(asked, detected.dialect, wanted);
    const changes = diff(desired, live, target.families);
    const together = references(afterDeletions(live, changes));
    const writes = { changes, desired, live, dialect: detected.dialect };
    const diagnostics = [...shape, ...found, ...together, ...validateWrites(writes)];
    stopAtErrors(diagnostics, nothingSent);

    const wire = wireContext(detected.dialect, detected.server, live.paths, request.withoutPatch ?? new Set());
    const writable = hasConfigChange(changes) ? await configWritable(asked, detected.dialect) : undefined;
    const planned = planChanges({
      changes,
      live: summary.snapshot ? neverWritten(live) : live,
      policies: target.families,
      allowed: request.allowed,
      wire,
      configWritable: writable,
    });
    const summarised = { ...summary, server: detected.server };
    const secrets = secretsAtStake(changes, desired);
    return {
      plan: {
        target: summarised,
        changes,
        ...planned,
        fingerprint: fingerprintOf({ target: summarised, ...planned }, secrets, planKey(request)),
        notes: [...unverified(target), ...nothingDeclared(desired, request), ...detected.notes, ...planned.notes],
        referenceOnly: wanted.reference.filter((family) => family in detected.dialect.collections),
      },
      target,
      desired,
      detected,
      diagnostics: sortDiagnostics(diagnostics),
      notices: repository.notices,
      fileCount: repository.fileCount,
    };
  } finally {
    await reader.close();
  }
}

/** A snapshot shows asterisks for secrets, and a plan against it writes nothing: no reason to refuse it. */
function neverWritten({ config, ...live }: LiveState): LiveState {
  return { ...live, ...(config && { config: { document: config.document } }) };
}

function hasConfigChange(changes: readonly Change[]): boolean {
  return changes.some((change) => change.family === "config" && isPending(change));
}

/** Else a repository that lost its files would be called in sync, and nobody would wonder. */
function nothingDeclared(desired: DesiredState, { families }: Request): readonly string[] {
  if (desired.resources.size > 0 || desired.config || desired.license) return [];
  return [`The files declare ${families ? `nothing of ${families.join(", ")}` : "nothing"}: no family was compared.`];
}
