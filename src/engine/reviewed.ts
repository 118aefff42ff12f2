import { renderAccessJson } from "../access/compare/to-json.ts";
import { RunError } from "../diagnostics/failure.ts";
import { listLikelyAdminRoles } from "../dialects/caller.ts";
import { diff } from "../diff/diff.ts";
import { isConfigWritable } from "../live/config-writes.ts";
import { type DetectedServer, detect } from "../live/detect/detect.ts";
import { memoiseReads } from "../live/memo.ts";
import { readState } from "../live/read.ts";
import { findConfigFile } from "../load/config-file.ts";
import type { LiveState } from "../model/live.ts";
import { type Address, createAddress, type Family, families, isResourceFamily } from "../model/names.ts";
import { findMapEntry } from "../model/node.ts";
import type { SavedPlan, SavedTarget } from "../model/plan-file.ts";
import type { Policies } from "../model/policy.ts";
import type { ReadPort } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import { waiveViolations } from "../plan/guards/waive.ts";
import { planChanges } from "../plan/plan.ts";
import { createWireContext } from "../plan/wire.ts";
import { findAnswerPlaces } from "./access/places.ts";
import { findAccessChanges, findConcernedPersonas, touchesAccess } from "./access-changes.ts";
import { findApplyingIdentity } from "./applying-identity.ts";
import { findBrokenTests, findTestedStates } from "./broken-tests.ts";
import { findChangedSecrets, findSecretChanges } from "./changed-secrets.ts";
import { getToday } from "./clock.ts";
import { describeLogin, type PlanRequest } from "./decide.ts";
import { withoutSecretsElsewhere } from "./moved-secrets.ts";
import { openTarget } from "./open.ts";
import type { DecidedPlan } from "./plan.ts";
import { planKey } from "./plan-key.ts";
import type { RunRequest } from "./request.ts";
import { isSameCluster } from "./same-cluster.ts";
import { parseSavedCluster } from "./saved-plan/cluster.ts";
import { createSavedRange, restoreDesiredState } from "./saved-plan/desired.ts";
import { encodeExpectations } from "./saved-plan/expectations.ts";
import { refuseIfAccessMoved, refuseIfGone, refuseIfMoved } from "./saved-plan/moved.ts";
import { encodeSavedChange, encodeSavedOperation, encodeSavedViolation } from "./saved-plan/plan.ts";
import { describeUnverified, summariseSource } from "./source.ts";

/** Guards that look at whole families: judged when the plan was made, over what is not decided again here. */
const ofWholeFamilies: ReadonlySet<string> = new Set(["deletions", "changes"]);

/** Every address of the plan was decided to be changed, whatever mode decided that. */
export const decided: Policies = Object.fromEntries(families.map((family) => [family, { mode: "manage" }]));

/**
 * Plans again for the addresses of a reviewed plan, from the desired values it holds and the live values of now. What
 * it does not change is not decided again. No state file is read.
 *
 * @param path of the plan file
 * @throws RunError `stale` where anything is decided otherwise, saying what moved; `usage` for another cluster
 */
