import { escapeForShell, hasInvisible } from "./invisible.ts";

/** A word of a command line, as a shell takes it; on one line. */
export function quoteForShell(word: string): string {
  if (hasInvisible(word)) return escapeForShell(word);
  return /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
