import { withoutCredentials, writesCredentials } from "../../families/credentials.ts";
import { factsOf } from "../../families/index.ts";
import { getUnknownFields } from "../../families/unknown.ts";
import { computeDigest } from "../../json/canonical.ts";
import { Secret } from "../../json/secret.ts";
import { type Fields, holdsSecret, isEqual, isList, isObject, type Value } from "../../json/value.ts";
import { keptOnServer } from "../../load/reference-text.ts";
import type { BackedUpChange, Backup } from "../../model/backup.ts";
import { type Change, isPending } from "../../model/change.ts";
import type { LiveFamily } from "../../model/live.ts";
import { createAddress, type Family, families, isResourceFamily, type ResourceFamily } from "../../model/names.ts";
import { getLeftIntermediate, type Operation } from "../../model/operation.ts";
import type { DecidedPlan } from "../../plan/decided-plan.ts";
import { redactChange } from "../../secrets/redact.ts";
import { type Document, exportConfig, exportFamily } from "../exported/entries.ts";
import { renderStateFiles } from "../exported/files.ts";
import { writeBackup } from "./file.ts";

/**
 * Writes what the server held when the plan was made: every family that the plan touches, as state files without secrets,
 * and beside them a manifest of what the plan is about to change. Undefined for a plan that changes nothing.
 *
 * @param stateDir absolute
 * @throws RunError `failed` where it cannot be written: then nothing may be sent
 */
export async function saveBackup(planned: DecidedPlan, stateDir: string, now: Date): Promise<Backup | undefined> {
  const { plan } = planned;
  if (plan.operations.length === 0) return undefined;
  const touched = families.filter((family) => plan.operations.some((operation) => operation.family === family));
  const documents = touched.flatMap((family) => exportTouched(family, planned));
  const manifest = describeBackup(planned, documents, now);
  return writeBackup(stateDir, { target: plan.target, body: manifest }, renderStateFiles(documents, false));
}

/** Nothing for a license: no server shows its text. */
function exportTouched(family: Family, planned: DecidedPlan): readonly Document[] {
  const { plan, target, detected } = planned;
  const changes = plan.changes.filter((change) => change.family === family);
  if (isResourceFamily(family)) {
    const policy = target.families[family];
    return [exportFamily(family, redactFamily(family, changes, planned), policy, detected.dialect)];
  }
  const [change] = changes;
  const before = family === "config" && change ? redactChange(change).before : undefined;
  return before ? [exportConfig(before, keptOnServer)] : [];
}

/** What the server holds of the family, redacted; without entries of which only the address says that they hold a secret. */
function redactFamily(
  family: ResourceFamily,
  changes: readonly Change[],
  { live, secret, isSecretByAddress }: DecidedPlan,
): LiveFamily {
  const decided = new Map(changes.map((change) => [change.name, change]));
  const held = [...(live.resources.get(family) ?? [])];
  return new Map(
    held.flatMap(([name, resource]) => {
      const change = decided.get(name);
      const isLeft = !change || !isPending(change);
      if (isLeft && isSecretByAddress && secret.has(createAddress(family, name))) return [];
      const shown = change && redactChange(change).before;
      return [[name, shown ? { ...(change.live ?? resource), value: shown } : resource] as const];
    }),
  );
}

function describeBackup({ plan, secret }: DecidedPlan, documents: readonly Document[], now: Date) {
  const config = plan.changes.find((change) => change.family === "config" && isPending(change));
  return {
    time: now.toISOString(),
    families: documents.map(({ family }) => family),
    changes: plan.changes.filter(isPending).map((change) => describeBackedUp(change, plan.operations)),
    config_children: config ? listChangedChildren(config) : [],
    secrets_replaced: [
      ...(config ? listReplacedSecrets(redactChange(config).before, config.after, []) : []),
      ...listRotated(plan.changes),
    ],
    ...(secret.size > 0 && { secret: [...secret] }),
  };
}

function describeBackedUp(change: Change, operations: readonly Operation[]): BackedUpChange {
  const { family, name, action, before } = change;
  const after = change.after && withoutCredentials(family, change.after);
  const intermediate = getLeftIntermediate(operations, change).map((left) => withoutCredentials(family, left));
  const isExplained =
    !(after && holdsSecret(after)) &&
    !intermediate.some((left) => holdsSecret(redactChange({ ...change, before: left }).before ?? left));
  const unknown = isResourceFamily(family) ? listUnknownFields(family, before) : [];
  return {
    family,
    name,
    action,
    ...(isResourceFamily(family) && after && isExplained && { after: computeDigest(after) }),
    ...(intermediate.length > 0 && isExplained && { intermediate: intermediate.map(computeDigest) }),
    ...(unknown.length > 0 && { unknown_fields: unknown }),
  };
}

/** Names of fields, of the entry and of the permissions in it, that gate-sync does not know. */
function listUnknownFields(family: ResourceFamily, value: Fields = {}): readonly string[] {
  const facts = factsOf[family].fields;
  const below = Object.entries(facts).flatMap(([name, { element }]) => {
    const items = value[name];
    if (!element || !isList(items)) return [];
    return items.filter(isObject).flatMap((item) => Object.keys(item).filter((key) => !Object.hasOwn(element, key)));
  });
  return [...new Set([...Object.keys(getUnknownFields(value, facts)), ...below])];
}

function listChangedChildren({ before, after }: Change): readonly string[] {
  const [old, wanted] = [getDynamicConfig(before), getDynamicConfig(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(wanted)])];
  return names.filter((name) => !isEqual(old[name], wanted[name]));
}

export function getDynamicConfig(document: Fields | undefined): Fields {
  return isObject(document?.dynamic) ? document.dynamic : {};
}

/** Places of secrets that are replaced or removed: `dynamic.authc.ldap.authentication_backend.config.password`. */
function listReplacedSecrets(before: Value | undefined, after: Value | undefined, path: readonly string[]): string[] {
  if (before instanceof Secret) {
    const isEmpty = before.resolved && before.reveal() === "";
    return isEmpty || isEqual(before, after) ? [] : [path.join(".")];
  }
  const below = isList(before) ? before.map((item, at) => [String(at), item] as const) : membersOf(before);
  const beside = new Map<string, Value>(isList(after) ? after.map((item, at) => [String(at), item]) : membersOf(after));
  return below.flatMap(([name, item]) => listReplacedSecrets(item, beside.get(name), [...path, name]));
}

function listRotated(changes: readonly Change[]): readonly string[] {
  const rotated = changes.filter((change) => change.action === "update" && writesCredentials(change));
  return rotated.map(({ family, name }) => `the password of ${createAddress(family, name)}`);
}

function membersOf(value: Value | undefined): readonly (readonly [string, Value])[] {
  return isObject(value) ? Object.entries(value) : [];
}
