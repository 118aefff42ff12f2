import { RunError } from "../../diagnostics/failure.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import { hideSecrets } from "../../dialects/codec.ts";
import { sameDigest } from "../../json/canonical.ts";
import { Secret } from "../../json/secret.ts";
import { fillSlots, type Slot, secretDigest } from "../../json/slots.ts";
import type { Fields } from "../../json/value.ts";
import { boundaryOf } from "../../load/boundary.ts";
import { resolveText } from "../../load/references.ts";
import type { DesiredResource, DesiredState } from "../../model/desired.ts";
import { type Address, addressOf, type Family, isResourceFamily, type ResourceFamily } from "../../model/names.ts";
import type { FiledDesired, FiledOrigin, FiledPlan } from "../../model/plan-file.ts";
import { planKey } from "../plan-key.ts";
import type { Request } from "../request.ts";

/**
 * What a reviewed plan wants, its secrets got again from the environment and from files.
 *
 * @param path of the plan file, for what has no place in a state file
 * @throws RunError where a secret is missing, or is not the one that was reviewed
 */
export function filedDesiredState(plan: FiledPlan, path: string, request: Request): DesiredState {
  const origins = new Map(plan.changes.map(({ family, name, origin }) => [addressOf(family, name), origin]));
  return desiredFrom(
    { declared: plan.changes.map(({ family }) => family), desired: plan.desired },
    (slot, { family, name }) => secretOf(slot, addressOf(family, name), request, family === "license"),
    (address) => origins.get(address) ?? { path, line: 1, column: 1 },
  );
}

/** The desired state that was written down, each slot of a secret filled by what is handed in. */
export function desiredFrom(
  { declared, desired }: { readonly declared: readonly Family[]; readonly desired: readonly FiledDesired[] },
  fill: (slot: Slot, entry: FiledDesired) => Secret,
  originOf: (address: Address) => FiledOrigin,
): DesiredState {
  const resources = new Map<ResourceFamily, Map<string, DesiredResource>>();
  for (const family of declared) if (isResourceFamily(family)) resources.set(family, new Map());
  let state: Omit<DesiredState, "resources"> = {};
  for (const entry of desired) {
    const { family, name } = entry;
    const value = fillSlots(entry.value, (slot) => fill(slot, entry)) as Fields;
    const origin = rangeOf(originOf(addressOf(family, name)));
    const node = { ...origin, kind: "scalar", value: null } as const;
    if (isResourceFamily(family)) {
      const declaredOne = { family, name, value, origin, node, serverOwned: false };
      resources.set(family, (resources.get(family) ?? new Map()).set(name, declaredOne));
    } else if (family === "config") {
      // Asterisks are known as such only where they stand for a secret.
      const hidden = { dynamic: hideSecrets(value.dynamic ?? {}, "", "in the state file") };
      state = { ...state, config: { value: hidden, origin, node, native: false } };
    } else if (value.text instanceof Secret) {
      state = { ...state, license: { text: value.text, writeAlways: entry.write_always ?? false, origin } };
    }
  }
  return { resources, ...state };
}

/** @param trims what stands around it is no part of it */
function secretOf({ reference, hmac, from }: Slot, address: Address, request: Request, trims: boolean): Secret {
  const within = boundaryOf(request.cwd, request.configPath, []);
  const lookups = { vars: {}, env: request.env, secrets: "resolve", directory: request.cwd, within } as const;
  const { value, problems } = resolveText(from ?? reference, lookups);
  const [problem] = problems;
  if (problem) throw new RunError("invalid", problem.letter);
  const text = value instanceof Secret ? value.reveal() : value;
  const secret = new Secret(
    reference,
    trims ? text.trimEnd() : text,
    value instanceof Secret ? value.source : undefined,
  );
  const key = planKey(request);
  if (hmac === undefined || key === undefined || sameDigest(secretDigest(secret.reveal(), key), hmac)) return secret;
  throw new RunError("stale", {
    what: `The secret ${reference} of ${address} is not the one of the reviewed plan.`,
    why: "Nothing was sent.",
    fix: "Run gate-sync plan --out again and have the new plan reviewed, or apply with the secret that it was made with.",
  });
}

/** The place in a state file that nobody reads any more. */
export function rangeOf({ path, line, column }: FiledOrigin): SourceRange {
  return { file: { path, text: "", at: { line, column } }, start: 0, end: 0 };
}
