import { type Diagnostic, sortDiagnostics } from "../diagnostics/diagnostic.ts";
import { listLikelyAdminRoles } from "../dialects/caller.ts";
import { applyDeletions } from "../diff/after-deletions.ts";
import { diff } from "../diff/diff.ts";
import { isConfigWritable } from "../live/config-writes.ts";
import type { DetectedServer } from "../live/detect/detect.ts";
import { type Change, isPending } from "../model/change.ts";
import type { DesiredState } from "../model/desired.ts";
import type { LiveState } from "../model/live.ts";
import type { Address, Family, ResourceFamily } from "../model/names.ts";
import type { Plan, TargetSummary } from "../model/plan.ts";
import type { Policies } from "../model/policy.ts";
import type { ReadPort } from "../model/ports.ts";
import type { Since } from "../model/since.ts";
import type { Target } from "../model/target.ts";
import type { Waiver } from "../model/waiver.ts";
import { computeFingerprint } from "../plan/fingerprint.ts";
import type { LoginFacts } from "../plan/guards/guard.ts";
import { planChanges } from "../plan/plan.ts";
import { createWireContext } from "../plan/wire.ts";
import { redactChange } from "../render/secrets.ts";
import { validateWrites } from "../validate/writes.ts";
import { findAnswerPlaces } from "./access/places.ts";
import { explainOrder, findAccessChanges, findConcernedPersonas, touchesAccess } from "./access-changes.ts";
import { findApplyingIdentity } from "./applying-identity.ts";
import { type Expectations, findBrokenTests, findTestedStates } from "./broken-tests.ts";
import { findChangedSecrets } from "./changed-secrets.ts";
import { getToday } from "./clock.ts";
import { withoutSecretsElsewhere } from "./moved-secrets.ts";
import { stopAtErrors } from "./open.ts";
import { planKey } from "./plan-key.ts";
import type { RunRequest } from "./request.ts";
import { describeUnverified } from "./source.ts";

export interface PlanRequest extends RunRequest {
  /** Guards lifted for this run: `RULE`, `RULE=FAMILY` or `RULE=ADDRESS`. */
  readonly allowed: readonly string[];
  /** `YYYY-MM-DD` in UTC, by which waivers expire; absent: by the machine's clock. */
  readonly today?: string;
  /** A commit: the plan then says which families are managed since. */
  readonly base?: string;
  /** The commit that was applied last: the plan then says which families are not managed any more since. */
  readonly appliedRef?: string;
  /** Absolute: whose newest journal says what was managed, where no commit is named; absent: none is asked. */
  readonly stateDir?: string;
  /** What a saved plan managed, in place of a journal; `since` names it. */
  readonly managedBefore?: { readonly families: readonly Family[]; readonly since: string };
  /** Another run makes the requests, often by another identity: lock-out is judged for whom gate-sync.yaml names. */
  readonly onlyPlans?: boolean;
  /** Who gains and who loses is not worked out. */
  readonly withoutAccess?: boolean;
  /** Who gains and who loses is told of each request, too. */
  readonly explainsOrder?: boolean;
  /** Families whose PATCH the server was found to refuse in this run. */
  readonly withoutPatch?: ReadonlySet<ResourceFamily>;
}

/** A plan and what it was made from; `apply` needs the rest of it. */
export interface DecidedPlan {
  readonly plan: Plan;
  readonly target: Target;
  readonly desired: DesiredState;
  readonly live: LiveState;
  readonly detected: DetectedServer;
  readonly diagnostics: readonly Diagnostic[];
  readonly notices: readonly string[];
  readonly fileCount: number;
  /** What is said of families that are not managed any more; among the notes of the plan, too. */
  readonly ceased?: readonly string[];
  /** Of the repository. */
  readonly waivers: readonly Waiver[];
  /** Of the repository, where there is one: its access tests. */
  readonly expected?: Expectations;
  /** Of what the server holds: what the repository keeps secret under this name, in roles that stay as they are, or under another. */
  readonly secret?: ReadonlySet<Address>;
  /** Decided for these addresses alone; absent: for all of the declared families. */
  readonly only?: ReadonlySet<Address>;
  /** Where no state file tells: whose the entries are that stay as they are, and which of these hold a secret of the repository. */
  readonly beside?: { readonly policies: Policies; readonly secret: ReadonlySet<Address> };
}

