import { hasInvisible, invisible } from "../json/invisible.ts";

/** A sentence or a line: every invisible character becomes `\u001b` and the like. */
export function escapeInvisible(text: string): string {
  return text.replace(invisible, escapeOf);
}

/**
 * A name or value. A plain one stays; one that could be misread (invisible characters, empty, with spaces at its ends, or looking
 * like a quotation or a remark of gate-sync) becomes a JSON string, so that the two cannot be confused.
 */
export function formatName(text: string): string {
  const misread = text === "" || text.trim() !== text || /^["(]/.test(text) || hasInvisible(text);
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
