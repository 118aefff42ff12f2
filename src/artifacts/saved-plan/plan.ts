import { relative } from "node:path";
import { renderAccessJson } from "../../access/compare/to-json.ts";
import { withoutCredentials, writesCredentials } from "../../families/credentials.ts";
import { listMentions } from "../../families/mentions.ts";
import { encryptText } from "../../json/encryption.ts";
import { plainTextReference, type Secret } from "../../json/secret.ts";
import { putSecretsInSlots, type SlotOptions } from "../../json/slots.ts";
import { holdsSecret } from "../../json/value.ts";
import { listFamiliesToRead } from "../../live/wanted.ts";
import { inputPath } from "../../load/files.ts";
import type { TargetFlags } from "../../load/target.ts";
import type { Artifact } from "../../model/artifact.ts";
import { type Change, isPending } from "../../model/change.ts";
import type { DesiredResource, DesiredState } from "../../model/desired.ts";
import type { LiveState } from "../../model/live.ts";
import { type Address, createAddress, isResourceFamily, toEntryAddress } from "../../model/names.ts";
import { type Operation, withoutTests } from "../../model/operation.ts";
import type { Violation } from "../../model/plan.ts";
import type {
  SavedChange,
  SavedDesired,
  SavedOperation,
  SavedPlan,
  SavedReference,
  SavedViolation,
} from "../../model/plan-file.ts";
import type { DecidedPlan } from "../../plan/decided-plan.ts";
import { findChangedSecrets } from "../../secrets/changed.ts";
import { redactChange } from "../../secrets/redact.ts";
import { encodeDesired, encodeOrigin } from "../desired.ts";
import { isDerivable } from "./derived.ts";
import { encodeExpectations } from "./expectations.ts";

/**
 * The plan as a plan file holds it. Equal plans are encoded equally, at any time and for any user.
 *
 * @param allowed the guards that `--allow` waived
 * @param folder of the plan file: paths of secrets become relative to it
 * @param flags what of the files was given by them
 */
export function encodeSavedPlan(
  {
    plan,
    target,
    desired: declared,
    live,
    policies,
    waivers = [],
    expected,
    secret,
    referencesThen,
    named,
  }: DecidedPlan,
  {
    allowed,
    key,
    folder,
    flags,
  }: Pick<SavedPlan, "allowed"> & {
    readonly key: string | undefined;
    readonly folder: string;
    readonly flags: TargetFlags;
  },
): Artifact<SavedPlan> {
  const pending = plan.changes.filter(isPending);
  const desired = withWrittenCredentials(declared, plan.changes);
  const slots: SlotOptions = { known: findChangedSecrets(plan.changes, desired), key };
  const from: SlotOptions["from"] = ({ source }) => source && relativeSource(source, folder);
  const encrypt: SlotOptions["encrypt"] = (secret) =>
    key !== undefined && isOnlyInStateFile(secret) ? encryptText(secret.reveal(), key) : undefined;
  const { server, name, url } = plan.target;
  const { needed, reference } = listFamiliesToRead(desired, policies);
  const families = new Set(pending.map(({ family }) => family));
  const touched = new Set(pending.map(({ family, name }) => createAddress(family, name)));
  // Without what only this identity knows, such as how it found the product out.
  const { product, release, clusterName, clusterUuid } = server;
  const cluster = {
    ...(clusterName !== undefined && { clusterName }),
    ...(clusterUuid !== undefined && { clusterUuid }),
  };
  const changes = pending.map((change) => encodeSavedChange(change, slots));
  const given: SavedPlan["given"] = [
    ...(flags.statePaths.length > 0 || target.state.includes(inputPath) ? (["state"] as const) : []),
    ...(Object.keys(flags.vars ?? {}).length > 0 ? (["vars"] as const) : []),
  ];
  const body: SavedPlan = {
    fingerprint: plan.fingerprint,
    stated: server.how === "stated" ? ["product", "release"] : server.how.startsWith("stated;") ? ["product"] : [],
    ...(given.length > 0 && { given }),
    changes,
    desired: encodeConcerned(changes, desired, { ...slots, from, encrypt }),
    operations: plan.operations.map((operation) => encodeSavedOperation(operation, slots)),
    violations: plan.violations.map(encodeSavedViolation),
    waived: plan.waived.map(encodeSavedViolation),
    ...(plan.access && { access: renderAccessJson(plan.access) }),
    allowed,
    waivers: waivers
      .filter(({ addresses }) => addresses.some((address) => touched.has(toEntryAddress(address))))
      .map((waiver) => ({ ...waiver, origin: encodeOrigin(waiver.origin) })),
    ...(expected && encodeExpectations(expected)),
    declared: needed,
    read: [...needed, ...reference],
    ...listUnchangedSecrets(
      plan.changes.filter((change) => !isPending(change) && families.has(change.family)),
      secret,
    ),
    ...(referencesThen && touched.has("config") && { config_references: Object.fromEntries(referencesThen) }),
    ...(named && { only: [...named] }),
    refers_to: listReferences(pending, live),
    seen: plan.changes
      .filter((change) => change.before && !isPending(change) && families.has(change.family))
      .map(({ family, name }) => createAddress(family, name)),
  };
  return { target: { name, url, server: { product, release, ...cluster } }, body };
}

