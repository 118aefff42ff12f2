import type { SourceFile } from "../../diagnostics/source.ts";

/** Characters that a hash is made of. */
const window = 100;
const endOfFile = "\uffff";

/**
 * What code scanning knows a line by when others move it: `HASH:OCCURRENCE`, of the hundred characters from its beginning
 * on without blanks. This is the way of GitHub's own upload (github/codeql-action, src/fingerprints.ts), which warns of
 * every other hash.
 */
export function createLineHasher(file: SourceFile): (line: number) => string {
  const text = `${file.text.replace(/\r\n?/g, "\n").replace(/[ \t]/g, "")}${endOfFile}`;
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const seen = new Map<string, number>();
  const occurrences = starts.map((start) => {
    const shown = text.slice(start, start + window);
    const count = (seen.get(shown) ?? 0) + 1;
    seen.set(shown, count);
    return count;
  });
  return (line) => {
    const start = starts[line - 1] ?? 0;
    return `${hash(text.slice(start, start + window))}:${occurrences[line - 1] ?? 1}`;
  };
}

function hash(text: string): string {
  let sum = 0n;
  for (let at = 0; at < window; at++) {
    const unit = at < text.length ? text.charCodeAt(at) : 0;
    sum = BigInt.asUintN(64, sum * 37n + BigInt(unit));
  }
  return sum.toString(16);
}
