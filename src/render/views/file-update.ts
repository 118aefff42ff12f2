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

export function createFileUpdateView({ taken, left, edits }: FileUpdate, isDryRun: boolean): FileUpdateView {
  return {
    taken,
    left: left.map(createLeftView),
    files: edits.map(({ path }) => path),
    isDryRun,
    summary: formatSummary(taken, left, edits.length, isDryRun),
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

function formatSummary(
  taken: readonly TakenDifference[],
  left: readonly LeftDifference[],
  files: number,
  isDryRun: boolean,
): string {
  const places = pluralise(files, "file");
  const done =
    taken.length === 0
      ? "Nothing to take into the files."
      : isDryRun
        ? `${pluralise(taken.length, "difference")} would be taken into ${places}; nothing was written.`
        : `${pluralise(taken.length, "difference")} taken into ${places}.`;
  return left.length === 0 ? done : `${done} ${left.length} left to you.`;
}
