import { renderAccessJson } from "../access/compare/to-json.ts";
import { computeDigest } from "../json/canonical.ts";
import { type KnownSecrets, putSecretsInSlots } from "../json/slots.ts";
import type { Json, JsonObject, Value } from "../json/value.ts";
import type { RecordedTarget } from "../model/artifact.ts";
import { type Action, isPending } from "../model/change.ts";
import { type Address, createAddress } from "../model/names.ts";
import { type Operation, withoutTests } from "../model/operation.ts";
import type { Plan, Violation } from "../model/plan.ts";
import { runRules } from "./guards/rules.ts";

/** Hexadecimal digits: 128 bits, so that two plans with one fingerprint cannot be constructed either. */
const length = 32;

/**
 * The first half of SHA-256 over the cluster, the requests, their edits, the access diff and the violations. A secret
 * counts by the name of its reference, and with a key by a keyed digest of its value too. No time, no version of
 * gate-sync and no place in a file counts.
 *
 * @param secrets known ones that a body may hold as plain text
 */
export function computeFingerprint(
  {
    target,
    changes,
    operations,
    violations,
    access,
  }: Pick<Plan, "target" | "changes" | "operations" | "violations" | "access">,
  secrets: KnownSecrets,
  key: string | undefined,
): string {
  const slotted = (value: Value | undefined): Json =>
    value === undefined ? null : putSecretsInSlots(value, { known: secrets, key });
  return computeSlottedFingerprint({
    target,
    operations: operations.map(({ body, ...operation }) => ({ ...operation, body: slotted(body) })),
    edits: changes.filter(isPending).map(({ family, name, action, edits }) => ({
      address: createAddress(family, name),
      action,
      edits: edits.map(({ path, before, after }) => ({ path, before: slotted(before), after: slotted(after) })),
    })),
    violations,
    ...(access && { access: renderAccessJson(access) }),
  });
}

/** What a fingerprint is computed over, once slots replace secrets. */
export interface SlottedPlan {
  readonly target: Pick<RecordedTarget, "name" | "server">;
  readonly operations: readonly (Omit<Operation, "body"> & { readonly body: Json })[];
  readonly edits: readonly {
    readonly address: Address;
    readonly action: Action;
    readonly edits: readonly { readonly path: readonly string[]; readonly before: Json; readonly after: Json }[];
  }[];
  readonly violations: readonly Pick<Violation, "rule" | "family" | "addresses">[];
  readonly access?: JsonObject;
}

export function computeSlottedFingerprint({ target, operations, edits, violations, access }: SlottedPlan): string {
  // What tests name is in the edits already, without the order in which the server lists things.
  const sent = operations.map(withoutTests).map(({ method, path, body }) => ({ method, path, body: body ?? null }));
  const refusals = violations.filter(isOfThePlan).map(({ rule, family, addresses }) => {
    return { rule, family: family ?? null, addresses };
  });
  const whole = { target: clusterOf(target), operations: sent, edits, violations: refusals, ...(access && { access }) };
  return computeDigest(whole).slice(0, length);
}

/**
 * Whether a violation is part of the plan. The planning and the applying run may log in differently, and compare with no or
 * another commit: each checks for itself what depends on that.
 */
export function isOfThePlan({ rule }: Pick<Violation, "rule">): boolean {
  return !runRules.includes(rule);
}

/** Some servers show neither name nor id; then only the target's name distinguishes two of them. */
function clusterOf({ name, server }: SlottedPlan["target"]): Json {
  const { product, release, clusterUuid, clusterName } = server;
  const isUnknown = clusterUuid === undefined && clusterName === undefined;
  return {
    product,
    release,
    uuid: clusterUuid ?? null,
    cluster: clusterName ?? null,
    target: isUnknown ? name : null,
  };
}
