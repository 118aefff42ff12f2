import { resolve } from "node:path";
import { type Diagnostic, getDiagnosticPath, isError } from "../../diagnostics/diagnostic.ts";
import { RunError } from "../../diagnostics/failure.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import { memoiseByObject } from "../../json/memoise.ts";
import {
  findDefinitions,
  findOccurrencesAt,
  findSame,
  listOccurrences,
  type Occurrence,
} from "../../language/occurrences.ts";
import { editNameEverywhere, type PlacedText } from "../../language/rename.ts";
import type { EntryDescription } from "../../model/entry-description.ts";
import type { Target } from "../../model/target.ts";
import type { CheckedFiles } from "../pipeline/checked-files.ts";
import type { CheckedTarget } from "../validate.ts";
import type { TargetCheck } from "./check-project.ts";
import { describeEntry } from "./describe-entry.ts";
import { findRenameRefusal } from "./rename-refusals.ts";

/** A place in a file of an editor. */
export interface EditorPlace {
  readonly absolute: string;
  /** As the editor has it. */
  readonly text: string;
  readonly offset: number;
}

/** The names of a folder's files, as they were when they were checked last. */
export interface ProjectNames {
  readonly folder: string;
  readonly all: readonly Occurrence[];
  /** Of each target; while files have errors, of one that had none. */
  readonly files: readonly CheckedFiles[];
  readonly targets: readonly Target[];
  readonly targetNames: readonly string[];
  /** Files with errors that hide what they name. */
  readonly unread: readonly string[];
}

const occurrencesOf = memoiseByObject(({ whole }: CheckedFiles) => listOccurrences(whole));

/**
 * What several targets read is listed once.
 *
 * @param whole the last check in which all files could be read
 */
export function collectNames(
  folder: string,
  checked: readonly CheckedTarget[],
  checks: readonly TargetCheck[],
  whole?: CheckedTarget,
): ProjectNames {
  const read = checked.map((one) => one.files);
  const targets = checked.map(({ target }) => target);
  const targetNames = checks.flatMap(({ name = [] }) => name);
  const unread = checked.length === 0 ? [] : checks.flatMap(({ diagnostics }) => listUnread(diagnostics, read));
  // What is being written does not parse: what it named before is known.
  const files = unread.length > 0 && whole ? [whole.files] : read;
  const common = { folder, files, targets, targetNames, unread };
  if (read.length === 1) return { ...common, all: read.flatMap(occurrencesOf) };
  const known = new Map<string, Occurrence>();
  for (const one of read.flatMap(occurrencesOf)) {
    const { family, name, as, place } = one;
    known.set(JSON.stringify([family, name, as, place.start, place.file.path]), one);
  }
  return { ...common, all: [...known.values()] };
}

/** Whether a file has errors that hide what it names. */
export function mayHideNames({ checked, diagnostics }: TargetCheck): boolean {
  return checked !== undefined && listUnread(diagnostics, [checked.files]).length > 0;
}

/** Files with errors from which nothing was read. */
function listUnread(diagnostics: readonly Diagnostic[], files: readonly CheckedFiles[]): readonly string[] {
  const read = new Set(files.flatMap(({ whole }) => whole.documents.map(({ file }) => file.path)));
  const failed = new Set(diagnostics.filter(isError).map(getDiagnosticPath));
  return [...failed].filter((path) => !read.has(path));
}

/** None where the file has changed since it was read. */
export function findNamesAt({ folder, all }: ProjectNames, place: EditorPlace): readonly Occurrence[] {
  const here = all.filter(
    (one) => resolve(folder, one.place.file.path) === place.absolute && one.place.file.text === place.text,
  );
  return findOccurrencesAt(here, place.offset);
}

/** What is known of a name, by the first target that has it. */
export function describeAt(
  names: ProjectNames,
  place: EditorPlace,
): { readonly place: SourceRange; readonly description: EntryDescription } | undefined {
  for (const one of findNamesAt(names, place)) {
    for (const files of names.files) {
      const description = describeEntry(files, one.family, one.name);
      if (description) return { place: one.place, description };
    }
  }
  return undefined;
}

export function locateDefinitions(names: ProjectNames, place: EditorPlace): readonly SourceRange[] {
  return uniquePlaces(findNamesAt(names, place).flatMap((one) => findDefinitions(names.all, one)));
}

/** @param withEntries also where they are declared */
export function locateReferences(
  names: ProjectNames,
  place: EditorPlace,
  withEntries: boolean,
): readonly SourceRange[] {
  const same = findNamesAt(names, place).flatMap((one) => findSame(names.all, one));
  return uniquePlaces(same.filter(({ as }) => withEntries || as !== "entry").map((one) => one.place));
}

/**
 * What is at a place, to be renamed.
 *
 * @throws RunError as `editNameEverywhere`, and where not all files could be read
 */
export function editNameAt(names: ProjectNames, place: EditorPlace, to: string): readonly PlacedText[] {
  const [unread] = names.unread;
  if (unread !== undefined) {
    const what = `${unread} has errors, so that what it names is unknown.`;
    throw new RunError("refused", { what, fix: "Correct these first." });
  }
  const [one] = findNamesAt(names, place);
  if (!one) return [];
  const edits = editNameEverywhere(names.all, one, to);
  const refusal = to === one.name ? undefined : findRenameRefusal(names.files, names.targets, one, to);
  if (refusal) throw new RunError("refused", refusal);
  return edits;
}

function uniquePlaces(places: readonly SourceRange[]): readonly SourceRange[] {
  const known = new Set<string>();
  return places.filter(({ file, start }) => {
    const key = `${start} ${file.path}`;
    return !known.has(key) && known.add(key);
  });
}
