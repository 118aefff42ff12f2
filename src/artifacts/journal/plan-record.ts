import { writesCredentials } from "../../families/credentials.ts";
import { computeDigest } from "../../json/canonical.ts";
import { Secret } from "../../json/secret.ts";
import { collectSecrets } from "../../json/slots.ts";
import { isList, isObject, type Value } from "../../json/value.ts";
import { type Change, isPending } from "../../model/change.ts";
import type { DesiredState } from "../../model/desired.ts";
import type { JournalScope, PlanRecord, RunBeginning, UnmanagedFamily } from "../../model/journal.ts";
import { createAddress, type Family, isResourceFamily } from "../../model/names.ts";
import { getLeftIntermediate } from "../../model/operation.ts";
import type { SavedDesired } from "../../model/plan-file.ts";
import { getMode, type Policies } from "../../model/policy.ts";
import type { DecidedPlan } from "../../plan/decided-plan.ts";
import { findChangedSecrets, getDesiredValue } from "../../secrets/changed.ts";
import { redactChange } from "../../secrets/redact.ts";
import { encodeDesired } from "../desired.ts";
import type { KnownRun } from "./known-run.ts";
import { listKeptOpenPasswords } from "./open-passwords.ts";

/** What a record says of a plan that the plan itself does not hold. */
export interface Circumstances {
  readonly time: string;
  readonly command: RunBeginning["command"];
  /** `--family`. */
  readonly families?: readonly Family[];
  /** The name of the backup. */
  readonly backup?: string;
  /** The last run on the target before this one, where it is known. */
  readonly before?: KnownRun;
}

/**
 * The plan as a journal holds it: enough to find out afterwards what took effect and who changed what. It holds no secret.
 */
export function encodeJournaledPlan(
  planned: DecidedPlan,
  { time, command, families, backup, before }: Circumstances,
): PlanRecord {
  const { plan, desired } = planned;
  const pending = plan.changes.filter(isPending);
  const unmanaged = before ? listUnmanaged(before, planned) : [];
  // An entry that a rollback does not change came from the server, which may hold a secret in it as plain text.
  const changed = new Set(pending.map(({ family, name }) => createAddress(family, name)));
  const isRecorded = ({ family, name }: SavedDesired) =>
    command !== "rollback" || changed.has(createAddress(family, name));
  const scope = determineScope(planned, command, families);
  const passwords = before ? listKeptOpenPasswords(before, planned, { command, scope }) : [];
  return {
    record: "plan",
    time,
    fingerprint: plan.fingerprint,
    ...(planned.planned !== undefined && { planned: planned.planned }),
    ...(backup !== undefined && { backup }),
    operations: plan.operations.map(({ family, method, path, names }) => ({
      method,
      path,
      addresses: names.map((name) => createAddress(family, name)),
    })),
    changes: pending.map((change) => {
      const before = digestBefore(change);
      const intermediate = getLeftIntermediate(plan.operations, change).flatMap(
        (left) => digestBefore({ ...change, before: left }) ?? [],
      );
      return {
        family: change.family,
        name: change.name,
        action: change.action,
        ...(before !== undefined && { before }),
        ...(intermediate.length > 0 && { intermediate }),
        ...(change.action === "update" && writesCredentials(change) && { rotates: true }),
      };
    }),
    waived: plan.waived.map(({ rule, addresses }) => ({ rule, addresses })),
    declared: listDeclared(desired),
    ...(unmanaged.length > 0 && { unmanaged }),
    ...(passwords.length > 0 && { passwords }),
    ...listLeft(plan.changes, scope),
    ...recordNames(planned.target.families),
    desired: encodeAllDesired(planned).filter(isRecorded),
    scope,
  };
}

/** The families that runs up to this one managed: declared by it, or by an earlier one and not since. */
export function listManagedUntil({ begin, plan }: KnownRun): readonly UnmanagedFamily[] {
  // What a rollback declares is what the server has.
  const last = begin.command === "rollback" ? [] : plan.declared;
  return [
    ...last.map((family) => ({ family, since: begin.time })),
    ...(plan.unmanaged ?? []).filter(({ family }) => !last.includes(family)),
  ];
}

function listUnmanaged(before: KnownRun, { desired, target }: DecidedPlan): readonly UnmanagedFamily[] {
  const declared = listDeclared(desired);
  return listManagedUntil(before).filter(
    ({ family }) => !declared.includes(family) && getMode(family, target.families) !== "observe",
  );
}

/** Digest of the live value, its secrets blanked; undefined for what is not there. */
export function digestBefore(change: Change): string | undefined {
  const { before } = redactChange(change);
  return before && computeDigest(blankSecrets(before));
}

function listLeft(changes: readonly Change[], scope: JournalScope): Pick<PlanRecord, "left"> {
  const left = changes.flatMap((change) => {
    const isLeft = change.after ? change.edits.length > 0 : change.live?.ownership === "open";
    return isLeft && !isPending(change) ? [createAddress(change.family, change.name)] : [];
  });
  const about = scope.of === "changes" && scope.only ? left.filter((address) => scope.only?.includes(address)) : left;
  return about.length > 0 ? { left: about } : {};
}

function recordNames(policies: Policies): Pick<PlanRecord, "names"> {
  const stated = Object.entries(policies).flatMap(([family, { include, exclude }]) =>
    include || exclude ? [[family, { ...(include && { include }), ...(exclude && { exclude }) }] as const] : [],
  );
  return stated.length > 0 ? { names: Object.fromEntries(stated) } : {};
}

function determineScope(
  { plan, live, only, named }: DecidedPlan,
  command: RunBeginning["command"],
  families: readonly Family[] | undefined,
): JournalScope {
  if (!only && command === "apply") return families ? { of: "families", families } : { of: "all" };
  const pending = plan.changes.filter(isPending);
  const changed = [...new Set(pending.map(({ family }) => family))].filter(isResourceFamily);
  const seen = changed.flatMap((family) =>
    [...(live.resources.get(family)?.keys() ?? [])].map((name) => createAddress(family, name)),
  );
  const meant = command === "rollback" ? pending.map(({ family, name }) => createAddress(family, name)) : named;
  return { of: "changes", seen, ...(meant && { only: [...meant] }) };
}

function listDeclared({ resources, config, license }: DesiredState): readonly Family[] {
  return [...resources.keys(), ...(config ? (["config"] as const) : []), ...(license ? (["license"] as const) : [])];
}

function encodeAllDesired({ plan, desired }: DecidedPlan): readonly SavedDesired[] {
  const entries = listDeclared(desired).flatMap((family) => {
    const names = isResourceFamily(family) ? [...(desired.resources.get(family)?.keys() ?? [])] : [family];
    return names.map((name) => ({ family, name }));
  });
  const values = entries.flatMap(({ family, name }) => getDesiredValue(desired, family, name) ?? []);
  const known = new Map([...collectSecrets(values), ...findChangedSecrets(plan.changes, desired)]);
  return entries.flatMap((entry) => encodeDesired(entry, desired, { known }) ?? []);
}

/** The value with an empty string replacing every secret. */
export function blankSecrets(value: Value): Value {
  if (value instanceof Secret) return "";
  if (isList(value)) return value.map((item) => blankSecrets(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, blankSecrets(item)]));
}
