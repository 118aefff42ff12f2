import { type Diagnostic, isError } from "../diagnostics/diagnostic.ts";
import { RunError } from "../diagnostics/failure.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { getCredentials } from "../families/credentials.ts";
import { detect } from "../live/detect/detect.ts";
import { explainNoFamily } from "../live/detect/no-family.ts";
import { memoiseReads } from "../live/memo.ts";
import { askAhead, readState } from "../live/read.ts";
import { listDeclaredFamilies, listFamiliesToRead } from "../live/wanted.ts";
import { forDrift } from "../load/git-messages.ts";
import { combineSettings } from "../load/target-settings.ts";
import type { DesiredState } from "../model/desired.ts";
import type { LiveState } from "../model/live.ts";
import { type Address, isResourceFamily } from "../model/names.ts";
import { findMapEntry, type Node } from "../model/node.ts";
import type { TargetSummary } from "../model/plan.ts";
import { getMode, isOptIn } from "../model/policy.ts";
import type { ReadPort } from "../model/ports.ts";
import type { Repository } from "../model/repository.ts";
import type { Since } from "../model/since.ts";
import type { Target } from "../model/target.ts";
import { parseWaivers } from "../normalise/waivers.ts";
import type { DecidedPlan } from "../plan/decided-plan.ts";
import { chooseOffline } from "../validate/offline-product.ts";
import { findUnmatchedNames } from "../validate/unmatched-names.ts";
import { validateValues } from "../validate/values.ts";
import { getToday, waitForRequestsSent } from "./clock.ts";
import { compareHashes } from "./compared-hashes.ts";
import { findFailingWarnings } from "./fail-on.ts";
import { listManagedIn, openBaseline, refuseTwoBaselines } from "./history/baseline.ts";
import { findCeased, listCeasedNotes, listUncountedRuns } from "./history/ceased.ts";
import { findForeign } from "./history/foreign.ts";
import { findReferencesOfLastRun, omitOwnFiles } from "./history/references.ts";
import { findBecameManaged } from "./history/since.ts";
import { nothingSent, type OpenRepository, openRepository, openTargetWithConfig, stopAtErrors } from "./open.ts";
import { checkFiles, checkShares, checkTogether } from "./pipeline/checked-files.ts";
import type { PlanContext, PlanRequest } from "./pipeline/context.ts";
import { decidePlan } from "./pipeline/decide.ts";
import { findOnly, omitLeftOut } from "./pipeline/only.ts";
import { compareWithBase, listUnaskable } from "./protection/against-base.ts";
import { findNameThen, openBaseFiles } from "./protection/side.ts";
import type { RunRequest } from "./request.ts";
import { openReader, type Source } from "./source.ts";
import { listUncompared } from "./uncompared.ts";

export type { DecidedPlan } from "../plan/decided-plan.ts";
export type { PlanRequest } from "./pipeline/context.ts";

const noPlan = "Nothing was planned.";

