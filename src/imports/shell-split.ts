// The words that a shell makes of the value of a variable without quotes.
import { expandPlaceholders } from "./placeholders.ts";
import type { ShellWord } from "./shell-text.ts";

export function addSplitMark(word: ShellWord): ShellWord {
  return /[\s*?[]/.test(word.text) ? { ...word, isExpanded: true } : word;
}

/** Whether the shell is to split a value into the words of a call of curl, or into options. */
export function isCommandLine(value: string): boolean {
  return /^(?:.*[\s/])?curl\s|^-\S*\s/s.test(value);
}

/** @param separators what is between them, where that is no white space; two such characters have an empty word between them */
export function splitWords({ text, start }: ShellWord, separators = " \t\n"): readonly ShellWord[] {
  const kept: string[] = [];
  const marked = expandPlaceholders(text, ({ written }) => {
    kept.push(written);
    return "\0";
  });
  const [white = "", other = ""] = [/\s/, /\S/].map((kind) =>
    [...separators].filter((character) => kind.test(character)).join(""),
  );
  const isIn = (characters: string) => (character: string) => character !== "" && characters.includes(character);
  const [isWhite, isOther] = [isIn(white), isIn(other)];
  const words: string[] = [];
  let word: string | undefined;
  let isAfterWhite = false;
  for (const character of marked) {
    if (isWhite(character)) {
      if (word !== undefined) words.push(word);
      isAfterWhite ||= word !== undefined;
      word = undefined;
    } else if (isOther(character)) {
      if (word !== undefined || !isAfterWhite) words.push(word ?? "");
      word = undefined;
      isAfterWhite = false;
    } else {
      word = (word ?? "") + character;
      isAfterWhite = false;
    }
  }
  if (word !== undefined) words.push(word);
  return words.map((one) => ({
    text: one.replaceAll("\0", () => kept.shift() ?? ""),
    start,
    ...(/[*?[]/.test(one) && { isExpanded: true }),
  }));
}
