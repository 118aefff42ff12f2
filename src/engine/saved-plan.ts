import { renderAccessJson } from "../access/compare/to-json.ts";
import { createEditedMessage } from "../artifacts/artifact.ts";
import { decodeOrigin } from "../artifacts/desired.ts";
import { listSealNotes, planKey } from "../artifacts/plan-key.ts";
import { isSameCluster } from "../artifacts/same-cluster.ts";
import { restoreDesiredState } from "../artifacts/saved-plan/desired.ts";
import { restoreExpectations } from "../artifacts/saved-plan/expectations.ts";
import { refuseIfAccessMoved, refuseIfGone, refuseIfMoved } from "../artifacts/saved-plan/moved.ts";
import { encodeSavedChange, encodeSavedOperation, encodeSavedViolation } from "../artifacts/saved-plan/plan.ts";
import { AppliedAlreadyError, RunError } from "../diagnostics/failure.ts";
import type { DetectedServer } from "../dialects/detected.ts";
import { createDialect } from "../dialects/index.ts";
import { writesCredentials } from "../families/credentials.ts";
import { checkStated, detect } from "../live/detect/detect.ts";
import { memoiseReads } from "../live/memo.ts";
import { readState } from "../live/read.ts";
import type { Expectations } from "../model/access-test.ts";
import type { Artifact, RecordedTarget } from "../model/artifact.ts";
import type { LiveState } from "../model/live.ts";
import { type Address, createAddress, type Family, families, isResourceFamily } from "../model/names.ts";
import { findMapEntry } from "../model/node.ts";
import type { Plan, Violation } from "../model/plan.ts";
import type { SavedPlan } from "../model/plan-file.ts";
import type { Policies } from "../model/policy.ts";
import type { ReadPort } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import type { Waiver } from "../model/waiver.ts";
import type { DecidedPlan } from "../plan/decided-plan.ts";
import { foreignDeletions } from "../plan/guards/foreign-deletions.ts";
import { lockOut } from "../plan/guards/lock-out.ts";
import { countingRules } from "../plan/guards/rules.ts";
import { waiveViolations } from "../plan/guards/waive.ts";
import { findUnaskable } from "../questions/tests.ts";
import { findChangedSecrets, findSecretChanges } from "../secrets/changed.ts";
import { getToday } from "./clock.ts";
import { findRunOfPlan } from "./history/runs-since.ts";
import { refuseUnlessDeclared } from "./history/still-declared.ts";
import { findConfig, openTarget } from "./open.ts";
import type { PlanRequest } from "./pipeline/context.ts";
import { decidePlan } from "./pipeline/decide.ts";
import type { RunRequest } from "./request.ts";
import { summariseSource } from "./source.ts";

/** Every address of a saved plan was decided to be changed, whatever mode decided that. */
export const manageAll: Policies = Object.fromEntries(families.map((family) => [family, { mode: "manage" }]));

/**
 * Plans again for the addresses of a reviewed plan, from the desired values it holds and the live values of now. What
 * it does not change is not decided again. State files are only asked whether they still declare that.
 *
 * @param path of the plan file
 * @returns a plan without requests where this one is applied already, and a note says so
 * @throws RunError `stale` where anything is decided otherwise, saying what moved, where a later run wrote there, or where
 *   the files declare something else; `usage` for another cluster
 */
