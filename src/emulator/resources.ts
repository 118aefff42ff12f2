import type { JsonObject } from "../json/value.ts";
import type { ResourceFamily } from "../model/names.ts";
import { parseBody } from "./body.ts";
import { asStored, knownFields } from "./fields.ts";
import type { Behaviour } from "./products/behaviour.ts";
import { bodyRequired, noSuchResource, type Reply, said, unparsable } from "./reply.ts";
import { collectionShape, singleShape } from "./shape.ts";
import { type Entries, withEntry, withoutEntry } from "./state.ts";
import { refusalOf } from "./validation.ts";

/** What became of a family: the answer, and its entries afterwards, the very same where nothing was written. */
export interface FamilyOutcome {
  readonly reply: Reply;
  readonly entries: Entries;
}

export function getAll(family: ResourceFamily, entries: Entries, behaviour: Behaviour): FamilyOutcome {
  return { reply: { status: 200, json: collectionShape(family, entries, behaviour) }, entries };
}

export function getOne(family: ResourceFamily, name: string, entries: Entries, behaviour: Behaviour): FamilyOutcome {
  const entry = entries.get(name);
  if (entry === undefined || entry.hidden === true) return { reply: noSuchResource(name), entries };
  return { reply: { status: 200, json: singleShape(family, name, entry, behaviour) }, entries };
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
  if ("problem" in parsed) return refused(unparsable(parsed.problem));
  const known = knownFields(family, entries, behaviour);
  const refusal = refusalOf(parsed.value, known, behaviour);
  if (refusal !== undefined) return refused(refusal);
  const before = entries.get(name);
  if (before?.hidden === true) return refused(said(403, `Resource '${name}' is not available.`));
  if (isReadOnly(before)) return refused(readOnly(name));
  const outcome = before === undefined ? "created" : "updated";
  const named = outcome === "created" && behaviour.saysCreated.has(family) ? "CREATED" : "OK";
  return {
    reply: said(outcome === "created" ? 201 : 200, behaviour.written(behaviour.kinds[family], name, outcome), named),
    entries: withEntry(entries, name, asStored(parsed.value as JsonObject, known)),
  };
}

/** Checks in the order of real servers: hidden, reserved, missing. */
export function deleteOne(family: ResourceFamily, name: string, entries: Entries, behaviour: Behaviour): FamilyOutcome {
  const before = entries.get(name);
  const kind = behaviour.kinds[family];
  if (before?.hidden === true) return { reply: notFound(kind, name), entries };
  if (isReadOnly(before)) return { reply: readOnly(name), entries };
  if (before === undefined) return { reply: notFound(kind, name), entries };
  return { reply: said(200, behaviour.written(kind, name, "deleted")), entries: withoutEntry(entries, name) };
}

export function isReadOnly(entry: JsonObject | undefined): boolean {
  return entry?.reserved === true || entry?.static === true;
}

export function readOnly(name: string): Reply {
  return said(403, `Resource '${name}' is read-only.`);
}

/** Deletes and patches say it in other words than reads. */
export function notFound(kind: string, name: string): Reply {
  return said(404, `${kind} ${name} not found.`);
}
