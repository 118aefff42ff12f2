import { RunError } from "../../diagnostics/failure.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import { hideSecrets } from "../../dialects/codec.ts";
import { isSameDigest } from "../../json/canonical.ts";
import { Secret } from "../../json/secret.ts";
import { computeSecretDigest, fillSlots, type Slot } from "../../json/slots.ts";
import type { Fields } from "../../json/value.ts";
import { createBoundary } from "../../load/boundary.ts";
import { resolveText } from "../../load/references.ts";
import type { DesiredResource, DesiredState } from "../../model/desired.ts";
import { type Address, createAddress, type Family, isResourceFamily, type ResourceFamily } from "../../model/names.ts";
import type { SavedDesired, SavedOrigin, SavedPlan } from "../../model/plan-file.ts";
import type { Surroundings } from "../../model/surroundings.ts";
import { planKey } from "../plan-key.ts";

/**
 * What a reviewed plan wants, its secrets got again from the environment and from files.
 *
 * @param path of the plan file, for what has no place in a state file
 * @throws RunError where a secret is missing, or is not the one that was reviewed
 */
export function restoreDesiredState(plan: SavedPlan, path: string, request: Surroundings): DesiredState {
  const origins = new Map(plan.changes.map(({ family, name, origin }) => [createAddress(family, name), origin]));
  return fillDesired(
    { declared: plan.changes.map(({ family }) => family), desired: plan.desired },
    (slot, { family, name }) => secretOf(slot, createAddress(family, name), request, family === "license"),
    (address) => origins.get(address) ?? { path, line: 1, column: 1 },
  );
}

/** The desired state that was written down, each slot of a secret filled by what is handed in. */
export function fillDesired(
  { declared, desired }: { readonly declared: readonly Family[]; readonly desired: readonly SavedDesired[] },
  fill: (slot: Slot, entry: SavedDesired) => Secret,
  originOf: (address: Address) => SavedOrigin,
): DesiredState {
  const resources = new Map<ResourceFamily, Map<string, DesiredResource>>();
  for (const family of declared) if (isResourceFamily(family)) resources.set(family, new Map());
  let state: Omit<DesiredState, "resources"> = {};
  for (const entry of desired) {
    const { family, name } = entry;
    const value = fillSlots(entry.value, (slot) => fill(slot, entry)) as Fields;
    const origin = createSavedRange(originOf(createAddress(family, name)));
    const node = { ...origin, kind: "scalar", value: null } as const;
    if (isResourceFamily(family)) {
      const declaredOne = { family, name, value, origin, node, serverOwned: false };
      resources.set(family, (resources.get(family) ?? new Map()).set(name, declaredOne));
    } else if (family === "config") {
      // Asterisks are recognised only where they replace a secret.
      const hidden = { dynamic: hideSecrets(value.dynamic ?? {}, "", "in the state file") };
      state = { ...state, config: { value: hidden, origin, node, native: false } };
    } else if (value.text instanceof Secret) {
      state = { ...state, license: { text: value.text, writeAlways: entry.write_always ?? false, origin } };
    }
  }
  return { resources, ...state };
}

/** @param trims white space around the value is no part of it */
function secretOf({ reference, hmac, from }: Slot, address: Address, request: Surroundings, trims: boolean): Secret {
  const within = createBoundary(request.cwd, request.configPath, []);
  const lookups = { vars: {}, env: request.env, secrets: "resolve", directory: request.cwd, within } as const;
  const { value, problems } = resolveText(from ?? reference, lookups);
  const [problem] = problems;
  if (problem) throw new RunError("invalid", problem.userMessage);
  const text = value instanceof Secret ? value.reveal() : value;
  const secret = new Secret(
    reference,
    trims ? text.trimEnd() : text,
    value instanceof Secret ? value.source : undefined,
  );
  const key = planKey(request);
  if (hmac === undefined || key === undefined || isSameDigest(computeSecretDigest(secret.reveal(), key), hmac))
    return secret;
  throw new RunError("stale", {
    what: `The secret ${reference} of ${address} is not the one of the reviewed plan.`,
    why: "Nothing was sent.",
    fix: "Run gate-sync plan --out again and have the new plan reviewed, or apply with the secret that it was made with.",
  });
}

/** The place in a state file that is not read any more. */
export function createSavedRange({ path, line, column }: SavedOrigin): SourceRange {
  return { file: { path, text: "", at: { line, column } }, start: 0, end: 0 };
}
