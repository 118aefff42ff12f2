import { dirname, resolve } from "node:path";
import { RunError } from "../../diagnostics/failure.ts";
import { Secret } from "../../json/secret.ts";
import { isList, isObject, type Value } from "../../json/value.ts";
import type { Artifact } from "../../model/artifact.ts";
import { isPending } from "../../model/change.ts";
import { type Address, createAddress } from "../../model/names.ts";
import type { MadeFor, SavedPlan } from "../../model/plan-file.ts";
import type { Surroundings } from "../../model/surroundings.ts";
import type { DecidedPlan } from "../../plan/decided-plan.ts";
import { findSecretChanges, getDesiredValue } from "../../secrets/changed.ts";
import { writeArtifact } from "../artifact-file.ts";
import { planKey } from "../plan-key.ts";
import { computeFleetFingerprint } from "./fleet.ts";
import { encodeSavedPlan, isOnlyInStateFile, withWrittenCredentials } from "./plan.ts";

type SavingRequest = FileRequest & Pick<Parameters<typeof encodeSavedPlan>[1], "allowed" | "flags">;
type FileRequest = Surroundings & { readonly madeFor?: MadeFor };

/**
 * The plan as a file holds it; a refused one too, for its reviewers.
 *
 * @param path of that file
 * @throws RunError for a plan against a snapshot, and for one whose secrets apply could not read again or compare
 */
export function createSavedPlan(planned: DecidedPlan, request: SavingRequest, path: string): Artifact<SavedPlan> {
  const key = planKey(request);
  refuseUnlessSavable(planned, key);
  return encodeSavedPlan(planned, { ...request, key, folder: dirname(resolve(request.cwd, path)) });
}

/**
 * Writes the plan to a file that `apply` takes.
 *
 * @param at when: ISO 8601, UTC
 * @throws RunError as {@link createSavedPlan}, and where the file cannot be written
 */
export async function savePlan(planned: DecidedPlan, request: SavingRequest, path: string, at: string): Promise<void> {
  const { target, body: saved } = createSavedPlan(planned, request, path);
  const body = { ...listMadeFor(request), ...saved };
  const key = planKey(request);
  await writeArtifact("plan-file", { cwd: request.cwd, path }, { targets: [target], body, at }, key);
}

/** The same for the plans of several targets: one file, with one seal. */
export async function saveFleet(
  plans: readonly Artifact<SavedPlan>[],
  request: FileRequest,
  path: string,
  at: string,
): Promise<void> {
  const fingerprint = computeFleetFingerprint(plans);
  const body = { fingerprint, ...listMadeFor(request), plans: plans.map((plan) => plan.body) };
  const targets = plans.map(({ target }) => target);
  await writeArtifact("fleet-plan", { cwd: request.cwd, path }, { targets, body, at }, planKey(request));
}

function listMadeFor({ madeFor }: FileRequest): { readonly made_for?: MadeFor } {
  return madeFor ? { made_for: madeFor } : {};
}

function refuseUnlessSavable({ plan, desired: declared }: DecidedPlan, key: string | undefined): void {
  const desired = withWrittenCredentials(declared, plan.changes);
  if (plan.target.snapshot) {
    throw new RunError("usage", {
      what: "A plan against a snapshot cannot be saved for apply.",
      why: "A snapshot says what the server held once, not what it holds now.",
      fix: "Plan against the server: leave --live out.",
    });
  }
  const secret = findSecretChanges(plan.changes);
  if (secret.length > 0 && key === undefined)
    throw withoutKey(secret.map(({ family, name }) => createAddress(family, name)));
  for (const { family, name } of plan.changes.filter(isPending)) {
    const value = getDesiredValue(desired, family, name);
    const lost = value ? listSecrets(value).filter((secret) => !isObtainable(secret)) : [];
    if (lost.some((secret) => !isOnlyInStateFile(secret))) throw unobtainable(createAddress(family, name));
    if (lost.length > 0 && key === undefined) throw withoutKeyForFile(createAddress(family, name));
  }
}

/** Whether apply can read the secret again; asterisks mean the live value. */
function isObtainable(secret: Secret): boolean {
  return secret.source !== undefined || (secret.resolved && /^\*+$/.test(secret.reveal()));
}

function listSecrets(value: Value): readonly Secret[] {
  if (value instanceof Secret) return [value];
  if (isList(value)) return value.flatMap(listSecrets);
  return isObject(value) ? Object.values(value).flatMap(listSecrets) : [];
}

function withoutKey(addresses: readonly Address[]): RunError {
  return new RunError("refused", {
    what: `This plan changes secrets (${addresses.join(", ")}) and cannot be saved without a key.`,
    why: "Without one the file would say nothing of their values, and other secrets than the reviewed ones could be sent.",
    fix: "Set the same GATE_SYNC_PLAN_KEY, a long random text, for plan --out and for apply.",
  });
}

function withoutKeyForFile(address: Address): RunError {
  return new RunError("refused", {
    what: `This plan cannot be saved without a key: a secret of ${address} is written in a state file.`,
    why: "A plan file holds such a secret encrypted by the key, as apply does not read state files.",
    fix: "Set the same GATE_SYNC_PLAN_KEY, a long random text, for plan --out and for apply; or write a reference in place of the secret.",
  });
}

function unobtainable(address: Address): RunError {
  return new RunError("refused", {
    what: `This plan cannot be saved: a secret of ${address} is only part of a longer text.`,
    why: "A plan file holds no such secret, so apply could not get it again.",
    fix: `Make the whole text one reference, \${env:NAME} or \${file:path}; or apply with the state files and --expect.`,
  });
}
