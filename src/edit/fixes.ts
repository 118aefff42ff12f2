// What is wrong with a file and has one answer that changes nothing of what it declares, as edits of it.
import type { Code } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile, SourceRange } from "../diagnostics/source.ts";
import type { Json } from "../json/value.ts";
import { type Node, toValue } from "../model/node.ts";
import type { YamlEdit } from "./edit.ts";
import { findLineEnd, findLineStart, findNextLine, startsItsLine, type TextEdit } from "./text-edits.ts";
import { locateWritten, type WrittenPlace } from "./written-place.ts";

/** A diagnostic with what fixes it: edits of values, or a comment that goes. */
export interface Fix {
  readonly diagnostic: Diagnostic;
  readonly edits: readonly YamlEdit[];
  readonly cuts: readonly TextEdit[];
}

/** By code: the edit, where the place of the message is at this path of the file as it is written. */
const fixOf: Partial<Readonly<Record<Code, (place: WrittenPlace) => YamlEdit | undefined>>> = {
  "scalar-for-list": ({ path, document, node }) =>
    node.kind === "scalar" ? { document, path, value: [toValue(node) as Json] } : undefined,
  // A family without entries is another thing: it may be that they are missing.
  "null-entry": ({ path, document, node, isKey }) =>
    isKey && node.kind === "scalar" && node.value === null && !/^(config|license)$/.test(path.join())
      ? { document, path, value: {} }
      : undefined,
  "idle-override": ({ path, document }) => ({ document, path }),
};

/** @param documents the file as it is written, its references not resolved */
export function findFixes(
  file: SourceFile,
  documents: readonly Node[],
  diagnostics: readonly Diagnostic[],
): readonly Fix[] {
  const known = new Set<string>();
  return diagnostics.flatMap((diagnostic): readonly Fix[] => {
    const { code, range } = diagnostic;
    if (range?.file.path !== file.path) return [];
    // What is generated is reported for each item.
    const key = `${code} ${range.start}`;
    if (known.has(key)) return [];
    known.add(key);
    if (code === "unused-ignore") return [{ diagnostic, edits: [], cuts: [cutComment(range)] }];
    const place = fixOf[code] && locateWritten(documents, range);
    const edit = place && fixOf[code]?.(place);
    return edit ? [{ diagnostic, edits: [edit], cuts: [] }] : [];
  });
}

/** With the line, where nothing else is in it. */
function cutComment({ file: { text }, start }: SourceRange): TextEdit {
  if (startsItsLine(text, start)) {
    return { start: findLineStart(text, start), end: findNextLine(text, start), text: "" };
  }
  let from = start;
  while (text.charAt(from - 1) === " " || text.charAt(from - 1) === "\t") from--;
  return { start: from, end: findLineEnd(text, start), text: "" };
}

/**
 * Removals, with what they leave empty: an override without fields is one of nothing.
 *
 * @param least so many keys from the top stay
 */
export function pruneRemovals(root: Node | undefined, edits: readonly YamlEdit[], least: number): readonly YamlEdit[] {
  const removed = new Set(edits.flatMap(({ path, value }) => (value === undefined ? [JSON.stringify(path)] : [])));
  const others = edits.filter(({ value }) => value !== undefined);
  const document = edits[0]?.document ?? 0;
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const written of removed) {
      const path = (JSON.parse(written) as readonly string[]).slice(0, -1);
      const parent = path.reduce<Node | undefined>(childOf, root);
      const keys =
        parent?.kind === "map"
          ? parent.entries.map(({ key }) => key)
          : parent?.kind === "list"
            ? parent.items.map((_, index) => String(index))
            : [];
      const all = keys.map((key) => JSON.stringify([...path, key]));
      if (path.length < least || all.length === 0 || !all.every((one) => removed.has(one))) continue;
      // Something else comes there.
      if (others.some((other) => path.every((key, at) => other.path[at] === key))) continue;
      for (const one of all) removed.delete(one);
      removed.add(JSON.stringify(path));
      isChanged = true;
      break;
    }
  }
  return [...others, ...[...removed].map((path) => ({ document, path: JSON.parse(path) as readonly string[] }))];
}

function childOf(node: Node | undefined, key: string): Node | undefined {
  if (node?.kind === "list") return node.items[Number(key)];
  return node?.kind === "map" ? node.entries.find((entry) => entry.key === key)?.value : undefined;
}
