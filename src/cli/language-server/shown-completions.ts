import type { SourceFile } from "../../diagnostics/source.ts";
import type { Completion } from "../../engine/editor/completion.ts";
import { escapeInvisible } from "../../render/escape.ts";
import { convertToRange } from "./places.ts";
import type { CompletionItem } from "./protocol.ts";

/** The protocol's numbers for how an editor marks it. */
const kinds: Readonly<Record<Completion["kind"], number>> = {
  key: 10,
  value: 12,
  action: 2,
  "action group": 9,
  role: 7,
  tenant: 19,
  member: 18,
  pattern: 1,
  variable: 6,
  target: 8,
};

/** More than this is of no use to who looks for one; what is typed next has others among them. */
const mostItems = 1000;

export function showCompletions(
  all: readonly Completion[],
  file: SourceFile,
  offset: number,
): { readonly isIncomplete: boolean; readonly items: readonly CompletionItem[] } {
  const isCut = all.length > mostItems;
  const fitting = isCut ? all.filter((one) => fits(one, file.text.slice(one.start, offset))) : all;
  return {
    isIncomplete: isCut,
    items: fitting.slice(0, mostItems).map(({ kind, label, text, start, end = offset, description }) => ({
      label: escapeInvisible(label),
      kind: kinds[kind] as CompletionItem["kind"] & number,
      detail: kind,
      ...(description !== undefined && { documentation: escapeInvisible(description) }),
      filterText: text,
      textEdit: { range: convertToRange({ file, start, end }), newText: text },
    })),
  };
}

function fits({ label }: Completion, typed: string): boolean {
  return label.toLowerCase().includes(typed.replace(/^["']/, "").toLowerCase());
}
