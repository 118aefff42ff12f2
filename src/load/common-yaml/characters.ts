// Which character may be where, as far as the common part of YAML needs it.

export const newline = 0x0a;
export const space = 0x20;
export const doubleQuote = 0x22;
export const hash = 0x23;
export const singleQuote = 0x27;
export const comma = 0x2c;
export const dash = 0x2d;
export const colon = 0x3a;
export const openBracket = 0x5b;
export const backslash = 0x5c;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const pipe = 0x7c;
export const closeBrace = 0x7d;

export function isBlankOrEnd(code: number): boolean {
  return code === space || code === newline || Number.isNaN(code);
}

export function isFlowIndicator(code: number): boolean {
  return code === comma || code === openBracket || code === closeBracket || code === openBrace || code === closeBrace;
}

/** Characters that are no indicator, and a dash before one of them. */
export function startsPlain(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === dash) return isPlainStart(text.charCodeAt(at + 1));
  return isPlainStart(code);
}

function isPlainStart(code: number): boolean {
  if (code >= 0x61 && code <= 0x7a) return true;
  if (code >= 0x30 && code <= 0x39) return true;
  return (code >= 0x41 && code <= 0x5a) || code > 0x9f || otherStarts.includes(String.fromCharCode(code));
}

const otherStarts = "_./$(^~=<+\\;)";
