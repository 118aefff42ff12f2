// Which strings are written in double quotes, with an escape.
import { hasInvisibleInLines } from "../json/invisible.ts";

/** In a text of the server it would be taken for that of a template which was never rendered. */
export const templateOpening = /\{(?=[{%])|<(?=%)/g;

/** What CI services take for a command is written with an escape in their logs, which only such a string has. */
const logCommand = /##(?=[a-z]*\[)|^\s*::/im;

/**
 * Where the usual choice would lose something. A text whose later lines begin with spaces, as those of a query do, is a
 * block, which keeps these and can be read.
 */
export function chooseScalarStyle(text: string): { readonly type?: "BLOCK_LITERAL" | "QUOTE_DOUBLE" } {
  if (!needsDoubleQuotes(text)) return {};
  return { type: needsDoubleQuotes(text.replace(/\n +(?=\S)/g, "\n")) ? "QUOTE_DOUBLE" : "BLOCK_LITERAL" };
}

/** `=` has a meaning of its own in YAML 1.1; the others would be lost or changed on the way back. */
export function needsDoubleQuotes(text: string): boolean {
  return needsEscape(text) || text === "=" || /^\s|\s$|\s\n|\n\s/.test(text);
}

/** Whether a block text without a digit in its header, `|` or `|-`, is read back as this text. */
export function fitsBlockText(text: string): boolean {
  return text !== "" && !needsEscape(text) && !/^\s|[ \t]$|[ \t]\n|\n\n$/.test(text);
}

/** What only double quotes hold, or what other readers of a file must not see as it is. */
function needsEscape(text: string): boolean {
  if (logCommand.test(text)) return true;
  return text.search(templateOpening) !== -1 || hasInvisibleInLines(text);
}
