import { getCredentials, writesCredentials } from "../../families/credentials.ts";
import type { Change } from "../../model/change.ts";
import type { DesiredState } from "../../model/desired.ts";
import type { Plan } from "../../model/plan.ts";
import { describeUnverified } from "../source.ts";
import type { PlanContext } from "./context.ts";

/** What notes are about besides the context. */
interface NotedPlan {
  readonly changes: readonly Change[];
  readonly writes: Pick<Plan, "operations" | "notes">;
  /** Whether anything is changed that says who may do what. */
  readonly isAccessTouched: boolean;
}

/** What a reader of the plan has to know besides its changes: sentences, each a note of its own. */
export function listPlanNotes(
  { request, target, notes, detected, desired, foreignFiles }: PlanContext,
  { changes, writes, isAccessTouched }: NotedPlan,
): readonly string[] {
  return [
    ...describeUnverified(target),
    ...notes,
    ...detected.notes,
    ...writes.notes,
    ...listUnknownFieldNotes(changes),
    ...listPasswordNotes(changes, desired),
    ...listSkippedFileNotes(changes, foreignFiles),
    ...(request.explainsOrder && writes.operations.length > 0 && !isAccessTouched ? [noAccessConcerned] : []),
  ];
}

/** Of users that stay as they are, or of which other fields are written. */
function listPasswordNotes(changes: readonly Change[], { resources }: DesiredState): readonly string[] {
  const declared = resources.get("internal_users");
  const count = changes.filter((change) => {
    const { family, name, action, reason } = change;
    if (family !== "internal_users" || (action !== "update" && reason !== "in-sync") || writesCredentials(change))
      return false;
    return Object.keys(getCredentials(declared?.get(name)?.value ?? {})).length > 0;
  }).length;
  if (count === 0) return [];
  const of = count === 1 ? "the password of 1 internal user is" : `the passwords of ${count} internal users are`;
  return [
    `Unknown whether ${of} as declared: no server shows them. They are written when a user is created, and with --rotate internal_users/NAME.`,
  ];
}

const noAccessConcerned = "Order: no request of this plan changes who may do what.";

function listUnknownFieldNotes(changes: readonly Change[]): readonly string[] {
  const count = changes.filter(({ unknown }) => unknown).length;
  if (count === 0) return [];
  const entries = count === 1 ? "1 entry has" : `${count} entries have`;
  return [
    `${entries} fields on the server that gate-sync does not know. They stay as they are; what they grant is unknown. Declare them in the files and name them in accept_fields of the target, or remove them on the server.`,
  ];
}

/** What is deleted might be declared in a skipped file. */
function listSkippedFileNotes(changes: readonly Change[], files: readonly string[] = []): readonly string[] {
  if (files.length === 0 || !changes.some(({ action }) => action === "delete")) return [];
  const names = files.length > 5 ? [...files.slice(0, 5), `${files.length - 5} more`] : files;
  const skipped = files.length === 1 ? "was skipped as a file" : "were skipped as files";
  return [
    `${names.join(", ")} ${skipped} of another program. Check that none of the entries that this plan deletes is declared there.`,
  ];
}
