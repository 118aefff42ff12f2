/** Spreadsheets evaluate what begins like a formula, some also with full-width signs: that gets an apostrophe before it. */
export function quoteField(text: string): string {
  const safe = /^[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
