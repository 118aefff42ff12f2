import { getLine, getPosition, type SourceFile, type SourceRange } from "../../diagnostics/source.ts";
import { maskLine } from "../../secrets/masked-line.ts";
import type { ReviewFinding } from "./findings.ts";

/** Where a forge looks for files, and where the target is declared that a finding without a file belongs to. */
export interface ForgePlaces {
  /** The path from the root of the git repository; undefined for a file outside of it. */
  readonly toForgePath: (path: string) => string | undefined;
  /** In gate-sync.yaml; absent where the target is given by flags alone. */
  readonly target?: SourceRange;
}

/** One line: a forge shows what is found only where all of its lines are part of a change. Columns are UTF-16, from 1. */
export interface FindingPlace {
  readonly path: string;
  /** Absent for a file as a whole. */
  readonly line?: number;
  readonly column?: number;
  /** Exclusive. */
  readonly endColumn?: number;
  readonly file?: SourceFile;
}

/** Where a finding is shown; undefined where no file of the repository can be named. */
export function placeFinding({ range, path }: ReviewFinding, places: ForgePlaces): FindingPlace | undefined {
  return placeIn(range, path, places) ?? placeIn(places.target, undefined, places);
}

export function placeIn(
  range: SourceRange | undefined,
  path: string | undefined,
  { toForgePath }: ForgePlaces,
): FindingPlace | undefined {
  const named = range?.file.path ?? path;
  const forgePath = named === undefined ? undefined : toForgePath(named);
  if (forgePath === undefined) return undefined;
  if (!range) return { path: forgePath };
  const { file } = range;
  const { line, column } = getPosition(file, range.start);
  const end = getPosition(file, range.end);
  const lineEnd = getLine(file, line).length + 1;
  const endColumn = Math.max(column + 1, end.line === line ? end.column : lineEnd);
  // The end of a secret would say how long it is.
  const isSecret =
    maskLine(file, line).slice(column - 1, endColumn - 1) !== getLine(file, line).slice(column - 1, endColumn - 1);
  return { path: forgePath, line, column, endColumn: isSecret ? column + 1 : endColumn, file };
}
