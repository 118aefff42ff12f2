import { factsOf, getNoun } from "../../families/index.ts";
import { getValueAt } from "../../json/pointer.ts";
import { isEqual, type Json, type Value } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import type { FileUpdate, LeftDifference, LeftPart, TakenDifference } from "../../model/file-update.ts";
import { type Family, isResourceFamily } from "../../model/names.ts";
import { hideSecrets } from "../../secrets/config-fields.ts";
import { redactChange, redactValue } from "../../secrets/redact.ts";
import { escapeInvisible } from "../escape.ts";
import { formatBaseline } from "./drift.ts";
import { formatPlace } from "./place.ts";
import { pluralise } from "./words.ts";

export interface LeftView {
  readonly address: string;
  /** `access/roles.yml:12`; empty where it is declared nowhere. */
  readonly place: string;
  readonly why: string;
  /** The edit to make, in a sentence; empty where nothing of it may be shown. */
  readonly edit: string;
  /** The field, or setting, that is left; absent: the whole entry. */
  readonly field?: string;
  /** What the server has there; null: nothing. Absent where it is the whole entry, or may not be shown. */
  readonly server?: Json;
}

/** What `export --update` took into the files, and what it left. */
export interface FileUpdateView {
  readonly taken: readonly TakenDifference[];
  readonly left: readonly LeftView[];
  readonly files: readonly string[];
  /** Entries of which the files have edits that are not applied yet. */
  readonly ahead: readonly string[];
  readonly notes: readonly string[];
  readonly isDryRun: boolean;
  readonly summary: string;
}

export function createFileUpdateView(
  { taken, left, edits, ahead, baseline, notices }: FileUpdate,
  isDryRun: boolean,
): FileUpdateView {
  return {
    taken,
    left: left.map(createLeftView),
    files: edits.map(({ path }) => path),
    ahead: ahead.map(escapeInvisible),
    notes: [...(baseline ? [formatBaseline(baseline)] : []), ...notices.map(escapeInvisible)],
    isDryRun,
    summary: [
      describeTaken(taken, edits.length, isDryRun),
      ...(ahead.length === 0 ? [] : [describeAhead(ahead.length)]),
      ...(left.length === 0 ? [] : [describeLeft(left)]),
    ].join(" "),
  };
}

function createLeftView({ address, why, range, change, isSecret, part }: LeftDifference): LeftView {
  const server = part && getServerValue(change, part);
  return {
    address: escapeInvisible(address),
    place: range ? formatPlace({ origin: range }) : "",
    why: escapeInvisible(why),
    edit: isSecret ? "" : escapeInvisible(part ? describeServer(server) : describeEdit(change)),
    ...(part && {
      field: escapeInvisible(part.path.join(".")),
      server: server === undefined ? null : redactValue(server),
    }),
  };
}

function getServerValue(change: Change, { path, element }: LeftPart): Value | undefined {
  if (element) return element;
  const { before = {} } = redactChange(change);
  return getValueAt(change.family === "config" ? hideSecrets(before) : before, path);
}

function describeServer(value: Value | undefined): string {
  return `The server has ${formatValue(value)}. Write what is right; what the files have, gate-sync apply writes.`;
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

function describeAhead(count: number): string {
  return `${count === 1 ? "1 entry has" : `${count} entries have`} edits of the files that are not applied yet: these stay.`;
}

/** What ends the run with 2, and what to do about it. */
function describeLeft(left: readonly LeftDifference[]): string {
  const alone = left.filter(({ isPrunable }) => isPrunable).length;
  const subject = `${left.length} left to you (exit code 2)`;
  if (alone === left.length) return `${subject}, as only the files have them: apply them, or remove them with --prune.`;
  const rest = alone === 0 ? "" : "; what only the files have, apply, or remove with --prune";
  return `${subject}: make the edits above${rest}.`;
}
