import type { JsonObject } from "../json/value.ts";
import type { ResourceFamily } from "../model/names.ts";
import { parseBody } from "./body.ts";
import { collectKnownFields, convertToStored } from "./fields.ts";
import type { Behaviour } from "./products/behaviour.ts";
import { bodyRequired, createMissingReply, createReply, createUnparsableReply, type Reply } from "./reply.ts";
import { showCollection, showSingle } from "./shape.ts";
import { type Entries, withEntry, withoutEntry } from "./state.ts";
import { explainStoreRefusal } from "./validation.ts";

/** What became of a family: the answer, and its entries afterwards, the very same where nothing was written. */
export interface FamilyOutcome {
  readonly reply: Reply;
  readonly entries: Entries;
}

export function getAll(family: ResourceFamily, entries: Entries, behaviour: Behaviour): FamilyOutcome {
  return { reply: { status: 200, json: showCollection(family, entries, behaviour) }, entries };
}

export function getOne(family: ResourceFamily, name: string, entries: Entries, behaviour: Behaviour): FamilyOutcome {
  const entry = entries.get(name);
  if (entry === undefined || entry.hidden === true) return { reply: createMissingReply(name), entries };
  return { reply: { status: 200, json: showSingle(family, name, entry, behaviour) }, entries };
}

/** Checks in the order of real servers: the body, hidden, reserved. A create is 201, a replacement 200. */
export function putOne(
  family: ResourceFamily,
  name: string,
  body: string,
  entries: Entries,
  behaviour: Behaviour,
): FamilyOutcome {
  const refused = (reply: Reply): FamilyOutcome => ({ reply, entries });
  // A tenant needs no payload, so an empty body is parsed, and fails there.
  if (body.trim() === "" && family !== "tenants") return refused(bodyRequired);
  const parsed = parseBody(body);
  if ("problem" in parsed) return refused(createUnparsableReply(parsed.problem));
  const known = collectKnownFields(family, entries, behaviour);
  const refusal = explainStoreRefusal(parsed.value, known, behaviour);
  if (refusal !== undefined) return refused(refusal);
  const before = entries.get(name);
  if (before?.hidden === true) return refused(createReply(403, `Resource '${name}' is not available.`));
  if (isReadOnly(before)) return refused(readOnly(name));
  const outcome = before === undefined ? "created" : "updated";
  const named = outcome === "created" && behaviour.statesCreated.has(family) ? "CREATED" : "OK";
  return {
    reply: createReply(
      outcome === "created" ? 201 : 200,
      behaviour.written(behaviour.kinds[family], name, outcome),
      named,
    ),
    entries: withEntry(entries, name, convertToStored(parsed.value as JsonObject, known)),
  };
}

/** Checks in the order of real servers: hidden, reserved, missing. */
export function deleteResource(
  family: ResourceFamily,
  name: string,
  entries: Entries,
  behaviour: Behaviour,
): FamilyOutcome {
  const before = entries.get(name);
  const kind = behaviour.kinds[family];
  if (before?.hidden === true) return { reply: createNotFoundReply(kind, name), entries };
  if (isReadOnly(before)) return { reply: readOnly(name), entries };
  if (before === undefined) return { reply: createNotFoundReply(kind, name), entries };
  return { reply: createReply(200, behaviour.written(kind, name, "deleted")), entries: withoutEntry(entries, name) };
}

export function isReadOnly(entry: JsonObject | undefined): boolean {
  return entry?.reserved === true || entry?.static === true;
}

export function readOnly(name: string): Reply {
  return createReply(403, `Resource '${name}' is read-only.`);
}

/** Deletes and patches say it in other words than reads. */
export function createNotFoundReply(kind: string, name: string): Reply {
  return createReply(404, `${kind} ${name} not found.`);
}
