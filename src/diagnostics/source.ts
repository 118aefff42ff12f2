/** One file of the repository as it was read. `path` is relative to the current folder. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** For a file that is not read any more: the one known place in it. Its text is empty then. */
  readonly at?: Position;
}

/** A file as it was read. Its text may hold secrets: what lists or encodes the file, as loggers do, must not get it. */
export function createSourceFile(path: string, text: string): SourceFile {
  return Object.defineProperty({ path }, "text", { value: text }) as SourceFile;
}

/** A stretch of a file: offsets in UTF-16 code units, end exclusive. */
export interface SourceRange {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
  /** Of an entry's name: where other files lay something over it. */
  readonly overriddenAt?: readonly SourceRange[];
  /** Of what a template generates: the item that it is for. */
  readonly generatedFor?: SourceRange;
}

/** The stretch alone, with its item. */
export function copyPlace({ file, start, end, generatedFor }: SourceRange): SourceRange {
  return generatedFor ? { file, start, end, generatedFor } : { file, start, end };
}

/** 1-based, as editors and compilers count. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

const lineStartsOf = new WeakMap<SourceFile, readonly number[]>();

export function getPosition(file: SourceFile, offset: number): Position {
  if (file.at) return file.at;
  const starts = lineStarts(file);
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] as number) + 1 };
}

/** The text of one line, without its end. */
export function getLine(file: SourceFile, line: number): string {
  const { text } = file;
  const start = getLineStart(file, line);
  let end = lineStarts(file)[line] ?? text.length;
  while (end > start && (text[end - 1] === "\n" || text[end - 1] === "\r")) end--;
  return text.slice(start, end);
}

export function countLines(file: SourceFile): number {
  return lineStarts(file).length;
}

/** The place of the first character of a line, from 1. */
export function getLineStart(file: SourceFile, line: number): number {
  return lineStarts(file)[line - 1] ?? 0;
}

export function countIndent(line: string): number {
  return line.length - line.trimStart().length;
}

/** `roles/hr.yml:14:7`, of what is generated with the place of its item. */
export function formatLocation({ file, start, generatedFor }: SourceRange): string {
  const { line, column } = getPosition(file, start);
  const item = generatedFor ? ` (generated for ${formatLocation(generatedFor)})` : "";
  return `${file.path}:${line}:${column}${item}`;
}

function lineStarts(file: SourceFile): readonly number[] {
  const known = lineStartsOf.get(file);
  if (known) return known;
  const starts = [0];
  for (let at = file.text.indexOf("\n"); at !== -1; at = file.text.indexOf("\n", at + 1)) starts.push(at + 1);
  lineStartsOf.set(file, starts);
  return starts;
}
