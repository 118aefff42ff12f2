import { formatMember } from "../../access/model/subject.ts";
import { listSealNotes } from "../../artifacts/plan-key.ts";
import { listLikelyAdminRoles } from "../../dialects/caller.ts";
import type { DetectedServer } from "../../dialects/detected.ts";
import { getCredentials, writesCredentials } from "../../families/credentials.ts";
import { getNoun } from "../../families/index.ts";
import { type Fields, listTexts } from "../../json/value.ts";
import { type Change, isPending } from "../../model/change.ts";
import { type Address, createAddress, isResourceFamily } from "../../model/names.ts";
import type { Plan } from "../../model/plan.ts";
import { getMode, isStated } from "../../model/policy.ts";
import { describeUnverified } from "../source.ts";
import type { FoundForeign, PlanContext } from "./context.ts";

/** What notes are about besides the context. */
interface NotedPlan {
  readonly changes: readonly Change[];
  readonly writes: Pick<Plan, "operations" | "notes">;
  /** Absent where nothing is deleted. */
  readonly foreign?: FoundForeign | undefined;
  /** Domains that can assert any backend role; empty where no access test is evaluated. */
  readonly roleSources: readonly string[];
  /** What keeps access tests from knowing of API keys, or keys from what the tests say of them. */
  readonly aboutKeys: readonly string[];
  /** What keeps the access diff from knowing of aliases. */
  readonly aboutAliases: readonly string[];
  /** Whether anything is changed that says who may do what. */
  readonly isAccessTouched: boolean;
}

/** What a reader of the plan has to know besides its changes: sentences, each a note of its own. */
export function listPlanNotes(
  context: PlanContext,
  { changes, writes, foreign, roleSources, aboutKeys, aboutAliases, isAccessTouched }: NotedPlan,
): readonly string[] {
  const { request, target, notes, detected, foreignFiles } = context;
  return [
    ...describeUnverified(target),
    ...notes,
    ...(foreign?.notes ?? []),
    ...detected.notes,
    ...(writes.operations.length > 0 ? listIdentityNotes(detected) : []),
    ...writes.notes,
    ...(roleSources.length === 0 ? [] : [describeRoleSources(roleSources)]),
    ...aboutKeys,
    ...aboutAliases,
    ...listUnknownFieldNotes(changes),
    ...listComparedNotes(changes, context),
    ...listPasswordNotes(changes, context),
    ...listAdministrationNotes(changes, target.adminRoles ?? listLikelyAdminRoles(detected.dialect)),
    ...listSkippedFileNotes(changes, foreignFiles),
    ...listTakenNotes(changes, context),
    ...(request.saves ? listSealNotes(request) : []),
    ...(request.explainsOrder && writes.operations.length > 0 && !isAccessTouched ? [noAccessConcerned] : []),
  ];
}

function describeRoleSources(sources: readonly string[]): string {
  return `Access tests go by names, not by who may assert them: any backend role can be asserted by ${joinSome(sources)}.`;
}

/** Of a plan that another cluster may take at the same address. */
function listIdentityNotes({ server }: DetectedServer): readonly string[] {
  if (server.clusterName !== undefined || server.clusterUuid !== undefined) return [];
  return [
    "This login does not see which cluster this is; cluster:monitor/main would show it. The plan goes by the URL alone, and a login that sees more gets another fingerprint.",
  ];
}

/** Who may use the administration API is no permission: the reader of a nightly plan would be shut out unseen. */
function listAdministrationNotes(changes: readonly Change[], adminRoles: readonly string[]): readonly string[] {
  const letIn = changes.filter(({ family, name }) => family === "role_mappings" && adminRoles.includes(name));
  return letIn.filter(isPending).flatMap(({ name, before, after }) => {
    const lost = (["users", "backend_roles", "hosts"] as const).flatMap((field) =>
      listTexts(before?.[field])
        .filter((entry) => !letIn.some((one) => listTexts(getMembersAfter(one)?.[field]).includes(entry)))
        .map((entry) => formatMember({ field, entries: [entry] })),
    );
    if (lost.length === 0 || before === after) return [];
    return [`Afterwards ${joinSome(lost)} may not use the administration API any more (role_mappings/${name}).`];
  });
}

