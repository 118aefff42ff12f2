import { listSecretKeysIn, maskAll, maskAsRead, readEscapes } from "./masked-text.ts";
import { isReporting, unescapeAll } from "./repeats.ts";

/** What is shorter is in any sentence. */
const shortest = 4;
/** What is as long as this is found within other words, too. */
const long = 6;

/** What a shown text hides of a text, in all forms in which messages and other lines may repeat it, the longest first. */
export function listHiddenWords(text: string, shown: string): readonly string[] {
  if (text === shown) return [];
  const names = [...new Set(listSecretKeysIn(text))];
  const isPartOfName = (word: string) =>
    names.some((name) => (word.length < long ? name === word : name.includes(word)));
  const stretches = [...shown.matchAll(/\*+(?:\s+\*+)*/g)].flatMap(({ 0: stars, index }) => {
    const stretch = text.slice(index, index + stars.length);
    return /^[*\s]*$/.test(stretch) ? [] : [stretch, ...stretch.split(/\s+/), ...listInner(stretch)];
  });
  const words = [...new Set(stretches)].flatMap(listForms);
  return sortWords(words).filter((word) => word.length >= shortest && !isPartOfName(word));
}

/** A default of a reference, a password of a login. */
function listInner(stretch: string): readonly string[] {
  const [, inner] = /\$\{\w+:[^{}]*?:-([^{}]*)\}/.exec(stretch) ?? /^[^:{}]*:(.*)$/s.exec(stretch) ?? [];
  return inner ? [inner] : [];
}

/** Each once, the longest first. */
export function sortWords(words: readonly string[]): readonly string[] {
  return [...new Set(words)].sort((a, b) => b.length - a.length);
}

/** Of hidden words, the runs of word characters that occur by no chance: what has them elsewhere repeats a secret. */
export function listDistinctiveRuns(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => word.match(runs) ?? []).filter(isReporting);
}

const runs = /[\p{L}\p{N}]+/gu;

/** As it is in the file and as it was read, without the signs around it, and the runs of it that survive escapes. */
function listForms(word: string): readonly string[] {
  const read = unescapeAll(readEscapes(word.replace(/\\\r?\n[ \t]*/g, "")));
  const bare = [word, read].map((form) => form.replace(/^["'[{]+|["'\]},:]+$/g, ""));
  return [...bare, ...bare.map((form) => JSON.stringify(form).slice(1, -1)), ...(`${word} ${read}`.match(runs) ?? [])];
}

/**
 * Text without these words; as long as before.
 *
 * @param words the longest first
 * @param distinctive runs that are hidden, too
 */
export function hideWords(text: string, words: readonly string[], distinctive: ReadonlySet<string>): string {
  const bare = words.reduce(
    (shown, word) =>
      word.length >= long
        ? shown.replaceAll(word, maskAll(word))
        : shown.replace(runs, (run) => (run === word ? maskAll(run) : run)),
    text,
  );
  return distinctive.size === 0 ? bare : bare.replace(runs, (run) => (distinctive.has(run) ? maskAll(run) : run));
}

/** Each is searched for in all of a line, which may have megabytes; distinctive runs are found however many there are. */
const mostWords = 200;

/** The same of a line of a file, whose escapes may hide a word from a search; a short word may be any key of it. */
export function hideWordsInLine(text: string, words: readonly string[], distinctive: ReadonlySet<string>): string {
  const found = words.filter(({ length }) => length >= long).slice(0, mostWords);
  return found.length + distinctive.size === 0 ? text : maskAsRead(text, (read) => hideWords(read, found, distinctive));
}
