import { AppliedAlreadyError, RunError } from "../../diagnostics/failure.ts";
import { encodeCanonical } from "../../json/canonical.ts";
import { findEdits } from "../../json/patch.ts";
import { isObject, type Json, type JsonObject, type Value } from "../../json/value.ts";
import type { LiveState } from "../../model/live.ts";
import { createAddress, isResourceFamily } from "../../model/names.ts";
import { withoutTests } from "../../model/operation.ts";
import type { SavedChange, SavedOperation, SavedPlan } from "../../model/plan-file.ts";
import { isOfThePlan } from "../../plan/fingerprint.ts";
import { listSavedAccess } from "./access-lines.ts";
import { listWholeEdits } from "./derived.ts";

/** What a plan decides: of a saved plan, and of the plan that is made again to compare with it. */
export type SavedDecisions = Pick<SavedPlan, "changes" | "operations" | "violations">;

/** How many differences a message shows: planning again shows them all. */
const mostExplained = 10;

/**
 * @throws RunError `stale` if the server no longer has something that a changed entry refers to. Families that were not
 * read count as unchanged.
 */
export function refuseIfGone({ refers_to: references }: SavedPlan, { resources }: LiveState): void {
  const gone = references.filter(({ address }) => {
    const [family = "", ...name] = address.split("/");
    return isResourceFamily(family) && resources.get(family)?.has(name.join("/")) === false;
  });
  if (gone.length === 0) return;
  const shown = gone.map(({ address, by }) => `${address}, which ${by} refers to, is gone`);
  throw createStaleMessage("The reviewed plan no longer holds: what it refers to is gone.", shown);
}

/** @throws RunError `stale`, with what differs, if anything is decided otherwise than in the saved plan */
export function refuseIfMoved(reviewed: SavedDecisions, now: SavedDecisions): void {
  if (encodeDecisions(reviewed) === encodeDecisions(now)) return;
  const moved = listDifferences(reviewed, now);
  const isDone =
    now.changes.every(({ action, edits }) => action === "leave" && edits.length === 0) && now.violations.length === 0;
  if (!isDone) {
    const isOnlyRefused = encodeDecisions({ ...now, violations: reviewed.violations }) === encodeDecisions(reviewed);
    const cause = isOnlyRefused ? "a guard decides otherwise now" : "the server has changed since";
    throw createStaleMessage(`The reviewed plan no longer holds: ${cause}.`, moved);
  }
  throw new AppliedAlreadyError({
    what: "The reviewed plan no longer holds: all its changes are made already.",
    why: explainMoved(moved),
    fix: "There is nothing left to do.",
  });
}

/** @throws RunError `stale` if the same requests lead to another access diff; nothing for a saved plan without one */
export function refuseIfAccessMoved({ access }: SavedPlan, now: SavedPlan["access"]): void {
  if (access === undefined || encodeCanonical(access) === encodeCanonical(now ?? null)) return;
  const moved = listMovedAccess(access, now ?? {});
  const what = "The reviewed plan no longer holds: it would now change access in another way.";
  throw createStaleMessage(what, moved);
}

