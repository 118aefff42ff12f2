// Edits of a text, and places in its lines.

/** What replaces a stretch of a text; with `start` at `end`, what is put in there. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The text with all edits made; of several at one place, in the order given.
 *
 * @returns undefined where two edits are about the same stretch
 */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string | undefined {
  const parts: string[] = [];
  let at = 0;
  let isCut = false;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    // What two remove, such as the line break between them, is gone once.
    if (edit.start < at && isCut && edit.text === "") {
      at = Math.max(at, edit.end);
      continue;
    }
    if (edit.start < at) return undefined;
    isCut = edit.text === "";
    parts.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  return parts.join("") + text.slice(at);
}

/** Where the line begins that has this place. */
export function findLineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

/** The end of the line that has this place, before its line break. */
export function findLineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  if (end === -1) return text.length;
  return end > at && text.charAt(end - 1) === "\r" ? end - 1 : end;
}

/** Where the next line begins; the end of the text after the last. */
export function findNextLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end + 1;
}

export function getColumn(text: string, at: number): number {
  return at - findLineStart(text, at);
}

/** Whether only space is before this place in its line. */
export function startsItsLine(text: string, at: number): boolean {
  return /^[ \t]*$/.test(text.slice(findLineStart(text, at), at));
}

/** As the file has them: `\r\n` where its first line ends so. */
export function findLineBreak(text: string): "\r\n" | "\n" {
  return /^[^\n]*\r\n/.test(text) ? "\r\n" : "\n";
}
