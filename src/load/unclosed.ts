import type { SourceFile, SourceRange } from "../diagnostics/source.ts";

/** Where the quote was opened that nothing closes: the parser only notices at the end. */
export function findUnclosedQuote(file: SourceFile, end: number): SourceRange | undefined {
  const quote = /(?<!\\)(["'])[^"']*$/.exec(file.text.slice(Math.max(0, end - 100_000), end));
  if (!quote) return undefined;
  const start = Math.max(0, end - 100_000) + quote.index;
  return { file, start, end: start + 1 };
}

/** Where the innermost bracket was opened that nothing closes before `end`; brackets in quotes do not count. */
export function findUnclosedYamlBracket(file: SourceFile, start: number, end: number): SourceRange | undefined {
  const open: number[] = [];
  const tokens = /"(?:[^"\\]|\\.)*"|'[^']*'|(?:^|\s)#.*|[[{]|[\]}]/g;
  for (const { 0: token, index } of file.text.slice(start, end).matchAll(tokens)) {
    if (token === "[" || token === "{") open.push(start + index);
    else if (token === "]" || token === "}") open.pop();
  }
  const last = open.at(-1);
  return last === undefined ? undefined : { file, start: last, end: last + 1 };
}
