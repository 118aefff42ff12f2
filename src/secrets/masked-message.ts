import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { type Message, RunError } from "../diagnostics/failure.ts";
import { getLine, getPosition, type SourceRange } from "../diagnostics/source.ts";
import { maskLine } from "./masked-line.ts";
import { listLinesAbove, maskAll, maskInString } from "./masked-text.ts";
import { unescapeAll } from "./repeats.ts";

/**
 * A diagnostic as it may be shown: what is hidden in the lines that it points at is hidden in its sentences, too. They
 * quote keys, tags and values, and by a slip each of these can be a secret.
 */
export function maskDiagnostic(diagnostic: Diagnostic): Diagnostic {
  const hidden = listHiddenWords([diagnostic]);
  if (hidden.length === 0) return diagnostic;
  const related = diagnostic.related?.map(({ range, what }) => ({ range, what: hideWords(what, hidden) }));
  return { ...diagnostic, ...maskMessage(diagnostic, hidden), ...(related && { related }) };
}

/**
 * What ended a run, as it may be shown: without what the lines of its diagnostics are shown without, and of a command
 * line, which it quotes, without what would be hidden in a string.
 */
export function maskRunError(error: RunError): RunError {
  const message = maskMessage(error.userMessage, listHiddenWords(error.diagnostics));
  const what = error.kind === "usage" ? maskInString(message.what, false) : message.what;
  return new RunError(error.kind, { ...message, what }, error.diagnostics);
}

function maskMessage({ what, why, fix }: Message, hidden: readonly string[]): Message {
  return {
    what: hideWords(what, hidden),
    ...(why !== undefined && { why: hideWords(why, hidden) }),
    ...(fix !== undefined && { fix: hideWords(fix, hidden) }),
  };
}

function listHiddenWords(diagnostics: readonly Diagnostic[]): readonly string[] {
  const ranges = diagnostics.flatMap(({ range, related = [] }) => [
    ...(range ? [range] : []),
    ...related.map((other) => other.range),
  ]);
  const words = ranges.flatMap((range) => listLines(range).flatMap((line) => hiddenOn(range, line)));
  const forms = [...new Set(words)].flatMap(listForms);
  return [...new Set(forms)].filter(({ length }) => length >= shortest).sort((a, b) => b.length - a.length);
}

/** What is shorter is in any sentence. */
const shortest = 4;
/** What is as long as this is found within other words, too. */
const long = 6;
/** A range may be a whole file. */
const mostLines = 50;

/** The lines of a range, and of the keys that it is below. */
function listLines({ file, start, end }: SourceRange): readonly number[] {
  const [first, last] = [getPosition(file, start).line, getPosition(file, end).line];
  const own = Array.from({ length: Math.min(last - first + 1, mostLines) }, (_, index) => first + index);
  return [...own, ...listLinesAbove(file, first)];
}

function hiddenOn({ file }: SourceRange, line: number): readonly string[] {
  const [text, shown] = [getLine(file, line), maskLine(file, line)];
  if (text === shown) return [];
  return [...shown.matchAll(/\*+(?:\s+\*+)*/g)].flatMap(({ 0: stars, index }) => {
    const stretch = text.slice(index, index + stars.length);
    return /^[*\s]*$/.test(stretch) ? [] : [stretch, ...stretch.split(/\s+/)];
  });
}

/** As it is in the file and as it was read, without the signs around it, and the runs of it that survive escapes. */
function listForms(word: string): readonly string[] {
  const read = unescapeAll(word);
  const bare = [word, read].map((form) => form.replace(/^["'[{]+|["'\]},:]+$/g, ""));
  return [
    ...bare,
    ...bare.map((form) => JSON.stringify(form).slice(1, -1)),
    ...(`${word} ${read}`.match(/[\p{L}\p{N}]+/gu) ?? []),
  ];
}

/** @param words the longest first */
function hideWords(text: string, words: readonly string[]): string {
  return words.reduce(
    (shown, word) =>
      word.length >= long
        ? shown.replaceAll(word, maskAll(word))
        : shown.replace(/[\p{L}\p{N}]+/gu, (run) => (run === word ? maskAll(run) : run)),
    text,
  );
}
