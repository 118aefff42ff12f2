// What a line is indented below, whether its file parses or not.
import { countIndent, countLines, getLine, type SourceFile } from "../diagnostics/source.ts";

/** How far above a line is searched: as far as keys and certificates reach, and no file of thousands of lines. */
const mostAbove = 200;

/** The lines that this one is indented below, the nearest first. */
export function listLinesAbove(file: SourceFile, line: number): readonly number[] {
  const nearest = getNearestAbove(file);
  const lines: number[] = [];
  for (let above = nearest[line] ?? 0; above > 0 && above >= line - mostAbove; above = nearest[above] ?? 0) {
    lines.push(above);
  }
  return lines;
}

/** The keys of these lines. */
export function listKeysAbove(file: SourceFile, line: number): readonly string[] {
  return listLinesAbove(file, line).flatMap((above) => {
    const [, key] = /^\s*(?:-\s+)*["']?([\w.-]+)["']?\s*:/.exec(getLine(file, above)) ?? [];
    return key === undefined ? [] : [key];
  });
}

const nearestAbove = new WeakMap<SourceFile, Int32Array>();

/** By line, the nearest one above that is indented less; 0 where there is none. Of a file with a finding in each entry, it is asked for each. */
function getNearestAbove(file: SourceFile): Int32Array {
  const known = nearestAbove.get(file);
  if (known) return known;
  const nearest = new Int32Array(countLines(file) + 1);
  /** Lines that later ones may be below, each indented more than the one before. */
  const open: { readonly line: number; readonly indent: number }[] = [];
  for (let line = 1; line < nearest.length; line++) {
    const text = getLine(file, line);
    const indent = countIndent(text);
    if (indent === text.length) {
      nearest[line] = open.findLast((above) => above.indent < indent)?.line ?? 0;
      continue;
    }
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    nearest[line] = open.at(-1)?.line ?? 0;
    open.push({ line, indent });
  }
  nearestAbove.set(file, nearest);
  return nearest;
}
