import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { editYaml } from "../../edit/edit.ts";
import { type Fix, findFixes } from "../../edit/fixes.ts";
import { findSuggestion } from "../../edit/suggestions.ts";
import { applyTextEdits, type TextEdit } from "../../edit/text-edits.ts";
import { parseDocuments } from "../../load/yaml.ts";

export interface QuickFix {
  readonly title: string;
  readonly diagnostic: Diagnostic;
  readonly edit: TextEdit;
  /** `validate --fix` makes it, too: there is no other answer. */
  readonly isOnlyAnswer: boolean;
}

/** What fixes each of the diagnostics of a file, by itself. */
export function findQuickFixes(diagnostics: readonly Diagnostic[]): readonly QuickFix[] {
  return diagnostics.flatMap((diagnostic): readonly QuickFix[] => {
    const file = diagnostic.range?.file;
    if (!file) return [];
    const meant = findSuggestion(diagnostic);
    if (meant) return [{ title: `Write ${meant.text}`, diagnostic, edit: meant, isOnlyAnswer: false }];
    const [fix] = findFixes(file, parseDocuments(file).documents, [diagnostic]);
    const after = fix && applyFix(file.text, fix);
    if (after === undefined || after === file.text) return [];
    const title = diagnostic.fix ?? diagnostic.what;
    return [{ title, diagnostic, edit: findDifference(file.text, after), isOnlyAnswer: true }];
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
