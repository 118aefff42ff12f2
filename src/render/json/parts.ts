import type { SourceRange } from "../../diagnostics/source.ts";
import { withSortedKeys } from "../../json/canonical.ts";
import type { Edit } from "../../json/patch.ts";
import type { Json, JsonObject } from "../../json/value.ts";
import { createAddress } from "../../model/names.ts";
import type { TargetSummary } from "../../model/plan.ts";
import type { WeakenedProtection } from "../../model/since.ts";
import { redactValue } from "../../secrets/redact.ts";
import type { ChangeView } from "../views/change.ts";
import type { EntryHead } from "../views/family.ts";
import { toSpan } from "../views/place.ts";
import type { RequestView } from "../views/request.ts";

// What documents of several commands share.

/** Rises when a program that reads the output would have to be changed; new fields alone do not raise it. */
export const formatVersion = 1;

/** Without credentials, and how the server is known. */
export function renderTargetJson({ name, url, snapshot, identity, server }: TargetSummary): JsonObject {
  const { product, release, how, engine, clusterName, clusterUuid } = server;
  const known = omitAbsent({ engine, cluster_name: clusterName, cluster_uuid: clusterUuid });
  return { name, url, snapshot, ...omitAbsent({ identity }), server: { product, release, how, ...known } };
}

/** What a plan and a report say of every entry. */
export function renderHeadJson({ family, name, action, reason }: Omit<EntryHead, "origin">): JsonObject {
  return { address: createAddress(family, name), family, name, action, reason };
}

export function renderEntryJson(entry: EntryHead): JsonObject {
  const { origin, passwordUnknown } = entry;
  return {
    ...renderHeadJson(entry),
    ...(passwordUnknown && { password_unknown: true }),
    ...(origin && renderOriginJson(origin)),
  };
}

/** Where an entry is declared: the fields of whatever is about it. */
export function renderOriginJson(origin: SourceRange): JsonObject {
  const { generatedFor, overriddenAt } = origin;
  return {
    origin: toSpan(origin),
    ...(generatedFor && { generated_for: toSpan(generatedFor) }),
    ...(overriddenAt && { overridden_in: overriddenAt.map(toSpan) }),
  };
}

export function renderChangeJson(change: ChangeView): JsonObject {
  const { edits, before, after, unknown } = change;
  return {
    ...renderEntryJson(change),
    edits: edits.map(editJson),
    ...(unknown && { unknown_fields: unknown.map(({ path, value }) => ({ path, value: redactValue(value) })) }),
    // A config keeps the order in which its server lists things: no byte here depends on it.
    ...(before === undefined ? {} : { before: redactValue(withSortedKeys(before)) }),
    ...(after === undefined ? {} : { after: redactValue(withSortedKeys(after)) }),
  };
}

function editJson({ path, before, after }: Edit): JsonObject {
  return {
    path,
    ...(before === undefined ? {} : { before: redactValue(before) }),
    ...(after === undefined ? {} : { after: redactValue(after) }),
  };
}

/** Without the body: it may be large, and holds live values that the changes show already, secrets hidden. */
export function renderRequestJson({
  family,
  method,
  path,
  names,
  bulk,
  bytes,
  reason,
  estimate,
}: RequestView): JsonObject {
  return { family, method, path, names, bulk, ...omitAbsent({ bytes, reason, estimated_milliseconds: estimate }) };
}

/** The fields that have a value: JSON knows no undefined. */
export function omitAbsent(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

/** What is weaker than at the commit of `--base`. */
export function renderProtectionJson({ kind, name, place, before, after, note }: WeakenedProtection): JsonObject {
  return { kind, ...omitAbsent({ name }), place, before, after, ...omitAbsent({ note }) };
}