/** What would change on the target, and by which requests. Nothing is written: the connection can only read. */
export async function plan(request: PlanRequest, source: Source): Promise<DecidedPlan> {
  refuseTwoBaselines(request);

  // 1. The target and its files: what is wrong with their form ends the run before a server is asked.
  const { target, configRoot } = await openTargetWithConfig(request);
  const opened = await openRepository(target, request, "resolve");
  const { repository, diagnostics: shape } = opened;
  stopAtErrorsOfForm(opened, target);

  // 2. What earlier commits managed: of the one to compare with, and of the one that was applied last.
  const { base, appliedRef } = request;
  const earlier = base === undefined ? undefined : await openBaseFiles(base, request, target, configRoot);
  const was = earlier && { ...target, name: findNameThen(earlier, target.name) };
  const since = base === undefined || !was ? undefined : await findBecameManaged(base, request, was, repository);
  const applied =
    appliedRef === undefined ? since : await findBecameManaged(appliedRef, request, target, repository, forDrift);

  const { reader, stated, summary } = await openReader(target, source, request.cwd);
  try {
    // 3. Which server it is. What is read next is asked for at once: it answers while the files are checked.
    const asked = memoiseReads(reader);
    const families = listDeclaredFamilies(repository).filter(isResourceFamily);
    // Opt-in families may be refused to who may read all others.
    const detected = await detect(
      asked,
      stated,
      families.filter((family) => !isOptIn(family)),
    );
    askAhead(asked, detected.dialect, families);
    await waitForRequestsSent();

    // 4. The files by what this server takes.
    const files = checkFiles(opened, detected.dialect, target);
    const { desired, declared, tests, personas } = files;
    const found = [...shape, ...files.diagnostics, ...checkShares(files, target)];
    if (found.some(isError)) stopAtErrors([...found, ...checkTogether(files)], nothingSent);

    refuseRotations(request.rotated, desired, target);

    // 5. What the server holds, of what was managed earlier too. Long answers are needed no more after that.
    const wanted = listFamiliesToRead(desired, target.families);
    const { live, notes: aboutUsers } = compareUsers(
      await readState(asked, detected.dialect, wanted, desired),
      desired,
      { isSnapshot: summary.snapshot, dialect: detected.dialect },
    );
    if (target.product && !summary.snapshot && live.resources.size === 0)
      await refuseWhereNothingAnswers(asked, detected.dialect, live);
    const ceased = await listCeasedNotes(await findNoLongerManaged(request, { summary, repository, applied }), {
      reader: asked,
      dialect: detected.dialect,
      policies: target.families,
    });
    const today = request.today ?? getToday();
    const against = earlier && (await compareWithBase(earlier, { files, target, live, reader: asked, today }));
    await asked.forgetLong();
    const hashes = await compareHashes(target, { reader, dialect: detected.dialect }, desired, live);
    const declaredThen = desired.config
      ? (applied !== since && applied?.references) ||
        (await findReferencesOfLastRun(request, { ...summary, server: detected.server })) ||
        applied?.references
      : undefined;
    const referencesThen = desired.config && declaredThen && omitOwnFiles(declaredThen, desired.config.value, request);
    const unmatched = configRoot ? findUnmatchedInConfig(configRoot, target, declared, live) : [];

    const only = findOnly(request.only ?? [], desired, live);

    // 6. The decision.
    const { notices, fileCount, foreignFiles } = repository;
    const cluster = { ...summary, server: detected.server };
    const question = {
      request,
      target,
      cluster,
      dialect: detected.dialect,
      declared: desired,
      secrets: "leave",
    } as const;
    const bases = (against ?? []).flatMap(({ base, plan }) => (base.isOwn ? [plan.files.desired] : []));
    const context: PlanContext = {
      request,
      target,
      summary,
      detected,
      reader: asked,
      desired,
      declared,
      live,
      policies: target.families,
      ...(only && { only, showsLeftOut: true }),
      files: only ? omitLeftOut(files, only, live) : files,
      waivers: parseWaivers(opened.whole),
      expected: { tests, personas },
      ...(!request.withoutForeign && { findForeign: (deleted) => findForeign(question, deleted, bases) }),
      diagnostics: [...found, ...unmatched],
      notes: [
        ...nothingDeclared(desired, request),
        ...(await listUncountedRuns(request)),
        ...ceased,
        ...aboutUsers,
        ...listUncompared(desired, live, detected.dialect),
        ...hashes.notes,
        ...(earlier?.notes ?? []),
        ...listUnaskable(against ?? []),
      ],
      ceased,
      changedCredentials: new Map(
        [since, applied].flatMap((one) =>
          (one?.changedUsers ?? [])
            .filter((name) => !hashes.same.has(name))
            .map((name) => [name, `changed in git since ${one?.ref}`]),
        ),
      ),
      hashes,
      ...(referencesThen && { referencesThen }),
      since,
      referenceOnly: wanted.reference.filter((family) => !desired.resources.has(family)),
      notices,
      fileCount,
      ...(foreignFiles && { foreignFiles }),
    };
    const decided = await decidePlan(context, against);
    const failing = findFailingWarnings(target, decided.diagnostics);
    return failing ? { ...decided, failing } : decided;
  } finally {
    await reader.close();
  }
}

/** Where nothing that is declared was read, what is stated of URL and product may be wrong all the same. */
async function refuseWhereNothingAnswers(
  reader: ReadPort,
  dialect: Dialect,
  { config, license }: LiveState,
): Promise<void> {
  const explained = config || license ? undefined : await explainNoFamily(reader, dialect);
  if (explained) throw explained;
}

