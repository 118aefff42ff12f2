import { countLines, getLine, getLineStart, type SourceFile } from "../diagnostics/source.ts";
import type { Node } from "../model/node.ts";
import { hideWordsInLine, listDistinctiveRuns, listHiddenWords } from "./hidden-words.ts";
import { findMasks, type Mask } from "./masked-nodes.ts";
import { combineMasks, maskByText } from "./masked-text.ts";
import { isPlainLine } from "./plain-lines.ts";

/** What a file was parsed to, where there was nothing to complain of. */
const parsedFiles = new WeakMap<SourceFile, readonly Node[]>();

/** From now on the nodes of the file say what of its lines is secret. Only of a file that parses as a whole. */
export function recordParsedFile(file: SourceFile, documents: readonly Node[]): void {
  parsedFiles.set(file, documents);
}

/** Files of other tools: which of their keys have secrets is unknown. */
const foreignFiles = new WeakSet<SourceFile>();

/** From now on, only the keys of its lines are shown. */
export function hideValues(file: SourceFile): void {
  foreignFiles.add(file);
}

/** What a template asks or repeats by names alone is no value. */
const plainTag = /\{%-?\s*(?:(?:end)?(?:if|for)|else|if [\w.]+|for \w+ in [\w.]+)\s*-?%\}/;
const runs = new RegExp(`${plainTag.source}|[^\\s{}[\\],:"'\`]+`, "g");

function maskValues(text: string): string {
  return text.replace(runs, (run, at: number) =>
    run.startsWith("{%") || (!run.includes("@") && isKey(text.slice(0, at), text.slice(at + run.length)))
      ? run
      : "*".repeat(run.length),
  );
}

/** Also one that begins its line, and whose colon was forgotten. */
function isKey(before: string, after: string): boolean {
  return /^["']?\s*:/.test(after) || (/^\s*["']$/.test(before) && /^["']\s*[[{]/.test(after));
}

/** By line. A file of one line is shown in part by thousands of messages. */
const maskedLines = new WeakMap<SourceFile, Map<number, string>>();

/**
 * A line of a file as it may be shown: asterisks where a secret is, or may be. A password written in clear must
 * not be repeated just because something else is wrong with its line. As long as the line itself, so that places in it
 * stay where they are.
 *
 * @param line from 1
 */
export function maskLine(file: SourceFile, line: number): string {
  const known = maskedLines.get(file) ?? new Map<number, string>();
  maskedLines.set(file, known);
  const masked = known.get(line) ?? (foreignFiles.has(file) ? maskForeign(file, line) : hideRepeats(file, line));
  known.set(line, masked);
  return masked;
}

/** What a secret becomes where places no longer matter: how long it is, and of how many words, is shown to nobody. */
export const mask = "********";

/** @param text what was masked to `shown`, which is as long */
export function hideLengths(text: string, shown: string): string {
  if (text === shown) return text;
  return shown.replace(/\*+(?:\s+\*+)*/g, (stars, at: number) =>
    text.slice(at, at + stars.length) === stars ? stars : mask,
  );
}

/** A line, or the rest of it, as messages quote it. */
export function quoteLine(file: SourceFile, line: number, column = 1): string {
  return hideLengths(getLine(file, line).slice(column - 1), maskLine(file, line).slice(column - 1));
}

function maskForeign(file: SourceFile, line: number): string {
  const text = getLine(file, line);
  return combineMasks(text, hideRepeats(file, line), maskValues(text));
}

/** What is hidden in a line is hidden in its keys, slips and comments, too; so is a distinctive secret of another line. */
function hideRepeats(file: SourceFile, line: number): string {
  const documents = parsedFiles.get(file);
  const text = getLine(file, line);
  const masked = documents ? maskByBoth(file, line, documents) : maskByText(file, line);
  const hidden = hideWordsInLine(text, listHiddenWords(text, masked), getDistinctiveRuns(file));
  return hidden === text ? masked : combineMasks(text, masked, hidden);
}

const distinctiveRuns = new WeakMap<SourceFile, ReadonlySet<string>>();

/** Runs of word characters of the secrets of a file that are found nowhere else but where a secret is repeated. */
export function getDistinctiveRuns(file: SourceFile): ReadonlySet<string> {
  const documents = parsedFiles.get(file);
  const known = distinctiveRuns.get(file) ?? new Set(documents ? listOfMasks(file, documents) : listOfText(file));
  distinctiveRuns.set(file, known);
  return known;
}

function listOfMasks({ text }: SourceFile, documents: readonly Node[]): readonly string[] {
  return getMasks(documents).flatMap(({ start, shown }) =>
    listDistinctiveRuns(listHiddenWords(text.slice(start, start + shown.length), shown)),
  );
}

/** Lines of a file that does not parse which are searched for secrets. */
const mostSearched = 10_000;

function listOfText(file: SourceFile): readonly string[] {
  if (!holdsSecretKey.test(file.text)) return [];
  const lines = Math.min(countLines(file), mostSearched);
  return Array.from({ length: lines }, (_, at) => at + 1).flatMap((line) =>
    listDistinctiveRuns(listHiddenWords(getLine(file, line), maskByText(file, line))),
  );
}

/** Hardly a file with a secret is without: long ones of roles alone are passed over at once. */
const holdsSecretKey = /pass|secret|token|key|auth|headers|cred|hmac|license|content|@/i;

/** A character is shown only if the nodes and the text both show it: secrets stay hidden in keys and slips, too. */
function maskByBoth(file: SourceFile, line: number, documents: readonly Node[]): string {
  const text = getLine(file, line);
  const masked = maskByNodes(file, line, documents);
  return isPlainLine(file, line) ? masked : combineMasks(text, masked, maskByText(file, line));
}

function maskByNodes(file: SourceFile, line: number, documents: readonly Node[]): string {
  const start = getLineStart(file, line);
  const text = getLine(file, line);
  const end = start + text.length;
  let shown = text;
  for (const mask of getMasks(documents)) {
    if (mask.start >= end || mask.start + mask.shown.length <= start) continue;
    const from = Math.max(mask.start, start);
    const part = mask.shown.slice(from - mask.start, end - mask.start);
    shown = shown.slice(0, from - start) + part + shown.slice(from - start + part.length);
  }
  return shown;
}

const masksOf = new WeakMap<readonly Node[], readonly Mask[]>();

function getMasks(documents: readonly Node[]): readonly Mask[] {
  const known = masksOf.get(documents) ?? documents.flatMap(findMasks);
  masksOf.set(documents, known);
  return known;
}
