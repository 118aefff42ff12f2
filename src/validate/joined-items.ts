import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import type { Node } from "../model/node.ts";

/** Items of lists whose text goes on with a dash on the next line: YAML reads an item that is indented more so. */
export function findJoinedItems(node: Node): readonly Diagnostic[] {
  switch (node.kind) {
    case "map":
      return node.entries.flatMap(({ value }) => findJoinedItems(value));
    case "list":
      return node.items.flatMap((item) => (item.kind === "scalar" ? describeJoined(item) : findJoinedItems(item)));
    case "scalar":
      return [];
  }
}

/** Whether a text in no quotes is written as several items. */
export function isJoined({ file, start, end }: SourceRange): boolean {
  const lineEnd = file.text.indexOf("\n", start);
  return lineEnd !== -1 && lineEnd < end && /^[^"'|>][^\n]*\n\s*-\s/.test(file.text.slice(start, end));
}

function describeJoined(item: Extract<Node, { kind: "scalar" }>): readonly Diagnostic[] {
  if (typeof item.value !== "string" || !item.value.includes(" - ") || !isJoined(item)) return [];
  return [
    createDiagnostic(item, "joined-items", {
      what: `${JSON.stringify(item.value)} is one item of its list, written as several.`,
      why: "The item that is indented more than the one above it is read as more of its text.",
      fix: "Indent all items of the list alike; put the text in quotes if it is meant as one.",
    }),
  ];
}
