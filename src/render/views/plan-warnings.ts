import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { fileTexts } from "../../diagnostics/file-texts.ts";
import type { SourceFile } from "../../diagnostics/source.ts";
import { findFirstIndex, groupItems } from "../../json/collections.ts";
import { memoiseByObject } from "../../json/memoise.ts";
import type { Value } from "../../json/value.ts";
import { type Change, isPending } from "../../model/change.ts";
import { createDiagnosticsView, type DiagnosticsView } from "./diagnostics.ts";
import { pluralise } from "./words.ts";

/** About a file as a whole, or about a part that is no entry: shown with every plan. */
const notOfEntries = new Set([...Object.keys(fileTexts), "expired-waiver", "unused-waiver", "doubtful-access-test"]);

/**
 * The warnings of a plan. Those at entries that it leaves as they are were there before: they are only counted where
 * an entry and all that it names are left. What is not known to be at such an entry is shown.
 */
export function createPlanWarningsView(
  diagnostics: readonly Diagnostic[],
  files: number,
  changes: readonly Change[],
): DiagnosticsView {
  const view = createDiagnosticsView(diagnostics, { files });
  const isUnchanged = createUnchangedCheck(view.diagnostics, changes);
  const shown = view.diagnostics.filter((diagnostic) => !isUnchanged(diagnostic));
  const left = view.diagnostics.length - shown.length;
  if (left === 0) return view;
  const more = shown.length === 0 ? pluralise(left, "warning") : `${left} more ${left === 1 ? "warning" : "warnings"}`;
  const firstCode = shown[0]?.code ?? view.firstCode;
  return {
    ...view,
    firstCode,
    cut: { shown, rest: `${more} about entries that stay as they are: gate-sync plan --full` },
  };
}

function createUnchangedCheck(
  diagnostics: readonly Diagnostic[],
  changes: readonly Change[],
): (diagnostic: Diagnostic) => boolean {
  if (diagnostics.length === 0) return () => false;
  const changed = new Set(changes.filter(isPending).map(({ name }) => name));
  const isLeft = memoiseByObject(
    (change: Change) =>
      !isPending(change) &&
      !changed.has(change.name) &&
      !(changed.size > 0 && names(change.after ?? change.before, changed)),
  );
  const find = createEntrySearch(changes);
  return ({ code, severity, range, related = [], isAlwaysShown }) =>
    severity === "warning" &&
    !isAlwaysShown &&
    range !== undefined &&
    !notOfEntries.has(code) &&
    [range, ...related.map((other) => other.range)].every(({ file, start }) => {
      const change = find(file, start);
      return change !== undefined && isLeft(change);
    });
}

/** Whether any text in a value is one of these names, such as that of an action group in a role. */
function names(value: Value | undefined, wanted: ReadonlySet<string>): boolean {
  if (typeof value === "string") return wanted.has(value);
  return typeof value === "object" && value !== null && Object.values(value).some((inner) => names(inner, wanted));
}

/** The entry at a place: the last that begins before it in its file. */
function createEntrySearch(changes: readonly Change[]): (file: SourceFile, start: number) => Change | undefined {
  const declared = changes.flatMap((change) => (change.origin ? [{ change, origin: change.origin }] : []));
  const byFile = new Map(
    groupItems(declared, ({ origin }) => origin.file.path).map((entries) => [
      entries[0].origin.file.path,
      entries.sort((a, b) => a.origin.start - b.origin.start),
    ]),
  );
  return (file, start) => {
    const entries = byFile.get(file.path) ?? [];
    return entries[findFirstIndex(entries, ({ origin }) => origin.start > start) - 1]?.change;
  };
}