/** @throws RunError `usage` for a user that is not declared, or has nothing that could be written */
function refuseRotations(rotated: readonly Address[] = [], { resources }: DesiredState, { families }: Target): void {
  for (const address of rotated) {
    const user = resources.get("internal_users")?.get(address.replace(/^[^/]*\//, ""));
    if (getMode("internal_users", families) === "observe") {
      throw new RunError("usage", {
        what: `The password of ${address} cannot be rotated: internal users are only compared.`,
        why: "They are written once gate-sync.yaml states it.",
        fix: "Write families: {internal_users: {mode: adopt}} for the target, or leave --rotate out.",
      });
    }
    if (user && Object.keys(getCredentials(user.value)).length > 0) continue;
    throw new RunError("usage", {
      what: user
        ? `The password of ${address} cannot be rotated: the files declare neither a hash nor a password of it.`
        : `The password of ${address} cannot be rotated: the files declare no such user.`,
      fix: "Declare hash: or password: for it, or leave --rotate out.",
    });
  }
}

/** Why declared internal users are not compared, where they are not. */
function compareUsers(
  live: LiveState,
  { resources: declared }: DesiredState,
  { isSnapshot, dialect }: { readonly isSnapshot: boolean; readonly dialect: Dialect },
): { readonly live: LiveState; readonly notes: readonly string[] } {
  const users = declared.get("internal_users");
  if (!users || users.size === 0) return { live, notes: [] };
  if (!dialect.internalUsers) {
    return { live, notes: [`${dialect.product} has no internal users: those in the files are not used.`] };
  }
  if (!live.resources.has("internal_users")) {
    return { live, notes: ["Internal users are declared, and may not be read: they are not compared."] };
  }
  if (!isSnapshot) return { live, notes: [] };
  const resources = new Map([...live.resources].filter(([family]) => family !== "internal_users"));
  const note = "Internal users are not compared: a snapshot leaves out their descriptions and attributes.";
  return { live: { ...live, resources }, notes: [note] };
}

function stopAtErrorsOfForm({ repository, diagnostics }: OpenRepository, target: Target): void {
  if (!diagnostics.some(isError)) return;
  const { dialect, by, title } = chooseOffline(target, repository);
  // Where nothing says the product, whether a value is wrong is not known before the server is asked.
  if (by === "nothing") stopAtErrors(diagnostics, noPlan);
  stopAtErrors([...diagnostics, ...validateValues(repository, dialect, target)], `Checked for ${title}. ${noPlan}`);
}

interface EarlierRuns {
  readonly summary: Omit<TargetSummary, "server">;
  readonly repository: Repository;
  readonly applied: Since | undefined;
}

/** By the commit that is named, else by the newest journal; of a run about some families nothing is asked of the others. */
async function findNoLongerManaged(
  request: PlanRequest,
  { summary, repository, applied }: EarlierRuns,
): Promise<Parameters<typeof listCeasedNotes>[0]> {
  const { baseline, families } = request;
  const saved = baseline === undefined ? undefined : await openBaseline(baseline, request);
  if (families) return [];
  if (applied) return applied.ceased.map((family) => ({ family, since: applied.ref }));
  const managedBefore = saved && { families: listManagedIn(saved), since: `the plan ${baseline}` };
  return findCeased({ ...request, ...(managedBefore && { managedBefore }) }, summary, listDeclaredFamilies(repository));
}

function findUnmatchedInConfig(
  root: Node,
  target: Target,
  declared: DesiredState,
  live: LiveState,
): readonly Diagnostic[] {
  // A name that all of several targets share may be on another one's server.
  const own = findMapEntry(findMapEntry(root, "targets")?.value, target.name)?.value;
  const settings = target.isOneOfSeveral ? own : combineSettings(root, target.name);
  return settings ? findUnmatchedNames(settings, declared, live) : [];
}

/** Otherwise a repository that lost its files would be reported as in sync. */
function nothingDeclared(desired: DesiredState, { families }: RunRequest): readonly string[] {
  if (desired.resources.size > 0 || desired.config || desired.license) return [];
  return [`The files declare ${families ? `nothing of ${families.join(", ")}` : "nothing"}: nothing was compared.`];
}
