import { RunError } from "../../diagnostics/failure.ts";
import { isSameDigest } from "../../json/canonical.ts";
import { decryptText } from "../../json/encryption.ts";
import { Secret } from "../../json/secret.ts";
import { computeSecretDigest, type Slot } from "../../json/slots.ts";
import { createBoundary } from "../../load/boundary.ts";
import { resolveText } from "../../load/reference-text.ts";
import type { DesiredState } from "../../model/desired.ts";
import { type Address, createAddress } from "../../model/names.ts";
import type { SavedPlan } from "../../model/plan-file.ts";
import type { Surroundings } from "../../model/surroundings.ts";
import { fillDesired } from "../desired.ts";
import { planKey } from "../plan-key.ts";
import { listDesired } from "./derived.ts";

/**
 * The desired state of a saved plan, with its secrets read again from the environment and from files, or decrypted.
 *
 * @param path of the plan file: the origin of what no state file declares
 * @throws RunError where a secret is missing, or is not the one that was reviewed
 */
export function restoreDesiredState(plan: SavedPlan, path: string, request: Surroundings): DesiredState {
  const origins = new Map(plan.changes.map(({ family, name, origin }) => [createAddress(family, name), origin]));
  return fillDesired(
    { declared: plan.changes.map(({ family }) => family), desired: listDesired(plan) },
    (slot, { family, name }) => readSecret(slot, createAddress(family, name), request, family === "license"),
    (address) => origins.get(address) ?? { path, line: 1, column: 1 },
  );
}

/** @param trims without white space at its end */
function readSecret(slot: Slot, address: Address, request: Surroundings, trims: boolean): Secret {
  const { reference, hmac, encrypted } = slot;
  const key = planKey(request);
  const secret =
    encrypted === undefined || key === undefined
      ? readAgain(slot, request, trims)
      : new Secret(reference, decryptText(encrypted, key) ?? "");
  if (hmac === undefined || key === undefined || isSameDigest(computeSecretDigest(secret.reveal(), key), hmac))
    return secret;
  throw new RunError("stale", {
    what: `The secret ${reference} of ${address} is not the one of the reviewed plan.`,
    why: "Nothing was sent.",
    fix: "Run gate-sync plan --out again and have the new plan reviewed, or apply with the secret that it was made with.",
  });
}

function readAgain({ reference, from }: Slot, request: Surroundings, trims: boolean): Secret {
  const within = createBoundary(request.cwd, request.configPath, []);
  const lookups = { vars: new Map(), env: request.env, secrets: "resolve", directory: request.cwd, within } as const;
  const { value, problems } = resolveText(from ?? reference, lookups);
  const [problem] = problems;
  if (problem) throw new RunError("invalid", problem.userMessage);
  const text = value instanceof Secret ? value.reveal() : value;
  return new Secret(reference, trims ? text.trimEnd() : text, value instanceof Secret ? value.source : undefined);
}