export async function planReviewed(
  artifact: Artifact<SavedPlan>,
  path: string,
  request: RunRequest & Pick<PlanRequest, "today" | "stateDir">,
  connect: (target: Target) => ReadPort,
): Promise<DecidedPlan> {
  const { target: recorded, body: saved } = artifact;
  const target = await findSavedTarget(recorded, request);
  const summary = summariseSource(target);
  const desired = restoreDesiredState(saved, path, request, target.secretFiles);
  const waivers = saved.waivers.map((waiver) => ({ ...waiver, origin: decodeOrigin(waiver.origin) }));
  const changed = [...new Set(saved.changes.map(({ family }) => family))];
  const reader = connect(target);
  try {
    const asked = memoiseReads(reader);
    const detected = await detect(asked, statedFor(target, recorded, saved.stated), changed.filter(isResourceFamily));
    refuseOtherCluster(recorded, summary.url, detected);
    const run = await findRunOfPlan(artifact, { url: summary.url, server: detected.server }, request);
    const uncompared = await refuseUnlessDeclared(saved, target, request, detected.dialect);
    const expected = restoreExpectations(saved);
    refuseUnaskable(expected, path, detected);
    const live = await readState(asked, detected.dialect, wanted(changed, saved.read));
    const only = new Set(saved.changes.map(({ family, name }) => createAddress(family, name)));
    const decided = await decidePlan({
      // The access diff is made where the plan was made with it.
      request: {
        ...request,
        allowed: saved.allowed,
        withoutAccess: saved.access === undefined,
        rotated: saved.changes
          .filter((change) => change.action === "update" && writesCredentials(change))
          .map(({ family, name }) => createAddress(family, name)),
      },
      target,
      summary,
      detected,
      reader: asked,
      desired,
      declared: desired,
      live,
      policies: manageAll,
      only,
      secretEntries: new Set(saved.secret),
      foundByPlan: saved.waived.filter(({ rule }) => rule === lockOut.rule),
      waivers,
      ...(saved.config_references && { referencesThen: new Map(Object.entries(saved.config_references)) }),
      expected,
      diagnostics: [],
      notes: [...listSealNotes(request), ...listUnaskedNotes(saved, uncompared, run)],
      referenceOnly: [],
      notices: [],
      fileCount: 0,
    });
    const plan = { ...decided.plan, violations: restoreViolations(saved, decided.plan, waivers, request.today) };
    try {
      refuseUnlessAsReviewed(saved, path, { ...decided, plan }, planKey(request));
    } catch (error) {
      if (!(error instanceof AppliedAlreadyError) || run === undefined || run === "none" || !run.isNewest) throw error;
      const note = `The reviewed plan is applied already: its run of ${run.time} is the newest on record, and the server holds all its changes.`;
      return { ...decided, plan: { ...plan, notes: [...plan.notes, note] }, diagnostics: target.warnings ?? [] };
    }
    return {
      ...decided,
      ...(artifact.at !== undefined && { planned: artifact.at }),
      ...(saved.only && { named: saved.only }),
      plan: {
        ...plan,
        notes: [...plan.notes, ...listNewSince(live, changed, saved, only)],
        fingerprint: saved.fingerprint,
      },
      diagnostics: target.warnings ?? [],
    };
  } finally {
    await reader.close();
  }
}

/**
 * Of `planReviewed`, what is known without the server: before the first of several targets is written, none is asked.
 *
 * @throws RunError as `planReviewed`
 */
export async function refuseIfKnownStale(
  artifact: Artifact<SavedPlan>,
  path: string,
  request: Parameters<typeof planReviewed>[2],
): Promise<void> {
  const { target: recorded, body: saved } = artifact;
  const { server } = recorded;
  const target = await findSavedTarget(recorded, request);
  const { url } = summariseSource(target);
  checkStated(statedFor(target, recorded, saved.stated));
  restoreDesiredState(saved, path, request, target.secretFiles);
  await findRunOfPlan(artifact, { url, server }, request);
  await refuseUnlessDeclared(saved, target, request, createDialect(server.product, server.release, server.engine));
}

/** What nothing here says of whether the plan is stale. */
function listUnaskedNotes(
  { changes }: SavedPlan,
  uncompared: string | undefined,
  run: Awaited<ReturnType<typeof findRunOfPlan>>,
): readonly string[] {
  if (changes.length === 0 || uncompared === undefined) return [];
  const unrecorded =
    run === "none"
      ? " No run on this cluster is on record here, either: whether it was applied before is unknown."
      : "";
  return [`The plan was not compared with the files of today: ${uncompared}.${unrecorded}`];
}

/**
 * What refuses the plan now. Guards that count the entries of families looked at entries that are not decided again here, and what was applied
 * last before this plan is known where it was made: what was found there counts, and is waived by what waives it today.
 */
function restoreViolations(
  saved: SavedPlan,
  { violations }: Plan,
  waivers: readonly Waiver[],
  today = getToday(),
): readonly Violation[] {
  const found = [
    ...saved.waived.filter(({ rule }) => countingRules.includes(rule)),
    ...[...saved.violations, ...saved.waived].filter(({ rule }) => rule === foreignDeletions.rule),
  ];
  return [
    ...violations.filter(({ rule }) => !countingRules.includes(rule)),
    ...waiveViolations(found, { allowed: saved.allowed, waivers, today }).violations,
  ];
}