/** Both sides, known: what is wanted and what is there. */
export interface ComparedStates {
  readonly request: PlanRequest;
  readonly target: Target;
  readonly summary: Omit<TargetSummary, "server">;
  readonly detected: DetectedServer;
  readonly desired: DesiredState;
  readonly live: LiveState;
  /** The wish is that a run had not been: what it made goes for that reason. */
  readonly takesBack?: boolean;
}

/** What was found out on the way there. */
export interface Findings {
  readonly diagnostics: readonly Diagnostic[];
  /** What does not fit together with what the server will hold. */
  readonly references: (live: LiveState) => readonly Diagnostic[];
  /** All that the files declare, where the run is about some families. */
  readonly declared?: DesiredState;
  /** Of the repository; absent where none could stand. */
  readonly waivers?: readonly Waiver[];
  /** Of the repository: its access tests. */
  readonly expected?: Expectations;
  /** What the server holds of which the repository keeps something secret, in roles that the plan does not change, or under another name. */
  readonly secret?: (changes: readonly Change[]) => readonly Address[];
  readonly notes: readonly string[];
  readonly ceased?: readonly string[];
  readonly since?: Since | undefined;
  readonly referenceOnly: readonly ResourceFamily[];
  readonly notices: readonly string[];
  readonly fileCount: number;
  /** Files that were skipped as another program's, fit to be shown. */
  readonly foreignFiles?: readonly string[];
}

const nothingToExplain = "Order: no request of this plan changes who may do what.";

export const nothingSent = "Nothing on the server was changed.";