function getMembersAfter(change: Change): Fields | undefined {
  return isPending(change) ? change.after : (change.before ?? change.after);
}

function joinSome(all: readonly string[]): string {
  const shown = all.slice(0, 5).join(", ");
  return all.length > 5 ? `${shown} and ${all.length - 5} more` : shown;
}

/** Of families that are managed only where a target says so: the line to write. */
function listComparedNotes(changes: readonly Change[], { policies }: PlanContext): readonly string[] {
  const families = [...new Set(changes.flatMap(({ family, reason }) => (reason === "observed" ? [family] : [])))];
  const compared = families.filter((family) => !isStated(family, policies));
  if (compared.length === 0) return [];
  const nouns = compared.map((family) => getNoun(family, 2)).join(", ");
  const modes = compared.map((family) => `${family}: { mode: manage }`).join(", ");
  return [
    `Declared, and only compared as long as no mode is stated: ${nouns}. To have them written: families: { ${modes} } in gate-sync.yaml; with mode: adopt nothing of them is deleted.`,
  ];
}

const keptReasons: ReadonlySet<Change["reason"]> = new Set(["in-sync", "not-rotated", "other-hash"]);

/** Of users that stay as they are, or of which other fields are written. */
function listPasswordNotes(
  changes: readonly Change[],
  { desired, policies, changedCredentials = new Map(), hashes }: PlanContext,
): readonly string[] {
  const declared = desired.resources.get("internal_users");
  const unwritten = changes.filter((change) => {
    const { family, name, action, reason } = change;
    const isKept = action === "update" || keptReasons.has(reason);
    if (family !== "internal_users" || !isKept || writesCredentials(change) || hashes?.same.has(name)) return false;
    return Object.keys(getCredentials(declared?.get(name)?.value ?? {})).length > 0;
  });
  const describeChange = (name: string): string | undefined => {
    if (hashes?.other.has(name)) return "is not the one that the server has";
    return changedCredentials.get(name);
  };
  const changed = unwritten.filter(({ name }) => describeChange(name) !== undefined);
  const isObserved = getMode("internal_users", policies) === "observe";
  const count = unwritten.length - changed.length;
  const of = count === 1 ? "the password of 1 internal user is" : `the passwords of ${count} internal users are`;
  const when = isObserved
    ? "Nothing of internal users is written while they are only compared (families.internal_users.mode)"
    : "They are written when a user is created, and with --rotate internal_users/NAME";
  return [
    ...changed.map(({ family, name }) => {
      const address = createAddress(family, name);
      const what = hashes?.other.has(name) ? "hash" : "password or hash";
      const how = isObserved ? "internal users are only compared" : `--rotate ${address} writes it`;
      return `The ${what} of ${address} ${describeChange(name)}, and is not written: ${how}.`;
    }),
    ...(count === 0 ? [] : [`Unknown whether ${of} as declared: no server shows them. ${when}.`]),
  ];
}

/** What was changed on the server and is written in the files now: no change of the plan shows it. */
function listTakenNotes(changes: readonly Change[], { since, live }: PlanContext): readonly string[] {
  if (!since?.written) return [];
  const { added, changed, removed } = since.written;
  const inSync = new Set(
    changes.filter(({ reason }) => reason === "in-sync").map(({ family, name }) => createAddress(family, name)),
  );
  const isOnServer = (address: Address): boolean => {
    const [family = "", ...name] = address.split("/");
    return isResourceFamily(family) && live.resources.get(family)?.has(name.join("/")) !== false;
  };
  const noted = [
    [`New in the files since ${since.ref}, as the server has it already`, added.filter((one) => inSync.has(one))],
    [
      `Changed in the files since ${since.ref}, to what the server has already`,
      changed.filter((one) => inSync.has(one)),
    ],
    [
      `Removed from the files since ${since.ref}, and not on the server any more`,
      removed.filter((one) => !isOnServer(one)),
    ],
  ] as const;
  return noted.flatMap(([what, addresses]) => (addresses.length === 0 ? [] : [`${what}: ${joinSome(addresses)}.`]));
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