/** @throws RunError `stale` where anything is decided otherwise than in the saved plan */
function refuseUnlessAsReviewed(
  saved: SavedPlan,
  path: string,
  { plan: { changes, operations, violations, access }, desired, live }: DecidedPlan,
  key: string | undefined,
): void {
  const slots = { known: findChangedSecrets(changes, desired), key };
  refuseIfMoved(saved, {
    changes: changes.map((change) => encodeSavedChange(change, slots)),
    operations: operations.map((operation) => encodeSavedOperation(operation, slots)),
    violations: violations.map(encodeSavedViolation),
  });
  refuseIfGone(saved, live);
  refuseIfAccessMoved(saved, access && renderAccessJson(access));
  if (findSecretChanges(changes).length > 0 && key === undefined) throw secretsWithoutKey(path);
}

/** @throws RunError `usage` where an access test has no answer, and so would not refuse the plan: no plan is saved with one */
function refuseUnaskable({ tests, personas }: Expectations, path: string, { dialect }: DetectedServer): void {
  const [first] = findUnaskable(tests, personas, dialect.release);
  if (first) throw createEditedMessage("plan-file", path, `An access test in it has no answer. ${first.what}`);
}

/** The target of that name, where gate-sync.yaml has one. The URL of the file is for people: no login is sent there. */
export async function findSavedTarget({ name }: RecordedTarget, request: RunRequest): Promise<Target> {
  const { found } = await findConfig(request);
  const isKnown = findMapEntry(found && findMapEntry(found.root, "targets")?.value, name) !== undefined;
  const { flags } = request;
  const target = flags.target ?? (isKnown ? name : undefined);
  return openTarget({ ...request, flags: { ...flags, ...(target !== undefined && { target }) } });
}

/** What was stated for the plan is stated for applying it. */
function statedFor(target: Target, { server: { product, release } }: RecordedTarget, stated: SavedPlan["stated"]) {
  if (target.product !== undefined) return target;
  return { ...(stated.includes("product") && { product }), ...(stated.includes("release") && { release }) };
}

function refuseOtherCluster(planned: RecordedTarget, url: string, { server }: DetectedServer): void {
  const { product, release, clusterName, clusterUuid } = planned.server;
  if (!isSameCluster(planned, { url, server })) {
    const then = known([product, clusterName, clusterUuid]);
    const now = known([server.product, server.clusterName, server.clusterUuid]);
    const isSilent = server.clusterUuid === undefined && server.clusterName === undefined;
    throw new RunError("usage", {
      what: `The plan is for another cluster: for ${planned.name} at ${planned.url} (${then}), and ${url} is ${now}${isSilent ? ", which does not show its name or id" : ""}.`,
      why: "What was reviewed for one cluster says nothing of another. Nothing was changed.",
      fix: isSilent
        ? "Choose the target that the plan was made for. If this is it, let the login that applies read GET / (cluster:monitor/main)."
        : "Choose the target that the plan was made for, or plan for this one.",
    });
  }
  if (release === server.release) return;
  throw new RunError("stale", {
    what: `The plan was made for ${product} ${release}, and the server is ${server.release} (${server.how}).`,
    why: "Requests may differ between releases. Nothing was changed.",
    fix: "Plan again; where only one of the two identities may ask for the release, state it in gate-sync.yaml.",
  });
}

function known(words: readonly (string | undefined)[]): string {
  return words.filter((word) => word !== undefined).join(", ");
}

/** What the plan was made from; of that, what it does not change is needed by guards only. */
function wanted(changed: readonly Family[], read: readonly Family[]) {
  const reference = read.filter(isResourceFamily).filter((family) => !changed.includes(family));
  return { needed: changed, reference };
}

function listNewSince(
  live: LiveState,
  changed: readonly Family[],
  { seen }: SavedPlan,
  only: ReadonlySet<Address>,
): readonly string[] {
  const known = new Set(seen);
  const added = changed
    .filter(isResourceFamily)
    .flatMap((family) => [...(live.resources.get(family)?.keys() ?? [])].map((name) => createAddress(family, name)))
    .filter((address) => !known.has(address) && !only.has(address));
  return added.length === 0 ? [] : [`New since the plan was made, and not decided by it: ${added.join(", ")}.`];
}

function secretsWithoutKey(path: string): RunError {
  return new RunError("refused", {
    what: `The plan in ${path} changes secrets, and was made without a key.`,
    why: "gate-sync saves no such plan: it was edited. Nothing was sent.",
    fix: "Set the same GATE_SYNC_PLAN_KEY for plan --out and for apply.",
  });
}
