import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { type Message, RunError } from "../diagnostics/failure.ts";
import { getLine, getPosition, type SourceRange } from "../diagnostics/source.ts";
import { hideWords, listHiddenWords, sortWords } from "./hidden-words.ts";
import { listLinesAbove } from "./lines-above.ts";
import { getDistinctiveRuns, hideLengths, maskLine } from "./masked-line.ts";
import { maskInString } from "./masked-text.ts";

/**
 * A diagnostic as it may be shown: what is hidden in the lines that it points at is hidden in its sentences, too. They
 * quote keys, tags and values, and by a slip each of these can be a secret.
 */
export function maskDiagnostic(diagnostic: Diagnostic): Diagnostic {
  const hidden = findHidden([diagnostic]);
  if (hidden.words.length === 0 && hidden.distinctive.size === 0) return diagnostic;
  const related = diagnostic.related?.map(({ range, what }) => ({ range, what: hide(what, hidden) }));
  return { ...diagnostic, ...maskMessage(diagnostic, hidden), ...(related && { related }) };
}

/**
 * What ended a run, as it may be shown: without what the lines of its diagnostics are shown without, and of a command
 * line, which it quotes, without what would be hidden in a string. Its diagnostics are masked, too.
 */
export function maskRunError(error: RunError): RunError {
  const message = maskMessage(error.userMessage, findHidden(error.diagnostics));
  const what = error.kind === "usage" ? hideLengths(message.what, maskInString(message.what, false)) : message.what;
  return new RunError(error.kind, { ...message, what }, error.diagnostics.map(maskDiagnostic));
}

/** A function whose result, and the `RunError` that it may throw, hold their diagnostics as these may be shown. */
export function maskDiagnosticsOf<Parameters extends readonly unknown[], Result extends object>(
  run: (...parameters: Parameters) => Promise<Result>,
): (...parameters: Parameters) => Promise<Result> {
  return async (...parameters) => {
    try {
      const result: Result & { readonly diagnostics?: readonly Diagnostic[] } = await run(...parameters);
      return result.diagnostics ? { ...result, diagnostics: result.diagnostics.map(maskDiagnostic) } : result;
    } catch (error) {
      throw error instanceof RunError ? maskRunError(error) : error;
    }
  };
}

function maskMessage({ what, why, fix }: Message, hidden: Hidden): Message {
  return {
    what: hide(what, hidden),
    ...(why !== undefined && { why: hide(why, hidden) }),
    ...(fix !== undefined && { fix: hide(fix, hidden) }),
  };
}

/**
 * A plain word outside of what a sentence quotes is ours, as names of settings are: hidden there, it would spoil the
 * sentence, and give the secret away.
 */
function hide(text: string, { words, distinctive }: Hidden): string {
  const isNone = (word: string) => !/^[\p{L}_.-]+$/u.test(word);
  const bare = hideWords(text, words.filter(isNone), new Set([...distinctive].filter(isNone)));
  return hideLengths(
    text,
    bare.replace(quoted, (part) => (part.startsWith("Did you mean ") ? part : hideWords(part, words, distinctive))),
  );
}

/** Between quotes and in lists, but for what we suggest; a reference, a tag, an alias, an anchor; the rest of a line that does not parse. */
const quoted =
  /(?:Did you mean )?"(?:[^"\\]|\\.)*"|(?<!\w)'[^']*'|\[[^\]]*\]|\$\{[^}]*\}|(?:before this|not expected here): .*|(?<!\S)[!*&]\S+/g;

/** What the files of diagnostics show without. */
interface Hidden {
  /** Of the lines that they point at, the longest first. */
  readonly words: readonly string[];
  /** Of the whole of these files. */
  readonly distinctive: ReadonlySet<string>;
}

function findHidden(diagnostics: readonly Diagnostic[]): Hidden {
  const ranges = diagnostics.flatMap(({ range, related = [] }) => [
    ...(range ? [range] : []),
    ...related.map((other) => other.range),
  ]);
  const words = ranges.flatMap((range) =>
    listLines(range).flatMap((line) => listHiddenWords(getLine(range.file, line), maskLine(range.file, line))),
  );
  const files = [...new Set(ranges.map(({ file }) => file))];
  const [only] = files;
  const distinctive =
    only && files.length === 1
      ? getDistinctiveRuns(only)
      : new Set(files.flatMap((file) => [...getDistinctiveRuns(file)]));
  return { words: sortWords(words), distinctive };
}

/** A range may be a whole file. */
const mostLines = 50;

/** The lines of a range, and of the keys that it is below. */
function listLines({ file, start, end }: SourceRange): readonly number[] {
  const [first, last] = [getPosition(file, start).line, getPosition(file, end).line];
  const own = Array.from({ length: Math.min(last - first + 1, mostLines) }, (_, index) => first + index);
  return [...own, ...listLinesAbove(file, first)];
}