/** The plan that leads from what is there to what is wanted, wherever the wish comes from: `plan`, `apply`, `rollback`. */
export async function decidePlan(sides: ComparedStates, reader: ReadPort, found: Findings): Promise<DecidedPlan> {
  const { request, target, summary, detected, desired, live } = sides;
  request.watch?.({ step: "comparing" });
  const decided = diff(desired, live, target.families).map(sides.takesBack ? takenBack : (change) => change);
  const secret = new Set(found.secret?.(decided));
  const changes = withoutSecretsElsewhere(decided, secret);
  const together = found.references(applyDeletions(live, changes));
  const { declared = desired } = found;
  const writes = { changes, desired, declared, live, dialect: detected.dialect };
  const diagnostics = [...found.diagnostics, ...together, ...validateWrites(writes)];
  stopAtErrors(diagnostics, nothingSent);

  const wire = createWireContext(
    detected.dialect,
    detected.server,
    live.paths,
    request.withoutPatch ?? new Set(),
    target.maxBodySize,
  );
  const writable = hasConfigChange(changes) ? await isConfigWritable(reader, detected.dialect) : undefined;
  const { dialect } = detected;
  const statePair = await findTestedStates(
    { changes, live, dialect, secret },
    found.expected,
    reader,
    request.withoutAccess,
  );
  const {
    diagnostics: aboutWaivers,
    modelsAfter,
    ...planned
  } = planChanges({
    changes,
    live: summary.snapshot ? neverWritten(live) : live,
    policies: target.families,
    protect: target.protect ?? [],
    login: describeLogin(target),
    applyingIdentity: await findApplyingIdentity(target, {
      changes,
      dialect: detected.dialect,
      reader,
      applies: !request.onlyPlans,
    }),
    lifting: { allowed: request.allowed, waivers: found.waivers, today: request.today ?? getToday() },
    wire,
    configWritable: writable,
    ...(statePair && touchesAccess(changes) && { access: statePair }),
    tested:
      statePair && found.expected && findBrokenTests(found.expected, statePair, dialect, findAnswerPlaces(desired)),
    ordersByAccess: !request.withoutAccess,
    personas: findConcernedPersonas(found.expected?.personas, statePair),
    adminRoles: target.adminRoles ?? listLikelyAdminRoles(dialect),
  });
  const access =
    statePair && touchesAccess(changes) && !request.withoutAccess
      ? findAccessChanges(statePair, changes, found.expected?.personas)
      : undefined;
  const isStill = request.explainsOrder && planned.operations.length > 0 && !touchesAccess(changes);
  request.watch?.({ step: "compared", resources: changes.length });
  const summarised = { ...summary, server: detected.server };
  const secrets = findChangedSecrets(changes, desired);
  const redactedChanges = changes.filter(isPending).map(redactChange);
  return {
    plan: {
      target: summarised,
      changes,
      ...planned,
      ...(access && { access }),
      ...(request.explainsOrder &&
        modelsAfter && { orderExplanation: explainOrder(statePair, modelsAfter, found.expected?.personas) }),
      fingerprint: computeFingerprint(
        { target: summarised, changes: redactedChanges, ...planned, ...(access && { access }) },
        secrets,
        planKey(request),
      ),
      notes: [
        ...describeUnverified(target),
        ...found.notes,
        ...detected.notes,
        ...planned.notes,
        ...unknownFieldNote(changes),
        ...skippedNote(changes, found.foreignFiles),
        ...(isStill ? [nothingToExplain] : []),
      ],
      referenceOnly: found.referenceOnly.filter((family) => family in detected.dialect.collections),
      ...(found.since && { since: found.since }),
    },
    target,
    desired,
    live,
    detected,
    diagnostics: sortDiagnostics([...diagnostics, ...aboutWaivers]),
    notices: found.notices,
    fileCount: found.fileCount,
    ...(found.ceased && { ceased: found.ceased }),
    waivers: found.waivers ?? [],
    ...(found.expected && { expected: found.expected }),
    secret,
  };
}

function unknownFieldNote(changes: readonly Change[]): readonly string[] {
  const count = changes.filter(({ unknown }) => unknown).length;
  if (count === 0) return [];
  const entries = count === 1 ? "1 entry has" : `${count} entries have`;
  return [
    `${entries} fields on the server that gate-sync does not know. They stay as they are; what they grant is unknown. Declare them in the files and name them in accept_fields of the target, or remove them on the server.`,
  ];
}

/** What is deleted might have been declared there. */
function skippedNote(changes: readonly Change[], files: readonly string[] = []): readonly string[] {
  if (files.length === 0 || !changes.some(({ action }) => action === "delete")) return [];
  const names = files.length > 5 ? [...files.slice(0, 5), `${files.length - 5} more`] : files;
  const skipped = files.length === 1 ? "was skipped as a file" : "were skipped as files";
  return [
    `${names.join(", ")} ${skipped} of another program. Check that none of the entries that this plan deletes is declared there.`,
  ];
}

function takenBack(change: Change): Change {
  return change.action === "delete" ? { ...change, reason: "taken-back" } : change;
}

/** How a run logs in, where that is known. */
export function describeLogin({ auth, tls }: Target): LoginFacts | undefined {
  if (auth?.kind === "basic") return "password";
  if (auth?.kind === "bearer") return "token";
  return auth === undefined && (tls?.cert !== undefined || tls?.pkcs12 !== undefined) ? "certificate" : undefined;
}

/** A snapshot shows asterisks for secrets, and a plan against it writes nothing: no reason to refuse it. */
function neverWritten({ config, ...live }: LiveState): LiveState {
  return { ...live, ...(config && { config: { document: config.document } }) };
}

function hasConfigChange(changes: readonly Change[]): boolean {
  return changes.some((change) => change.family === "config" && isPending(change));
}
