import { explainApiKeys } from "../../access/model/api-keys.ts";
import { planKey } from "../../artifacts/plan-key.ts";
import { settableErrors } from "../../diagnostics/catalogue.ts";
import { type Diagnostic, sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import { listLikelyAdminRoles } from "../../dialects/caller.ts";
import { applyDeletions } from "../../diff/diff.ts";
import { writesPassword } from "../../families/credentials.ts";
import { listDistinct } from "../../json/collections.ts";
import { isConfigWritable } from "../../live/config-writes.ts";
import { readPasswordExpression } from "../../live/password-rule.ts";
import type { AccessDifferences } from "../../model/access.ts";
import { type Change, isPending } from "../../model/change.ts";
import type { LiveState } from "../../model/live.ts";
import type { Plan } from "../../model/plan.ts";
import type { Since } from "../../model/since.ts";
import type { DecidedPlan } from "../../plan/decided-plan.ts";
import { computeFingerprint } from "../../plan/fingerprint.ts";
import type { AccessStates, EvaluatedTests } from "../../plan/guards/guard.ts";
import { type PlanInput, type PlannedWrites, planChanges } from "../../plan/plan.ts";
import { createWireContext } from "../../plan/wire.ts";
import { explainUnreadAliases } from "../../questions/asked.ts";
import { findBrokenTests } from "../../questions/broken-tests.ts";
import { findAnswerPlaces } from "../../questions/places.ts";
import { findChangedSecrets } from "../../secrets/changed.ts";
import { redactChange } from "../../secrets/redact.ts";
import { listTargetUrls, validateUserWrites } from "../../validate/user-writes.ts";
import { getToday } from "../clock.ts";
import { nothingSent, stopAtErrors } from "../open.ts";
import type { AgainstBase } from "../protection/against-base.ts";
import { explainOrder, findConcernedPersonas, findRoleSources } from "./access-diff.ts";
import { findAccessStates, touchesAccess } from "./access-states.ts";
import { findAccessDiff, findAgainstBase, findChangeMarks, withLostTests } from "./against.ts";
import { describeLogin, findApplyingIdentity, findPlanningLogin } from "./applying-identity.ts";
import { decideChanges, withRotations } from "./changes.ts";
import { checkReferences, checkTogether, checkWrites } from "./checked-files.ts";
import type { PlanContext } from "./context.ts";
import { refuseMarkedWrites } from "./marked-writes.ts";
import { listPlanNotes } from "./notes.ts";

/**
 * The plan that leads from what is there to what is wanted. Each stage takes the context and what the stages before it
 * found; only stages 3 and 4 ask the server, by GETs. Where something is deleted, stage 1 asks what was applied last.
 *
 * @param against the commit to compare with: what of its files protects this target
 * @throws RunError `invalid` where what the files declare does not fit what the server will hold
 */
export async function decidePlan(context: PlanContext, against: readonly AgainstBase[] = []): Promise<DecidedPlan> {
  const { request, target, detected, reader, live, expected } = context;
  const { dialect } = detected;
  request.watch?.({ step: "comparing" });

  // 1. Which entries to create, update or delete.
  const { changes, secret } = decideChanges(context);

  const deleted = changes.filter(({ action }) => action === "delete");
  const foreign = deleted.length > 0 ? await context.findForeign?.(deleted) : undefined;

  // 2. Does what the files refer to exist once that is done?
  const diagnostics = [
    ...context.diagnostics,
    ...checkChanges(context, changes, await readPasswordRule(context, changes)),
  ];
  stopAtErrors(diagnostics, nothingSent);

  // 3. Who may do what before and after; undefined where neither access nor a test is concerned.
  const asked = withLostTests(expected, against);
  const statePair = await findAccessStates({ changes, live, dialect, secret }, asked, reader, request.withoutAccess);
  const isAccessTouched = touchesAccess(changes);
  const access = isAccessTouched ? statePair : undefined;

  // 4. Who sends the requests, who plans where that is another, and whether the server lets its config be changed.
  const applies = !request.onlyPlans;
  const applyingIdentity = await findApplyingIdentity(target, { changes, dialect, reader, applies });
  const planningLogin =
    applies || context.summary.snapshot ? undefined : await findPlanningLogin(target, { changes, dialect, reader });
  // What asks nothing about foreign deletions only compares.
  if (!request.withoutForeign) await refuseMarkedWrites(context, changes);
  const configWritable = changesConfig(changes) ? await isConfigWritable(reader, dialect) : undefined;

  // 5. By which requests, in which order, and what speaks against sending them.
  const tested = evaluateExpected(context, statePair);
  const bases = against.flatMap((one) => findAgainstBase(one, context, changes, statePair) ?? []);
  const found = {
    changes,
    access,
    tested,
    applyingIdentity,
    planningLogin,
    configWritable,
    foreign: foreign?.entries && foreign,
  };
  const planned = planWrites(context, { ...found, bases: bases.map(({ protections }) => protections) });
  const { diagnostics: aboutWaivers, modelsAfter, ...writes } = planned;

  // 6. Who gains and who loses access: by the plan, and by each of its requests.
  const accessDiff = findAccessDiff(context, { changes, access, personas: expected?.personas });
  const orderExplanation =
    request.explainsOrder && modelsAfter ? explainOrder(access, modelsAfter, expected?.personas) : undefined;
  request.watch?.({ step: "compared", resources: changes.length });

  // 7. The plan, and its fingerprint.
  const notes = listPlanNotes(context, {
    changes,
    writes,
    foreign,
    roleSources: request.withoutAccess ? [] : await findRoleSources(context, changes),
    aboutKeys: statePair && "after" in statePair ? explainApiKeys(statePair.after.state) : [],
    aboutAliases:
      accessDiff && !context.summary.snapshot && statePair && "after" in statePair
        ? explainUnreadAliases(statePair.after.state)
        : [],
    isAccessTouched,
  });
  const marks = findChangeMarks(context, { changes, access: accessDiff }, against);
  const since = {
    ...(bases.length > 0 && { protection: listDistinct(bases.flatMap((one) => one.weakened)) }),
    ...(marks && { marks }),
  };
  const plan = assemblePlan(context, { changes, writes, access: accessDiff, notes, since });
  return {
    ...keepForApply(context),
    plan: orderExplanation ? { ...plan, orderExplanation } : plan,
    diagnostics: sortDiagnostics([...diagnostics, ...aboutWaivers]),
    secret,
    isSecretByAddress: context.secretEntries !== undefined,
  };
}

/** Not the parsed files: they are large, and an apply may take minutes. */
function keepForApply(
  context: PlanContext,
): Omit<DecidedPlan, "plan" | "diagnostics" | "secret" | "isSecretByAddress"> {
  const {
    request,
    target,
    policies,
    desired,
    live,
    detected,
    only,
    waivers,
    expected,
    ceased,
    notices,
    fileCount,
    referencesThen,
  } = context;
  return {
    target,
    policies,
    desired,
    live,
    detected,
    notices,
    fileCount,
    ...(only && { only }),
    ...(request.only && { named: request.only }),
    ...(waivers && { waivers }),
    ...(expected && { expected }),
    ...(ceased && { ceased }),
    ...(referencesThen && { referencesThen }),
  };
}

/** Asked where a password is written; what the server does not answer it does not show. */
async function readPasswordRule(
  { reader, detected }: PlanContext,
  changes: readonly Change[],
): Promise<string | undefined> {
  const path = detected.dialect.internalUsers?.passwordRules;
  const isWritten = changes.some((change) => isPending(change) && writesPassword(change));
  return path !== undefined && isWritten ? readPasswordExpression(reader, path) : undefined;
}

/** A plan without files was checked when it was made. */
function checkChanges(
  context: PlanContext,
  changes: readonly Change[],
  passwordRule: string | undefined,
): readonly Diagnostic[] {
  const { files, isRollback, live, desired, detected, request, target } = context;
  const rotated = withRotations(desired, request.rotated);
  const users = validateUserWrites(changes, rotated, listTargetUrls(target), detected.dialect, passwordRule);
  if (!files) return users;
  const after = applyDeletions(live, changes);
  return [
    // A rollback restores what was there, whatever lint rules say of it.
    ...(isRollback ? checkReferences(files, after) : checkTogether(files, after)),
    ...checkWrites(files, { changes, live }).filter(({ code }) => !isRollback || !settableErrors.has(code)),
    ...users,
  ];
}

function changesConfig(changes: readonly Change[]): boolean {
  return changes.some((change) => change.family === "config" && isPending(change));
}

/** What the stages before found of a plan that has no requests yet. */
type BeforeWrites = Required<
  Pick<
    PlanInput,
    "changes" | "access" | "tested" | "applyingIdentity" | "planningLogin" | "configWritable" | "bases" | "foreign"
  >
>;

function planWrites(context: PlanContext, found: BeforeWrites): PlannedWrites {
  const { request, target, summary, detected, live, expected } = context;
  const { dialect, server } = detected;
  return planChanges({
    ...found,
    live: summary.snapshot ? withoutMaskedSecrets(live) : live,
    policies: context.policies,
    protect: target.protect ?? [],
    login: describeLogin(target),
    foundByPlan: context.foundByPlan,
    referencesThen: context.referencesThen,
    waiving: { allowed: request.allowed, waivers: context.waivers, today: request.today ?? getToday() },
    wire: createWireContext(dialect, server, live.paths, request.withoutPatch ?? new Set(), target.maxBodySize),
    ordersByAccess: !request.withoutAccess,
    personas: findConcernedPersonas(expected?.personas, found.access),
    adminRoles: target.adminRoles ?? listLikelyAdminRoles(dialect),
  });
}

function evaluateExpected(
  { expected, detected, desired, isRollback }: PlanContext,
  statePair: AccessStates | undefined,
): EvaluatedTests | undefined {
  const tested =
    statePair && expected && findBrokenTests(expected, statePair, detected.dialect, findAnswerPlaces(desired));
  return tested && { ...tested, ...(isRollback && { isRollback }) };
}

/** A snapshot shows asterisks for the config's secrets; a plan against it writes nothing, so no guard has to refuse them. */
function withoutMaskedSecrets({ config, ...live }: LiveState): LiveState {
  if (!config) return live;
  const { unfaithful: _, ...faithful } = config;
  return { ...live, config: faithful };
}

interface PlanParts {
  readonly changes: readonly Change[];
  readonly writes: Pick<Plan, "operations" | "violations" | "waived" | "notes">;
  readonly access: AccessDifferences | undefined;
  readonly notes: readonly string[];
  readonly since: Pick<Since, "protection" | "marks">;
}

function assemblePlan(context: PlanContext, { changes, writes, access, notes, since }: PlanParts): Plan {
  const { request, summary, detected, desired, referenceOnly, unrestored = 0 } = context;
  const target = { ...summary, server: detected.server };
  const decided = { target, ...writes, ...(access && { access }) };
  const redacted = changes.filter(isPending).map(redactChange);
  return {
    ...decided,
    changes,
    fingerprint: computeFingerprint(
      { ...decided, changes: redacted },
      findChangedSecrets(changes, desired),
      planKey(request),
    ),
    notes,
    referenceOnly: referenceOnly.filter((family) => family in detected.dialect.collections),
    ...(context.since && { since: { ...context.since, ...since } }),
    ...(unrestored > 0 && { unrestored }),
  };
}
