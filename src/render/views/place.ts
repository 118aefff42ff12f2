import { getPosition, type SourceRange } from "../../diagnostics/source.ts";
import type { Change } from "../../model/change.ts";
import { escapeInvisible } from "../escape.ts";

/** `roles/hr.yml:12`, which terminals make clickable; empty where a change was declared nowhere. */
export function formatPlace({ origin }: Pick<Change, "origin">): string {
  if (origin === undefined) return "";
  const overridden = (origin.overriddenAt ?? []).map((range) => `, overridden in ${formatLine(range)}`);
  const generated = origin.generatedFor ? `, generated for ${formatLine(origin.generatedFor)}` : "";
  return [formatLine(origin), generated, ...overridden].join("");
}

function formatLine({ file, start }: SourceRange): string {
  return `${escapeInvisible(file.path)}:${getPosition(file, start).line}`;
}

/** A range as programs want it: 1-based, the end exclusive. */
export function toSpan(range: SourceRange): Span {
  const start = getPosition(range.file, range.start);
  const end = getPosition(range.file, range.end);
  return { path: range.file.path, line: start.line, column: start.column, end_line: end.line, end_column: end.column };
}

export type Span = {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly end_line: number;
  readonly end_column: number;
};
