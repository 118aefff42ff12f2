import { accessToJson } from "../access/compare/to-json.ts";
import { RunError } from "../diagnostics/failure.ts";
import { likelyAdminRoles } from "../dialects/caller.ts";
import { diff } from "../diff/diff.ts";
import { configWritable } from "../live/config-writes.ts";
import { type Detected, detect } from "../live/detect/detect.ts";
import { memoised } from "../live/memo.ts";
import { readState } from "../live/read.ts";
import { findConfigFile } from "../load/config-file.ts";
import type { LiveState } from "../model/live.ts";
import { type Address, addressOf, type Family, families, isResourceFamily } from "../model/names.ts";
import { entryOf } from "../model/node.ts";
import type { FiledPlan, FiledTarget } from "../model/plan-file.ts";
import type { Policies } from "../model/policy.ts";
import type { ReadPort } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import { lift } from "../plan/guards/lift.ts";
import { planChanges } from "../plan/plan.ts";
import { wireContext } from "../plan/wire.ts";
import { placesIn } from "./access/places.ts";
import { accessChanges, concernedPersonas, touchesAccess } from "./access-changes.ts";
import { applierOf } from "./applier.ts";
import { secretChanges, secretsAtStake } from "./at-stake.ts";
import { aroundOf, brokenTests } from "./broken-tests.ts";
import { today } from "./clock.ts";
import { loginOf, type PlanRequest } from "./decide.ts";
import { clusterIn } from "./filed/cluster.ts";
import { filedDesiredState, rangeOf } from "./filed/desired.ts";
import { filedExpectations } from "./filed/expectations.ts";
import { refuseIfAccessMoved, refuseIfGone, refuseIfMoved } from "./filed/moved.ts";
import { filedChange, filedOperation, filedViolation } from "./filed/plan.ts";
import { openTarget } from "./open.ts";
import type { Planned } from "./plan.ts";
import { planKey } from "./plan-key.ts";
import type { Request } from "./request.ts";
import { isSameCluster } from "./same-cluster.ts";
import { withoutSecretsElsewhere } from "./secret-elsewhere.ts";
import { summaryOf, unverified } from "./source.ts";

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
  filed: FiledPlan,
  path: string,
  request: Request & Pick<PlanRequest, "today">,
  connect: (target: Target) => ReadPort,
): Promise<Planned> {
  const target = await targetFor(filed.target, request);
  const summary = summaryOf(target);
  const desired = filedDesiredState(filed, path, request);
  const consents = filed.consents.map((consent) => ({ ...consent, origin: rangeOf(consent.origin) }));
  const only = new Set(filed.changes.map(({ family, name }) => addressOf(family, name)));
  const changed = [...new Set(filed.changes.map(({ family }) => family))];
  const reader = connect(target);
  try {
    const asked = memoised(reader);
    const detected = await detect(asked, statedFor(target, filed.target), changed.filter(isResourceFamily));
    refuseOtherCluster(filed.target, summary.url, detected);
    const live = await readState(asked, detected.dialect, wanted(changed, filed.read));
    const secret = new Set(filed.secret);
    const all = diff(desired, live, decided).filter(({ family, name }) => only.has(addressOf(family, name)));
    const changes = withoutSecretsElsewhere(all, secret);
    const lifting = { allowed: filed.allowed, consents, today: request.today ?? today() };
    const { dialect } = detected;
    const expected = filedExpectations(filed);
    const around = await aroundOf({ changes, live, dialect, secret }, expected, asked);
    const planned = planChanges({
      changes,
      live,
      policies: decided,
      protect: target.protect ?? [],
      login: loginOf(target),
      applier: await applierOf(target, { changes, dialect: detected.dialect, reader: asked, applies: true }),
      lifting,
      wire: wireContext(detected.dialect, detected.server, live.paths, new Set(), target.maxBodySize),
      configWritable: changed.includes("config") ? await configWritable(asked, dialect) : undefined,
      ...(around && touchesAccess(changes) && { access: around }),
      tested: around && brokenTests(expected, around, dialect, placesIn(desired)),
      // As it was found when the plan was made.
      ordersByAccess: filed.access !== undefined,
      personas: concernedPersonas(expected.personas, around),
      adminRoles: target.adminRoles ?? likelyAdminRoles(dialect),
    });
    const access =
      filed.access && around && touchesAccess(changes) ? accessChanges(around, changes, expected.personas) : undefined;
    const violations = [
      ...planned.violations.filter(({ rule }) => !ofWholeFamilies.has(rule)),
      // Found when the plan was made; whether what lifted them still counts is a question of the day.
      ...lift(
        filed.lifted.filter(({ rule }) => ofWholeFamilies.has(rule)),
        lifting,
      ).violations,
    ];
    const slots = { known: secretsAtStake(changes, desired), key: planKey(request) };
    refuseIfMoved(filed, {
      changes: changes.map((change) => filedChange(change, slots)),
      operations: planned.operations.map((operation) => filedOperation(operation, slots)),
      violations: violations.map(filedViolation),
    });
    refuseIfGone(filed, live);
    refuseIfAccessMoved(filed, access && accessToJson(access));
    if (secretChanges(changes).length > 0 && slots.key === undefined) throw secretsWithoutKey(path);
    return {
      plan: {
        target: { ...summary, server: detected.server },
        changes,
        ...(access && { access }),
        operations: planned.operations,
        violations,
        lifted: planned.lifted,
        notes: [...unverified(target), ...detected.notes, ...planned.notes, ...newSince(live, changed, filed, only)],
        referenceOnly: [],
        fingerprint: filed.fingerprint,
      },
      target: { ...target, families: decided },
      desired,
      detected,
      diagnostics: [],
      notices: [],
      fileCount: 0,
      live,
      consents,
      only,
      beside: { policies: target.families, secret },
    };
  } finally {
    await reader.close();
  }
}

/** The target of that name, where gate-sync.yaml has one. The URL of the file is for people: no login is sent there. */
export async function targetFor({ name }: FiledTarget, request: Request): Promise<Target> {
  const { found } = await findConfigFile(request.cwd, request.configPath);
  const isKnown = entryOf(found && entryOf(found.root, "targets")?.value, name) !== undefined;
  const { flags } = request;
  const target = flags.target ?? (isKnown ? name : undefined);
  return openTarget({ ...request, flags: { ...flags, ...(target !== undefined && { target }) } });
}

/** What was stated for the plan is stated for applying it. */
function statedFor(target: Target, { stated, product, release }: FiledTarget) {
  if (target.product !== undefined) return target;
  return { ...(stated.includes("product") && { product }), ...(stated.includes("release") && { release }) };
}

function refuseOtherCluster(planned: FiledTarget, url: string, { server }: Detected): void {
  if (!isSameCluster(clusterIn(planned), { url, server })) {
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
  { seen }: FiledPlan,
  only: ReadonlySet<Address>,
): readonly string[] {
  const known = new Set(seen);
  const added = changed
    .filter(isResourceFamily)
    .flatMap((family) => [...(live.resources.get(family)?.keys() ?? [])].map((name) => addressOf(family, name)))
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
