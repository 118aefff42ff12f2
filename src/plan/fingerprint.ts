import { digest } from "../json/canonical.ts";
import { type KnownSecrets, withSlots } from "../json/slots.ts";
import type { Json } from "../json/value.ts";
import type { Plan, TargetSummary } from "../model/plan.ts";

/** Hexadecimal digits: 128 bits, so that nobody finds two plans of one fingerprint either. */
const length = 32;

/**
 * The first half of SHA-256 over the cluster, the requests and the violations. A secret counts by the name of its
 * reference, and with a key by a keyed digest of its text too. No time, no version of gate-sync, no place in a file.
 *
 * @param secrets known ones that may stand in a body as plain text
 */
export function fingerprintOf(
  { target, operations, violations }: Pick<Plan, "target" | "operations" | "violations">,
  secrets: KnownSecrets,
  key: string | undefined,
): string {
  const sent = operations.map(({ method, path, body }) => {
    return { method, path, body: body === undefined ? null : withSlots(body, { known: secrets, key }) };
  });
  const refusals = violations.map(({ rule, family, names }) => ({ rule, family: family ?? null, names }));
  return digest({ target: clusterOf(target), operations: sent, violations: refusals }).slice(0, length);
}

/** Some servers tell nothing of themselves; then only what the user calls the target tells two of them apart. */
function clusterOf({ name, server }: TargetSummary): Json {
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
