import { relative } from "node:path";
import { accessToJson } from "../../access/compare/to-json.ts";
import { positionOf, type SourceRange } from "../../diagnostics/source.ts";
import { mentionsOf } from "../../families/mentions.ts";
import { type SlotOptions, withSlots } from "../../json/slots.ts";
import { holdsSecret, type JsonObject } from "../../json/value.ts";
import { type Change, isPending } from "../../model/change.ts";
import type { DesiredState } from "../../model/desired.ts";
import type { LiveState } from "../../model/live.ts";
import { type Address, addressOf, isResourceFamily } from "../../model/names.ts";
import type { Operation } from "../../model/operation.ts";
import type { Violation } from "../../model/plan.ts";
import type {
  FiledChange,
  FiledDesired,
  FiledOperation,
  FiledOrigin,
  FiledPlan,
  FiledReference,
  FiledViolation,
} from "../../model/plan-file.ts";
import { veiled } from "../../render/secrets.ts";
import { desiredValue, secretsAtStake } from "../at-stake.ts";
import type { Planned } from "../plan.ts";
import { whatToRead } from "../wanted.ts";
import { filedTests } from "./expectations.ts";

/**
 * The plan as a file holds it. The same plan gives the same one, whoever makes it and when.
 *
 * @param cwd what the paths of secrets become relative to
 */
export function filedPlan(
  {
    plan,
    desired,
    live,
    consents,
    expected,
    secret,
  }: Pick<Planned, "plan" | "desired" | "live" | "consents"> & Partial<Pick<Planned, "expected" | "secret">>,
  {
    allowed,
    key,
    cwd,
  }: { readonly allowed: readonly string[]; readonly key: string | undefined; readonly cwd: string },
): FiledPlan {
  const pending = plan.changes.filter(isPending);
  const slots: SlotOptions = { known: secretsAtStake(plan.changes, desired), key };
  const from: SlotOptions["from"] = ({ source }) => source && fromHere(source, cwd);
  const { server, name, url } = plan.target;
  const { needed, reference } = whatToRead(desired);
  const families = new Set(pending.map(({ family }) => family));
  const touched = new Set(pending.map(({ family, name }) => addressOf(family, name)));
  return {
    fingerprint: plan.fingerprint,
    target: {
      name,
      url,
      product: server.product,
      release: server.release,
      stated: server.how === "stated" ? ["product", "release"] : server.how.startsWith("stated;") ? ["product"] : [],
      ...(server.clusterName !== undefined && { cluster_name: server.clusterName }),
      ...(server.clusterUuid !== undefined && { cluster_uuid: server.clusterUuid }),
    },
    changes: pending.map((change) => filedChange(change, slots)),
    desired: filedDesired(pending, desired, { ...slots, from }),
    operations: plan.operations.map((operation) => filedOperation(operation, slots)),
    violations: plan.violations.map(filedViolation),
    lifted: plan.lifted.map(filedViolation),
    ...(plan.access && { access: accessToJson(plan.access) }),
    allowed,
    consents: consents
      .filter(({ addresses }) => addresses.some((address) => touched.has(address)))
      .map((consent) => ({ ...consent, origin: filedOrigin(consent.origin) })),
    ...(expected && filedTests(expected)),
    declared: needed,
    read: [...needed, ...reference],
    ...secretBeside(
      plan.changes.filter((change) => !isPending(change) && families.has(change.family)),
      secret,
    ),
    refers_to: referencesOf(pending, live),
    seen: plan.changes
      .filter(({ family, before }) => before && families.has(family))
      .map(({ family, name }) => addressOf(family, name)),
  };
}

/** What is refused, or means something else, once it is gone. */
function referencesOf(pending: readonly Change[], live: LiveState): readonly FiledReference[] {
  const found = pending.flatMap((change) => {
    const { family, name, after } = change;
    if (!after || !isResourceFamily(family)) return [];
    return mentionsOf({ family, name, value: after })
      .filter((mention) => live.resources.get(mention.to)?.has(mention.name))
      .map((mention) => ({ address: addressOf(mention.to, mention.name), by: addressOf(family, name) }));
  });
  return [...new Map(found.map((reference) => [reference.address, reference])).values()];
}

function secretBeside(
  unchanged: readonly Change[],
  roles: ReadonlySet<Address> = new Set(),
): Pick<FiledPlan, "secret"> {
  const held = unchanged.filter((change) => holdsSecret(veiled(change).before ?? {}));
  const secret = [...new Set([...held.map(({ family, name }) => addressOf(family, name)), ...roles])];
  return secret.length > 0 ? { secret } : {};
}

export function filedChange(change: Change, slots: SlotOptions): FiledChange {
  const { family, name, action, edits, before, origin } = veiled(change);
  return {
    family,
    name,
    action,
    edits: edits.map((edit) => ({
      path: edit.path,
      ...(edit.before !== undefined && { before: withSlots(edit.before, slots) }),
      ...(edit.after !== undefined && { after: withSlots(edit.after, slots) }),
    })),
    ...(before && { basis: withSlots(before, slots) }),
    ...(origin && { origin: filedOrigin(origin) }),
  };
}

export function filedOperation({ body, midway: _, ...operation }: Operation, slots: SlotOptions): FiledOperation {
  return { ...operation, ...(body !== undefined && { body: withSlots(body, slots) }) };
}

export function filedViolation({ rule, family, what, addresses }: Omit<Violation, "remedies">): FiledViolation {
  return { rule, ...(family && { family }), what, addresses };
}

/** What is changed and what that refers to, as far as it is declared. */
function filedDesired(pending: readonly Change[], desired: DesiredState, slots: SlotOptions): readonly FiledDesired[] {
  const found = new Map<string, FiledDesired>();
  const add = (family: Change["family"], name: string): void => {
    const value = desiredValue(desired, family, name);
    if (value === undefined) return;
    const writesAlways = family === "license" && desired.license?.writeAlways;
    found.set(addressOf(family, name), {
      family,
      name,
      value: withSlots(value, slots) as JsonObject,
      ...(writesAlways && { write_always: true }),
    });
  };
  for (const { family, name } of pending) add(family, name);
  for (const { family, name } of pending) {
    const declared = isResourceFamily(family) ? desired.resources.get(family)?.get(name) : undefined;
    for (const mention of declared ? mentionsOf(declared) : []) {
      if (!found.has(addressOf(mention.to, mention.name))) add(mention.to, mention.name);
    }
  }
  return [...found.values()];
}

function filedOrigin({ file, start }: SourceRange): FiledOrigin {
  return { path: file.path, ...positionOf(file, start) };
}

/** A pipeline applies in another folder than it planned in. */
function fromHere(source: string, cwd: string): string {
  return source.replace(/^\$\{file:(.*)\}$/s, (_, path: string) => `\${file:${relative(cwd, path)}}`);
}