/** Whether apply, which reads no state file, could not get it again: it is encrypted by the key of the plan. */
export function isOnlyInStateFile(secret: Secret): boolean {
  return secret.source === undefined && secret.resolved && secret.reference === plainTextReference;
}

/** Without the passwords and hashes of users that the plan writes without them: apply has no need of them. */
export function withWrittenCredentials(desired: DesiredState, changes: readonly Change[]): DesiredState {
  const users = desired.resources.get("internal_users");
  if (!users) return desired;
  const written = new Set(
    changes.filter((change) => isPending(change) && writesCredentials(change)).map(({ name }) => name),
  );
  const kept = [...users].map(([name, user]): [string, DesiredResource] => [
    name,
    written.has(name) ? user : { ...user, value: withoutCredentials("internal_users", user.value) },
  ]);
  return { ...desired, resources: new Map([...desired.resources, ["internal_users", new Map(kept)]]) };
}

/** What changed entries refer to and the server has: without it they would be refused, or mean something else. */
function listReferences(pending: readonly Change[], live: LiveState): readonly SavedReference[] {
  const found = pending.flatMap((change) => {
    const { family, name, after } = change;
    if (!after || !isResourceFamily(family)) return [];
    return listMentions({ family, name, value: after })
      .filter((mention) => live.resources.get(mention.to)?.has(mention.name))
      .map((mention) => ({ address: createAddress(mention.to, mention.name), by: createAddress(family, name) }));
  });
  return [...new Map(found.map((reference) => [reference.address, reference])).values()];
}

function listUnchangedSecrets(unchanged: readonly Change[], roles: ReadonlySet<Address>): Pick<SavedPlan, "secret"> {
  const held = unchanged.filter((change) => holdsSecret(redactChange(change).before ?? {}));
  const secret = [...new Set([...held.map(({ family, name }) => createAddress(family, name)), ...roles])];
  return secret.length > 0 ? { secret } : {};
}

export function encodeSavedChange(change: Change, slots: SlotOptions): SavedChange {
  const { family, name, action, edits, before, origin } = redactChange(change);
  return {
    family,
    name,
    action,
    edits: edits.map((edit) => ({
      path: edit.path,
      ...(edit.after !== undefined && { after: putSecretsInSlots(edit.after, slots) }),
    })),
    ...(before && { basis: putSecretsInSlots(before, slots) }),
    ...(origin && { origin: encodeOrigin(origin) }),
  };
}

export function encodeSavedOperation(sent: Operation, slots: SlotOptions): SavedOperation {
  const { body, intermediate: _, ...operation } = withoutTests(sent);
  return { ...operation, ...(body !== undefined && { body: putSecretsInSlots(body, slots) }) };
}

export function encodeSavedViolation({ rule, family, what, addresses }: Omit<Violation, "remedies">): SavedViolation {
  return { rule, ...(family && { family }), what, addresses };
}

/** The declared values of what is changed, where its edits do not give them, and of what that refers to. */
function encodeConcerned(
  pending: readonly SavedChange[],
  desired: DesiredState,
  slots: SlotOptions,
): readonly SavedDesired[] {
  const referred = pending.flatMap(({ family, name }) => {
    const declared = isResourceFamily(family) ? desired.resources.get(family)?.get(name) : undefined;
    return declared ? listMentions(declared).map(({ to, name }) => ({ family: to, name })) : [];
  });
  const changed = new Map(pending.map((change) => [createAddress(change.family, change.name), change]));
  const entries = [...pending, ...referred].map((entry) => [createAddress(entry.family, entry.name), entry] as const);
  return [...new Map(entries)].flatMap(([address, entry]) => {
    const saved = encodeDesired(entry, desired, slots);
    const change = changed.get(address);
    return saved && !(change && isDerivable(change, saved)) ? [saved] : [];
  });
}

/** A relative path: pipelines apply in another folder than they plan in. */
function relativeSource(source: string, folder: string): string {
  return source.replace(/^\$\{file:(.*)\}$/s, (_, path: string) => `\${file:${relative(folder, path)}}`);
}
