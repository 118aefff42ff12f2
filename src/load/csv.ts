// The adapter of csv-parse: the text of a CSV file to nodes with their places.
import { createRequire } from "node:module";
import type * as csvParse from "csv-parse/sync";
import { createDiagnostic, type Diagnostic, getFileStart } from "../diagnostics/diagnostic.ts";
import type { SourceFile, SourceRange } from "../diagnostics/source.ts";
import type { ListNode, MapNode, Node } from "../model/node.ts";
import { recordParsedFile } from "../secrets/masked-line.ts";

const require = createRequire(import.meta.url);

/** Where a list is in a cell, this is between its items. */
const itemSeparator = "|";

/** As csv-parse gives it with `info`, which its types do not know. */
interface ParsedRecord {
  readonly record: readonly string[];
  /** `bytes`: up to its end, the line break included. */
  readonly info: { readonly bytes: number };
}

/** One record: its cells, and where it is. */
interface Row {
  readonly cells: readonly string[];
  readonly range: SourceRange;
}

/** The key that a column gives to each row; `indices[]` is the list `indices`. */
interface Column {
  readonly key: string;
  readonly isList: boolean;
}

/** The rows as a list of maps by the header: all cells are strings, or lists of them. Never throws. */
export function parseCsv(file: SourceFile): { readonly root?: ListNode; readonly diagnostics: readonly Diagnostic[] } {
  const rows = readRows(file);
  if (!("rows" in rows)) return { diagnostics: [rows.problem] };
  const [header, ...body] = rows.rows;
  if (!header) return { diagnostics: [createNoHeaderMessage(file)] };
  const columns = header.cells.map(parseColumn);
  const root: ListNode = { ...getFileStart(file), kind: "list", items: body.map((row) => toMap(row, columns)) };
  // A column may be one of secrets, although none belongs there.
  recordParsedFile(file, [root]);
  const problems = [...findHeaderProblems(header, columns), ...body.flatMap((row) => findRaggedRow(row, header))];
  return problems.length > 0 ? { diagnostics: problems } : { root, diagnostics: [] };
}

function readRows(file: SourceFile): { readonly rows: readonly Row[] } | { readonly problem: Diagnostic } {
  // Loaded here: hardly any repository has such files.
  const { parse, CsvError }: typeof csvParse = require("csv-parse/sync");
  const options = {
    info: true as const,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ["\r\n", "\n", "\r"],
  };
  try {
    const records = parse(file.text, options) as unknown as readonly ParsedRecord[];
    return { rows: locateRows(file, records) };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { problem: createQuoteMessage(file, Number(error.lines)) };
  }
}

/** By the bytes up to the end of each: lines that csv-parse counts go wrong after a line break within quotes. */
function locateRows(file: SourceFile, records: readonly ParsedRecord[]): readonly Row[] {
  const bytes = Buffer.from(file.text);
  let [before, at] = [0, 0];
  return records.map(({ record, info }) => {
    const text = bytes.toString("utf8", before, info.bytes);
    const start = at + (/^[\r\n]*/.exec(text)?.[0].length ?? 0);
    before = info.bytes;
    at += text.length;
    return { cells: record, range: { file, start, end: start + text.trim().length } };
  });
}

function parseColumn(cell: string): Column {
  return cell.endsWith("[]") ? { key: cell.slice(0, -2), isList: true } : { key: cell, isList: false };
}

function toMap({ cells, range }: Row, columns: readonly Column[]): MapNode {
  const entries = columns.map(({ key, isList }, at) => {
    const cell = cells[at] ?? "";
    return { key, keyRange: range, value: isList ? toList(cell, range) : toScalar(cell, range) };
  });
  return { ...range, kind: "map", entries };
}

function toList(cell: string, range: SourceRange): Node {
  const items = cell === "" ? [] : cell.split(itemSeparator).map((item) => toScalar(item, range));
  return { ...range, kind: "list", items };
}

function toScalar(value: string, range: SourceRange): Node {
  return { ...range, kind: "scalar", value };
}

function findHeaderProblems({ range }: Row, columns: readonly Column[]): readonly Diagnostic[] {
  const [only] = columns;
  if (columns.length === 1 && only && /[;\t]/.test(only.key)) return [createSeparatorMessage(range)];
  const seen = new Set<string>();
  return columns.flatMap(({ key }, at) => {
    const isTwice = seen.has(key);
    seen.add(key);
    if (key === "") return [createUnnamedMessage(range, at + 1)];
    return isTwice ? [createTwiceMessage(range, key)] : [];
  });
}

function findRaggedRow({ cells, range }: Row, header: Row): readonly Diagnostic[] {
  const [have, want] = [cells.length, header.cells.length];
  if (have === want) return [];
  return [
    createDiagnostic(range, "items-file", {
      what: `This row has ${have} cell${have === 1 ? "" : "s"}, and the header ${want}.`,
      why: "Which cell belongs to which column is unknown.",
      fix: "Write one cell for each column, and quotes around a cell that holds a comma.",
      related: [{ range: header.range, what: "the header" }],
    }),
  ];
}

function createNoHeaderMessage(file: SourceFile): Diagnostic {
  return createDiagnostic(getFileStart(file), "items-file", {
    what: `${file.path} is empty.`,
    why: "Its first line names the columns.",
    fix: "Write a header, such as name,indices[].",
  });
}

function createUnnamedMessage(range: SourceRange, column: number): Diagnostic {
  return createDiagnostic(range, "items-file", {
    what: `Column ${column} has no name.`,
    why: "Nothing could refer to it.",
    fix: "Write a name in the header, or remove the column.",
  });
}

function createTwiceMessage(range: SourceRange, key: string): Diagnostic {
  return createDiagnostic(range, "items-file", {
    what: `Two columns are named ${JSON.stringify(key)}.`,
    why: "Which of the two counts is unknown.",
    fix: "Rename one of them. One that ends in [] has the name before it.",
  });
}

function createSeparatorMessage(range: SourceRange): Diagnostic {
  return createDiagnostic(range, "items-file", {
    what: "The header has no comma.",
    why: "Semicolons and tabs separate no columns here.",
    fix: "Save the file with commas between the columns.",
  });
}

/** Without the text of the line: which of its cells may be shown is unknown. */
function createQuoteMessage({ path }: SourceFile, line: number): Diagnostic {
  const place = { path, text: "", at: { line, column: 1 } };
  return createDiagnostic(getFileStart(place), "items-file", {
    what: "The quotes of this row do not match.",
    why: "Where its cells end is unknown.",
    fix: 'Put quotes around a whole cell, and write "" for a quote within.',
  });
}