/** The lines that one side has and the other has not; where all are alike, the places below them that differ. */
function listMovedAccess(then: JsonObject, now: JsonObject): readonly string[] {
  const [before, after] = [listSavedAccess(then), listSavedAccess(now)];
  const moved = [
    ...before.filter((line) => !after.includes(line)).map((line) => `before: ${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `now: ${line}`),
  ];
  return moved.length > 0 ? moved : findEdits(then, now).map(({ path }) => `access.${path.join(".")}`);
}

function createStaleMessage(what: string, moved: readonly string[]): RunError {
  return new RunError("stale", {
    what,
    why: explainMoved(moved),
    fix: "Run gate-sync plan --out again, and have the new plan reviewed.",
  });
}

export function explainMoved(moved: readonly string[]): string {
  return `Changed since: ${joinMoved(moved)}. Nothing was sent.`;
}

/** The first of what differs, and how many more there are. */
export function joinMoved(moved: readonly string[]): string {
  const more = moved.length > mostExplained ? `; and ${moved.length - mostExplained} more` : "";
  return `${moved.slice(0, mostExplained).join("; ")}${more}`;
}

function encodeDecisions({ changes, operations, violations }: SavedDecisions): string {
  return encodeCanonical([
    changes.map(decision),
    operations.map(request),
    violations.filter(isOfThePlan).map(({ rule, family, addresses }) => [rule, family ?? null, addresses]),
  ]);
}

function decision(change: SavedChange): Json {
  const { family, name, action } = change;
  return [family, name, action, listWholeEdits(change).map(({ path, before, after }) => [path, before, after])];
}

/** Without tests: what they name is in the edits already, and a server may list it in another order each time. */
function request(operation: SavedOperation): Value {
  const { method, path, body } = withoutTests(operation);
  return [method, path, body ?? null];
}

function listDifferences(reviewed: SavedDecisions, now: SavedDecisions): readonly string[] {
  const current = new Map(now.changes.map((change) => [createAddress(change.family, change.name), change]));
  const moved = [
    ...reviewed.changes.flatMap((change) => {
      const address = createAddress(change.family, change.name);
      const how = explainDifference(change, current.get(address));
      return how === undefined ? [] : [`${address} ${how}`];
    }),
    ...now.violations.map(({ rule, what }) => `the guard ${rule} refuses it now (${what})`),
  ];
  return moved.length > 0 ? moved : listMovedRequests(reviewed, now);
}

function listMovedRequests(reviewed: SavedDecisions, now: SavedDecisions): readonly string[] {
  const list = ({ operations }: SavedDecisions) =>
    operations.map(({ method, path }) => `${method} ${path}`).join(", ") || "none";
  return [`the requests that this server needs (before: ${list(reviewed)}; now: ${list(now)})`];
}

function explainDifference(before: SavedChange, now: SavedChange | undefined): string | undefined {
  if (!now) return "is gone";
  if (before.basis === undefined && now.basis !== undefined) return "exists now";
  if (before.basis !== undefined && now.basis === undefined) return "is gone";
  const fields = listChangedFields(before.basis, now.basis);
  if (fields.length > 0) return `(${fields.join(", ")})`;
  if (encodeCanonical(decision(before)) === encodeCanonical(decision(now))) return undefined;
  const decided = now.action === "leave" ? listFields(before) : listEditedFields(before, now);
  const where = decided.length > 0 ? ` (${decided.join(", ")})` : "";
  return `${now.action === "leave" ? "may not or need not be changed any more" : "would be changed in another way"}${where}`;
}

function listFields(change: SavedChange): readonly string[] {
  return change.edits.map(({ path }) => path.join(".")).filter((field) => field !== "");
}

/** Names of the fields that one of both edits otherwise than the other. */
function listEditedFields(before: SavedChange, now: SavedChange): readonly string[] {
  const [then, today] = [before, now].map((change) =>
    listWholeEdits(change).map((edit) => ({
      field: edit.path.join("."),
      edit: encodeCanonical([edit.before ?? null, edit.after ?? null]),
    })),
  );
  const isLacking = (one: { field: string; edit: string }, others: typeof then = []) =>
    !others.some(({ field, edit }) => field === one.field && edit === one.edit);
  const moved = [
    ...(then ?? []).filter((one) => isLacking(one, today)),
    ...(today ?? []).filter((one) => isLacking(one, then)),
  ];
  return [...new Set(moved.map(({ field }) => field))].filter((field) => field !== "");
}

/** Names of fields only: their values may be secrets. */
function listChangedFields(before: Json | undefined, now: Json | undefined): readonly string[] {
  if (!isObject(before) || !isObject(now)) return [];
  const paths = findEdits(before, now).map(({ path }) => {
    const end = path.findIndex((token) => token === "$secret" || token === "hmac");
    return (end === -1 ? path : path.slice(0, end)).join(".");
  });
  return [...new Set(paths)];
}