export async function planReviewed(
  saved: SavedPlan,
  path: string,
  request: RunRequest & Pick<PlanRequest, "today">,
  connect: (target: Target) => ReadPort,
): Promise<DecidedPlan> {
  const target = await findSavedTarget(saved.target, request);
  const summary = summariseSource(target);
  const desired = restoreDesiredState(saved, path, request);
  const waivers = saved.waivers.map((waiver) => ({ ...waiver, origin: createSavedRange(waiver.origin) }));
  const only = new Set(saved.changes.map(({ family, name }) => createAddress(family, name)));
  const changed = [...new Set(saved.changes.map(({ family }) => family))];
  const reader = connect(target);
  try {
    const asked = memoiseReads(reader);
    const detected = await detect(asked, statedFor(target, saved.target), changed.filter(isResourceFamily));
    refuseOtherCluster(saved.target, summary.url, detected);
    const live = await readState(asked, detected.dialect, wanted(changed, saved.read));
    const secret = new Set(saved.secret);
    const all = diff(desired, live, decided).filter(({ family, name }) => only.has(createAddress(family, name)));
    const changes = withoutSecretsElsewhere(all, secret);
    const lifting = { allowed: saved.allowed, waivers, today: request.today ?? getToday() };
    const { dialect } = detected;
    const expected = encodeExpectations(saved);
    const statePair = await findTestedStates({ changes, live, dialect, secret }, expected, asked);
    const planned = planChanges({
      changes,
      live,
      policies: decided,
      protect: target.protect ?? [],
      login: describeLogin(target),
      applyingIdentity: await findApplyingIdentity(target, {
        changes,
        dialect: detected.dialect,
        reader: asked,
        applies: true,
      }),
      lifting,
      wire: createWireContext(detected.dialect, detected.server, live.paths, new Set(), target.maxBodySize),
      configWritable: changed.includes("config") ? await isConfigWritable(asked, dialect) : undefined,
      ...(statePair && touchesAccess(changes) && { access: statePair }),
      tested: statePair && findBrokenTests(expected, statePair, dialect, findAnswerPlaces(desired)),
      // As it was found when the plan was made.
      ordersByAccess: saved.access !== undefined,
      personas: findConcernedPersonas(expected.personas, statePair),
      adminRoles: target.adminRoles ?? listLikelyAdminRoles(dialect),
    });
    const access =
      saved.access && statePair && touchesAccess(changes)
        ? findAccessChanges(statePair, changes, expected.personas)
        : undefined;
    const violations = [
      ...planned.violations.filter(({ rule }) => !ofWholeFamilies.has(rule)),
      // Found when the plan was made; whether what waived them still counts is a question of the day.
      ...waiveViolations(
        saved.waived.filter(({ rule }) => ofWholeFamilies.has(rule)),
        lifting,
      ).violations,
    ];
    const slots = { known: findChangedSecrets(changes, desired), key: planKey(request) };
    refuseIfMoved(saved, {
      changes: changes.map((change) => encodeSavedChange(change, slots)),
      operations: planned.operations.map((operation) => encodeSavedOperation(operation, slots)),
      violations: violations.map(encodeSavedViolation),
    });
    refuseIfGone(saved, live);
    refuseIfAccessMoved(saved, access && renderAccessJson(access));
    if (findSecretChanges(changes).length > 0 && slots.key === undefined) throw secretsWithoutKey(path);
    return {
      plan: {
        target: { ...summary, server: detected.server },
        changes,
        ...(access && { access }),
        operations: planned.operations,
        violations,
        waived: planned.waived,
        notes: [
          ...describeUnverified(target),
          ...detected.notes,
          ...planned.notes,
          ...newSince(live, changed, saved, only),
        ],
        referenceOnly: [],
        fingerprint: saved.fingerprint,
      },
      target: { ...target, families: decided },
      desired,
      detected,
      diagnostics: [],
      notices: [],
      fileCount: 0,
      live,
      waivers,
      only,
      beside: { policies: target.families, secret },
    };
  } finally {
    await reader.close();
  }
}

/** The target of that name, where gate-sync.yaml has one. The URL of the file is for people: no login is sent there. */
export async function findSavedTarget({ name }: SavedTarget, request: RunRequest): Promise<Target> {
  const { found } = await findConfigFile(request.cwd, request.configPath);
  const isKnown = findMapEntry(found && findMapEntry(found.root, "targets")?.value, name) !== undefined;
  const { flags } = request;
  const target = flags.target ?? (isKnown ? name : undefined);
  return openTarget({ ...request, flags: { ...flags, ...(target !== undefined && { target }) } });
}

/** What was stated for the plan is stated for applying it. */
function statedFor(target: Target, { stated, product, release }: SavedTarget) {
  if (target.product !== undefined) return target;
  return { ...(stated.includes("product") && { product }), ...(stated.includes("release") && { release }) };
}

function refuseOtherCluster(planned: SavedTarget, url: string, { server }: DetectedServer): void {
  if (!isSameCluster(parseSavedCluster(planned), { url, server })) {
    const then = known([planned.product, planned.cluster_name, planned.cluster_uuid]);
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
  if (planned.release === server.release) return;
  throw new RunError("stale", {
    what: `The plan was made for ${planned.product} ${planned.release}, and the server is ${server.release} (${server.how}).`,
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

function newSince(
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
