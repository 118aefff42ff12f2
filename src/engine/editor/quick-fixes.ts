import { resolve } from "node:path";
import { type Diagnostic, sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import { editYaml } from "../../edit/edit.ts";
import { type Fix, findFixes } from "../../edit/fixes.ts";
import { findSuggestion } from "../../edit/suggestions.ts";
import { applyTextEdits, type TextEdit } from "../../edit/text-edits.ts";
import { parseDocuments } from "../../load/yaml.ts";
import type { TargetCheck } from "./check-project.ts";
import type { EditorPlace } from "./names.ts";

export interface QuickFix {
  readonly title: string;
  readonly diagnostic: Diagnostic;
  readonly edit: TextEdit;
  /** `validate --fix` makes it, too: there is no other answer. */
  readonly isOnlyAnswer: boolean;
}

/**
 * What fixes each of the diagnostics of a file, by itself.
 *
 * @param checks of all targets: what would be wrong for another that reads the file is left out
 */
export function findQuickFixes(
  diagnostics: readonly Diagnostic[],
  checks: readonly TargetCheck[],
): readonly QuickFix[] {
  const found = diagnostics.flatMap((diagnostic): readonly QuickFix[] => {
    const file = diagnostic.range?.file;
    if (!file) return [];
    const meant = findSuggestion(diagnostic);
    if (meant) return [{ title: `Write ${meant.text}`, diagnostic, edit: meant, isOnlyAnswer: false }];
    if (!isFoundByAllReaders(checks, diagnostic)) return [];
    const [fix] = findFixes(file, parseDocuments(file).documents, [diagnostic]);
    const after = fix && applyFix(file.text, fix);
    if (after === undefined || after === file.text) return [];
    const title = diagnostic.fix ?? diagnostic.what;
    return [{ title, diagnostic, edit: findDifference(file.text, after), isOnlyAnswer: true }];
  });
  // Targets put the same in other words.
  const known = new Set<string>();
  return found.filter(({ diagnostic: { code }, edit }) => {
    const key = JSON.stringify([code, edit]);
    return !known.has(key) && known.add(key);
  });
}

function applyFix(text: string, { edits, cuts }: Fix): string | undefined {
  return edits.length > 0 ? editYaml(text, edits).text : applyTextEdits(text, cuts);
}

/** The one stretch that differs. */
function findDifference(before: string, after: string): TextEdit {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let same = 0;
  while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) same++;
  return { start, end: before.length - same, text: after.slice(start, after.length - same) };
}

/** Those that begin or end in a stretch of a file as an editor has it, each once. */
export function listDiagnosticsIn(
  folder: string,
  checks: readonly TargetCheck[],
  { absolute, text, offset }: EditorPlace,
  end: number,
): readonly Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  for (const one of checks.flatMap(({ diagnostics }) => diagnostics)) {
    const { range, code, what } = one;
    if (range?.file.text !== text || resolve(folder, range.file.path) !== absolute) continue;
    if (range.start <= end && offset <= range.end) found.set(JSON.stringify([code, range.start, what]), one);
  }
  return sortDiagnostics([...found.values()]);
}

/** Whether each target that reads the file has the same problem there: then what fixes it is right for all of them. */
function isFoundByAllReaders(checks: readonly TargetCheck[], { code, range }: Diagnostic): boolean {
  if (!range) return false;
  return checks.every(
    ({ reads, diagnostics }) =>
      reads?.has(range.file.path) === false ||
      diagnostics.some(
        (one) => one.code === code && one.range?.start === range.start && one.range.file.path === range.file.path,
      ),
  );
}
