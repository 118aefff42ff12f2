import { dirname, resolve } from "node:path";
import { createFileDiagnostic } from "../../diagnostics/diagnostic.ts";
import { RunError } from "../../diagnostics/failure.ts";
import { isSameDigest } from "../../json/canonical.ts";
import { decryptText } from "../../json/encryption.ts";
import { Secret } from "../../json/secret.ts";
import { computeSecretDigest, type Slot } from "../../json/slots.ts";
import { addOwnRepository, createReadable } from "../../load/boundary.ts";
import { createConfinedFiles } from "../../load/named-files.ts";
import { type Lookups, resolveText } from "../../load/reference-text.ts";
import type { DesiredState } from "../../model/desired.ts";
import { createAddress } from "../../model/names.ts";
import type { SavedDesired, SavedPlan } from "../../model/plan-file.ts";
import type { Surroundings } from "../../model/surroundings.ts";
import { fillDesired } from "../desired.ts";
import { planKey } from "../plan-key.ts";
import { listDesired } from "./derived.ts";

/**
 * The desired state of a saved plan, with its secrets read again from the environment and from files, or decrypted.
 *
 * @param path of the plan file: the origin of what no state file declares, and where paths of secrets begin
 * @param secretFiles of gate-sync.yaml
 * @throws RunError where a secret is missing, or is not the one that was reviewed
 */
export function restoreDesiredState(
  plan: SavedPlan,
  path: string,
  request: Surroundings,
  secretFiles: readonly string[] | undefined,
): DesiredState {
  const place = resolve(request.cwd, path);
  const readable = addOwnRepository(createReadable(request.cwd, request.configPath, secretFiles), place);
  const files = createConfinedFiles(readable);
  const lookups = { vars: new Map(), env: request.env, secrets: "resolve", directory: dirname(place), files } as const;
  const origins = new Map(plan.changes.map(({ family, name, origin }) => [createAddress(family, name), origin]));
  return fillDesired(
    { declared: plan.changes.map(({ family }) => family), desired: listDesired(plan) },
    (slot, entry) => readSecret(slot, entry, planKey(request), (trims) => readAgain(slot, lookups, trims, path)),
    (address) => origins.get(address) ?? { path, line: 1, column: 1 },
  );
}

/** @param again reads it where it is; `trims`: without white space at its end */
function readSecret(
  { reference, hmac, encrypted }: Slot,
  { family, name }: Pick<SavedDesired, "family" | "name">,
  key: string | undefined,
  again: (trims: boolean) => Secret,
): Secret {
  const secret =
    encrypted === undefined || key === undefined
      ? again(family === "license")
      : new Secret(reference, decryptText(encrypted, key) ?? "");
  if (hmac === undefined || key === undefined || isSameDigest(computeSecretDigest(secret.reveal(), key), hmac))
    return secret;
  throw new RunError("stale", {
    what: `The secret ${reference} of ${createAddress(family, name)} is not the one of the reviewed plan.`,
    why: "Nothing was sent.",
    fix: "Run gate-sync plan --out again and have the new plan reviewed, or apply with the secret that it was made with.",
  });
}

function readAgain({ reference, from }: Slot, lookups: Lookups, trims: boolean, path: string): Secret {
  const { value, problems } = resolveText(from ?? reference, lookups);
  const [problem] = problems;
  if (problem) {
    const diagnostics =
      problem.code === "outside-repository" ? [createFileDiagnostic(path, problem.code, problem.userMessage)] : [];
    throw new RunError("invalid", problem.userMessage, diagnostics);
  }
  const text = value instanceof Secret ? value.reveal() : value;
  return new Secret(reference, trims ? text.trimEnd() : text, value instanceof Secret ? value.source : undefined);
}
