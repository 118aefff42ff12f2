import { factsOf, getNoun } from "../../families/index.ts";
import { isEqual, type Value } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import type { FileUpdate, LeftDifference, TakenDifference } from "../../model/file-update.ts";
import { type Family, isResourceFamily } from "../../model/names.ts";
import { redactChange } from "../../secrets/redact.ts";
import { escapeInvisible } from "../escape.ts";
import { formatPlace } from "./place.ts";
import { pluralise } from "./words.ts";

export interface LeftView {
  readonly address: string;
  /** `access/roles.yml:12`; empty where it is declared nowhere. */
  readonly place: string;
  readonly why: string;
  /** The edit to make, in a sentence; empty where nothing of it may be shown. */
  readonly edit: string;
}

/** What `export --update` took into the files, and what it left. */
export interface FileUpdateView {
  readonly taken: readonly TakenDifference[];
  readonly left: readonly LeftView[];
  readonly files: readonly string[];
  readonly isDryRun: boolean;
  readonly summary: string;
}

export function createFileUpdateView(
  { taken, left, edits }: FileUpdate,
  { isDryRun, isPruned }: { readonly isDryRun: boolean; readonly isPruned: boolean },
): FileUpdateView {
  return {
    taken,
    left: left.map(createLeftView),
    files: edits.map(({ path }) => path),
    isDryRun,
    summary: [
      describeTaken(taken, edits.length, isDryRun),
      ...(left.length === 0 ? [] : [describeLeft(left, isPruned)]),
    ].join(" "),
  };
}

function createLeftView({ address, why, range, change, isSecret }: LeftDifference): LeftView {
  return {
    address: escapeInvisible(address),
    place: range ? formatPlace({ origin: range }) : "",
    why: escapeInvisible(why),
    edit: isSecret ? "" : escapeInvisible(describeEdit(change)),
  };
}

/** What the server has, where it is another than in the files. */
function describeEdit(change: Change): string {
  const { family, action } = change;
  const { before, after } = redactChange(change);
  if (before === undefined) {
    const creating = action === "create" ? "let gate-sync apply create it" : describeMissingMode(family);
    return `Remove the ${getNoun(family)}, or ${creating}.`;
  }
  const names = isResourceFamily(family) ? Object.keys(factsOf[family].fields) : [];
  const fields = names.filter((name) => !isEqual(before[name], after?.[name]));
  if (fields.length === 0) return "gate-sync plan shows what differs.";
  const values = fields.map((name) => `${name}: ${formatValue(before[name])}`).join(", ");
  return after === undefined ? `Declare it with ${values}.` : `Make it say ${values}.`;
}

/** Of what is only compared. */
function describeMissingMode(family: Family): string {
  return `write families: { ${family}: { mode: adopt } } into the target, with which gate-sync apply creates it`;
}

/** As it is written in a file: what looks like a reference there would be one. */
function formatValue(value: Value | undefined): string {
  return value === undefined ? "nothing" : JSON.stringify(value).replaceAll("${", () => "$${");
}

function describeTaken(taken: readonly TakenDifference[], files: number, isDryRun: boolean): string {
  if (taken.length === 0) return "Nothing to take into the files.";
  const places = pluralise(files, "file");
  const differences = pluralise(taken.length, "difference");
  return isDryRun
    ? `${differences} would be taken into ${places}; nothing was written.`
    : `${differences} taken into ${places}.`;
}

/** What ends the run with 2, and what to do about it. */
function describeLeft(left: readonly LeftDifference[], isPruned: boolean): string {
  const alone = isPruned ? 0 : left.filter(({ change: { before } }) => before === undefined).length;
  const subject = `${left.length} left to you (exit code 2)`;
  if (alone === left.length) return `${subject}, as only the files have them: apply them, or remove them with --prune.`;
  const rest = alone === 0 ? "" : "; what only the files have, apply, or remove with --prune";
  return `${subject}: make the edits above${rest}.`;
}
