// What lies between the parts of a YAML file.

/** The next place that is no space and no tab. */
export function skipSpaces(text: string, from: number): number {
  let at = from;
  while (isSpaceOrTab(text.charCodeAt(at))) at++;
  return at;
}

/** The next place that is no space, no line break and in no comment. */
export function skipSpacesAndComments(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (isSpaceOrTab(code) || isLineBreak(code)) at++;
    else if (code === hash) while (at < text.length && text.charCodeAt(at) !== newline) at++;
    else return at;
  }
}

/** The end of what is no space and no line break between the two places. */
export function omitSpaceAtEnd(text: string, start: number, from: number): number {
  let end = from;
  while (end > start && isSpaceOrEnd(text.charCodeAt(end - 1))) end--;
  return end;
}

export function isSpaceOrEnd(code: number): boolean {
  return isSpaceOrTab(code) || isLineBreak(code) || Number.isNaN(code);
}

/** Whether only spaces are before it in its line. */
export function startsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === space) before--;
  return before < 0 || text.charCodeAt(before) === newline;
}

function isSpaceOrTab(code: number): boolean {
  return code === space || code === tab;
}

function isLineBreak(code: number): boolean {
  return code === newline || code === carriageReturn;
}

const [tab, newline, carriageReturn, space, hash] = [0x09, 0x0a, 0x0d, 0x20, 0x23] as const;
