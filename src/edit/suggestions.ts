// What a message suggests in place of a word that is misspelt.
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { TextEdit } from "./text-edits.ts";

/** Undefined where nothing is suggested, or where the place of the message is not the word itself. */
export function findSuggestion({ what, range }: Diagnostic): TextEdit | undefined {
  const [, quoted] = / Did you mean ("(?:[^"\\]|\\.)*")\?$/.exec(what) ?? [];
  if (quoted === undefined || !range || range.generatedFor) return undefined;
  const source = range.file.text.slice(range.start, range.end);
  const [, mark = "", word] = /^(["']?)(.*)\1$/s.exec(source) ?? [];
  if (word === undefined || !what.includes(JSON.stringify(word))) return undefined;
  const meant: string = JSON.parse(quoted);
  if (mark === "'") return { start: range.start, end: range.end, text: `'${meant.replaceAll("'", "''")}'` };
  const isPlain = mark === "" && /^[A-Za-z_][\w.-]*$/.test(meant);
  return { start: range.start, end: range.end, text: isPlain ? meant : quoted };
}
