import { encodeDesired } from "../../artifacts/desired.ts";
import { listDesired } from "../../artifacts/saved-plan/derived.ts";
import { isError, sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import { RunError } from "../../diagnostics/failure.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { credentialFields, withoutCredentials } from "../../families/credentials.ts";
import { getNoun } from "../../families/index.ts";
import { isInScope } from "../../families/scope.ts";
import { findEdits } from "../../json/patch.ts";
import { fillSlots } from "../../json/slots.ts";
import type { Fields, JsonObject, Value } from "../../json/value.ts";
import { listAbsentPaths } from "../../load/files.ts";
import type { DesiredState } from "../../model/desired.ts";
import { createAddress, type Family, isResourceFamily } from "../../model/names.ts";
import type { SavedChange, SavedPlan } from "../../model/plan-file.ts";
import { getMode } from "../../model/policy.ts";
import type { Target } from "../../model/target.ts";
import { normalise } from "../../normalise/desired.ts";
import { openRepository } from "../open.ts";
import type { RunRequest } from "../request.ts";

/**
 * Holds a saved plan to the files of today: to what they declare of its addresses, secrets by their references.
 *
 * @returns why they cannot be compared, or not all of them
 * @throws RunError `stale` where they no longer declare what it leads to, or where their errors leave that open
 */
export async function refuseUnlessDeclared(
  saved: SavedPlan,
  target: Target,
  request: RunRequest,
  dialect: Dialect,
): Promise<string | undefined> {
  const why = explainUncompared(saved, target);
  if (why !== undefined) return why;
  const absent = await listAbsentPaths(target.state, request.cwd);
  const unread = absent.length > 0 ? `there is no ${absent.join(", ")} here` : undefined;
  const state = target.state.filter((path) => !absent.includes(path));
  if (state.length === 0) return unread;
  const { repository, diagnostics: ofFiles } = await openRepository(
    { ...target, state },
    request,
    "leave",
    undefined,
    [],
  );
  const { desired, diagnostics } = normalise(repository, dialect, target.families);
  const errors = [...ofFiles, ...diagnostics].filter(isError);
  // They may be about what is not here.
  if (errors.length > 0 && unread !== undefined) return unread;
  if (errors.length > 0) {
    const what = "The files of today have errors.";
    throw new RunError(
      "stale",
      {
        ...stale,
        what,
        why: `The reviewed plan is stale: whether the files of today still declare what it leads to is unknown. ${nothingSent}`,
      },
      sortDiagnostics(errors),
    );
  }
  const written = new Map(listDesired(saved).map(({ family, name, value }) => [createAddress(family, name), value]));
  const moved = saved.changes.flatMap((change) => {
    const address = createAddress(change.family, change.name);
    const how = explainOtherwise(change, written.get(address), desired, { target, isPart: unread !== undefined });
    return how === undefined ? [] : [`${address} ${how}`];
  });
  if (moved.length === 0) return unread && `${unread} (where the others declare its entries, they do so alike)`;
  throw new RunError("stale", {
    ...stale,
    what: "The reviewed plan is stale: the files of today no longer declare what it leads to.",
    why: `${moved.slice(0, mostExplained).join("; ")}${moved.length > mostExplained ? `; and ${moved.length - mostExplained} more` : ""}. ${nothingSent}`,
  });
}

/** How many differences a message shows. */
const mostExplained = 10;

const nothingSent = "Nothing was sent.";

const stale = {
  fix: "Run gate-sync plan --out again, and have the new plan reviewed; or check out the files that it was made from.",
};

function explainUncompared({ given = [] }: SavedPlan, { state }: Target): string | undefined {
  if (given.includes("state")) return "it was made from standard input, or from paths on the command line";
  if (given.includes("vars")) return "it was made with --var";
  return state.length === 0 ? "gate-sync.yaml names no state files for this target" : undefined;
}

interface FilesOfToday {
  readonly target: Target;
  /** A state path is not here: what others do not declare it may. */
  readonly isPart: boolean;
}

/** Undefined where the files declare the same. */
function explainOtherwise(
  { family, name, action }: SavedChange,
  written: JsonObject | undefined,
  desired: DesiredState,
  { target: { families }, isPart }: FilesOfToday,
): string | undefined {
  if (isResourceFamily(family)) {
    const mode = getMode(family, families);
    if (mode === "observe") return "is only compared now";
    if (!isInScope(families[family], name)) return "is excluded now";
    if (action === "delete") {
      if (!isPart && !desired.resources.has(family))
        return `is left now: no file declares ${getNoun(family, 2)} any more`;
      if (mode !== "manage") return "is not deleted now: families says so";
    }
  }
  const now = encodeDesired({ family, name }, desired, { known: new Map() })?.value;
  if (action === "delete") return now ? "is declared again" : undefined;
  if (!now) return isPart ? undefined : "is not declared any more";
  const fields = listOtherFields(family, written ?? {}, now);
  return fields.length > 0 ? `is declared otherwise (${fields.join(", ")})` : undefined;
}

/** Names of fields only: their values may be secrets. */
function listOtherFields(family: Family, written: JsonObject, now: JsonObject): readonly string[] {
  const hasCredentials = credentialFields.some((field) => Object.hasOwn(written, field));
  const shown = hasCredentials ? now : (withoutCredentials(family, now) as JsonObject);
  const edits = findEdits(byReferences(written), byReferences(shown)).filter(
    // Text that is equal to a changed secret is saved as that secret.
    ({ before, after }) => !(isReference(before) && typeof after === "string" && !isReference(after)),
  );
  return [...new Set(edits.map(({ path }) => path.join(".")))];
}

const shownSecret = "(secret ";

function isReference(value: Value | undefined): boolean {
  return typeof value === "string" && value.startsWith(shownSecret);
}

/** A secret counts by its reference: its value is not looked up. */
function byReferences(value: JsonObject): Fields {
  return fillSlots(value, ({ reference }) => `${shownSecret}${reference})`) as Fields;
}
