import type { Node } from "../../model/node.ts";
import { dash, newline, space } from "./characters.ts";
import { findLineEnd, type Reader, uncommon } from "./reader.ts";
import { readScalar } from "./words.ts";

/** `|` or `|-`, and lines that are indented further than its parent. */
export function readLiteral(reader: Reader, column: number): Node {
  const { text, at: start } = reader;
  const strips = text.charCodeAt(start + 1) === dash;
  let at = start + (strips ? 2 : 1);
  if (text.charCodeAt(at) !== newline) throw uncommon;
  const lines: string[] = [];
  let indent = -1;
  let end = at;
  while (at < text.length) {
    const lineStart = at + 1;
    const lineEnd = findLineEnd(text, lineStart);
    let first = lineStart;
    while (text.charCodeAt(first) === space) first++;
    if (first >= lineEnd) {
      if (first > lineStart && (indent === -1 || first - lineStart > indent || lineEnd === text.length)) throw uncommon;
      lines.push("");
    } else {
      if (indent === -1) indent = first - lineStart;
      if (first - lineStart < indent) break;
      lines.push(text.slice(lineStart + indent, lineEnd));
      end = lineEnd;
    }
    at = lineEnd;
  }
  if (indent <= column || indent <= 0) throw uncommon;
  while (lines.at(-1) === "") lines.pop();
  reader.at = at;
  // A file that ends in the text without a last line break adds none.
  const last = strips || end === text.length ? "" : "\n";
  while (text.charCodeAt(end - 1) === space) end--;
  return readScalar(reader, start, end, lines.join("\n") + last);
}
