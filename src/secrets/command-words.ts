import { isSecretField } from "./config-fields.ts";
import { mask } from "./masked-line.ts";
import { isReference } from "./masked-text.ts";

const plainWord = /^[a-z][a-z._/-]*$/;
const path = /^@?(?:~|\.{1,2})?\/[\w./-]*$|^[a-z][a-z._-]*\/[a-z._/-]*$/;
const variable = /^\$[A-Z_][A-Z\d_]*$/;

/**
 * What a program is started with, as it may be shown: the program, words before the first option, the names of options
 * and variables, and paths. What else a word is, only the program knows: it may be a secret.
 */
export function hideInCommand(words: readonly string[]): readonly string[] {
  const firstOption = words.findIndex((word) => word.startsWith("-"));
  return words.map((word, at) => {
    if (at === 0) return hideUnlessProgram(word);
    if (/^(?:-\w|--\w[\w-]*)$/.test(word)) return word;
    const [start = "", name = ""] = /^(?:--(\w[\w-]*)=|-\w|[A-Z_][A-Z\d_]*=(?=[^=]))/.exec(word) ?? [];
    const value = word.slice(start.length);
    const [, option = ""] = /^--?(.*)/.exec(words[at - 1] ?? "") ?? [];
    const isShown =
      isReference(value) ||
      variable.test(value) ||
      (path.test(value) && !isSecretField(name || option)) ||
      (plainWord.test(word) && (firstOption === -1 || at < firstOption));
    return isShown ? word : start + mask;
  });
}

/** A program, or a whole command line in its place. */
export function hideUnlessProgram(word: string): string {
  return /^[\w.:/\\~+-]+$/.test(word) ? word : mask;
}

/** `--password-file` and `--token-url` say where something else is; `--secret` is mostly the name of one. */
const lastWordOfSecret = /(?:pass(?:word|wd|phrase)?|pwd|tokens?|key|hmac|credentials?|value|text|.secrets?)$/i;
/** A variable, another option, a path. */
const noSecret = /^["']?(?:\$(?!\{env:[^}]*:-)|--|@?(?:~|\.{1,2})?\/)/;

/** Whether a program is started with what is a secret by the name before it: `--password x`, `--token=x`, `PASSWORD=x`. A shell has all in one word. */
export function holdsNamedSecret(words: readonly string[]): boolean {
  let isValue = false;
  const isSecretPart = (part: string) => {
    if (isValue && !noSecret.test(part)) return true;
    const [, dashes = "", option = "", value] = /^(--?)?([\w.-]+)(?:=(.+))?$/s.exec(part) ?? [];
    const isNamed = isSecretField(option) && lastWordOfSecret.test(option);
    isValue = isNamed && dashes !== "" && value === undefined;
    return isNamed && value !== undefined && !noSecret.test(value);
  };
  return words.flatMap((word) => word.match(/\S+/g) ?? []).some(isSecretPart);
}
