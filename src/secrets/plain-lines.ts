// Lines that hold nothing secret, found faster than a mask is made: of a file with a finding in each entry all lines are
// shown, and hardly one has a secret.
import { getLine, type SourceFile } from "../diagnostics/source.ts";
import { memoiseByKey, memoiseByObject, memoiseByWord } from "../json/memoise.ts";
import { listLinesAbove } from "./lines-above.ts";
import { anyKey, isAllSecret, isSecretKey, mostContinued, widest } from "./masked-text.ts";
import { isNamedAsUsers, usersFamily } from "./user-lines.ts";

/**
 * Whether no word of a line, or of one that it may go on with, names a secret, and none looks like one: its text masks
 * nothing then. False says nothing.
 */
export function isPlainLine(file: SourceFile, line: number): boolean {
  const isPlain = isPlainIn(file);
  return (
    !isNamedAsUsers(file) &&
    isPlain(line) &&
    listLinesAbove(file, line).every(isPlain) &&
    listLinesBefore(file, line).every(isPlain)
  );
}

/** To the nearest with a key. */
function listLinesBefore(file: SourceFile, line: number): readonly number[] {
  const lines: number[] = [];
  for (let before = line - 1; before > 0 && before >= line - mostContinued; before--) {
    lines.push(before);
    if (getLine(file, before).search(anyKey) !== -1) break;
  }
  return lines;
}

const isPlainIn = memoiseByObject((file: SourceFile) =>
  memoiseByKey((line: number) => {
    const text = getLine(file, line).trimEnd();
    return !looksSecret.test(text) && listWords(text).every(isPlainWord);
  }),
);

const isPlainWord = memoiseByWord((word) => !listNamesIn(word).some(isNameOfSecret));

/** Escapes, which may be those of a key, addresses with a login, hashes of passwords, keys in PEM, tokens, queries, and references with more than a name. */
const looksSecret = /[\\%@]|\$2|-----BEGIN|Bearer|:\/\/.*[?#]|\$\{env:[\w.]*(?!:-)[^\w.}]/;

/** No name of a secret is shorter. */
const words = /[\w.-]{4,}/g;

/** Of a long line the end is read alone, too. */
function listWords(text: string): readonly string[] {
  const all = text.match(words) ?? [];
  return text.length > widest ? [...all, ...(text.slice(-widest).match(words) ?? [])] : all;
}

/** What of a word may be taken for a key: all of it, or an option, which has no dots. */
function listNamesIn(word: string): readonly string[] {
  const parts = word.includes(".") ? [word, ...word.split(".")] : [word];
  return parts.flatMap((name) => (name.startsWith("-") ? [name, name.replace(/^-+/, "")] : [name]));
}

function isNameOfSecret(name: string): boolean {
  return isSecretKey(name) || isAllSecret(name) || name === usersFamily;
}
