import { escapeForShell, hasInvisible } from "../json/invisible.ts";

/** A word of a command line, as a shell takes it. */
export function quoteForShell(word: string): string {
  if (hasInvisible(word)) return escapeForShell(word);
  return /^[\w./:@%+,=[\]-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
