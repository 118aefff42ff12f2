/** A word of a command line, as a shell takes it. */
export function quoteForShell(word: string): string {
  return /^[\w./:@%+,=[\]-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
