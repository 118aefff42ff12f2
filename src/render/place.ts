import { positionOf, type SourceRange } from "../diagnostics/source.ts";
import type { Change } from "../model/change.ts";
import { visible } from "./escape.ts";

/** `roles/hr.yml:12`, which terminals make clickable; empty where a change was declared nowhere. */
export function placeOf({ origin }: Change): string {
  return origin === undefined ? "" : `${visible(origin.file.path)}:${positionOf(origin.file, origin.start).line}`;
}

/** A range as programs want it: 1-based, the end exclusive. */
export function spanOf(range: SourceRange): Span {
  const start = positionOf(range.file, range.start);
  const end = positionOf(range.file, range.end);
  return { path: range.file.path, line: start.line, column: start.column, end_line: end.line, end_column: end.column };
}

export type Span = {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly end_line: number;
  readonly end_column: number;
};
