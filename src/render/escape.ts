/**
 * What a terminal would obey or hide: controls, formatting such as bidirectional overrides and zero-width characters,
 * line separators, halves of surrogate pairs, and blanks that look like a blank and are none.
 */
const unclean = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u00a0\u1680\u2000-\u200a\u202f\u205f]/gu;

/** A sentence or a line: every character that would not be seen stands as `\u001b`. */
export function escapeInvisible(text: string): string {
  return text.replace(unclean, escapeOf);
}

/**
 * A name or value. What is clean stands as it is; anything that would be misread (unclean, empty, blanks at its ends,
 * or looking like a quotation or a remark of ours) stands as a JSON string, so that the two cannot be confused.
 */
export function formatName(text: string): string {
  const misread = text === "" || text.trim() !== text || /^["(]/.test(text) || text.search(unclean) !== -1;
  return misread ? quoteText(text) : text;
}

/** As a JSON string that hides nothing. */
export function quoteText(text: string): string {
  return escapeInvisible(JSON.stringify(text));
}

/** Several names in one line, separated by commas. */
export function joinNames(names: readonly string[]): string {
  return names.map((name) => (name.includes(",") ? quoteText(name) : formatName(name))).join(", ");
}

function escapeOf(character: string): string {
  const quoted = JSON.stringify(character).slice(1, -1);
  if (quoted !== character) return quoted;
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
