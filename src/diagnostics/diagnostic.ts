import { type Code, catalogue, type Severity } from "./catalogue.ts";
import { copyPlace, type SourceFile, type SourceRange } from "./source.ts";

/** A located message about the user's files: what is wrong, where, why it matters and what to do. */
export interface Diagnostic {
  readonly code: Code;
  readonly severity: Severity;
  /** Absent only where a whole file or folder is meant. */
  readonly range?: SourceRange;
  /** The file or folder, where there is no range. */
  readonly path?: string;
  /** One sentence: what is wrong. */
  readonly what: string;
  /** One sentence: why it matters, and what the declaration would do. */
  readonly why?: string;
  /** One sentence: what to do about it. */
  readonly fix?: string;
  /** Other places that belong to it, such as the first of two declarations. */
  readonly related?: readonly { readonly range: SourceRange; readonly what: string }[];
  /** Shown by every plan, though its entry stays as it is. */
  readonly isAlwaysShown?: true;
}

type UserMessage = Pick<Diagnostic, "what" | "why" | "fix" | "related" | "isAlwaysShown">;

/** A diagnostic at a place in a file; its severity is the catalogue's, unless the caller knows better. */
export function createDiagnostic(
  place: SourceRange,
  code: Code,
  userMessage: UserMessage,
  severity?: Severity,
): Diagnostic {
  return { code, severity: severity ?? catalogue[code].severity, range: copyPlace(place), ...userMessage };
}

/** A diagnostic about a whole file or folder. */
export function createFileDiagnostic(
  path: string,
  code: Code,
  userMessage: UserMessage,
  severity?: Severity,
): Diagnostic {
  return { code, severity: severity ?? catalogue[code].severity, path, ...userMessage };
}

export function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === "error";
}

/** By path, then place, then code: the same list whatever order the checks ran in; exact repetitions once. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const sorted = [...diagnostics].sort(
    compareByFirst(
      (a, b) => compare(getDiagnosticPath(a), getDiagnosticPath(b)),
      (a, b) => (a.range?.start ?? -1) - (b.range?.start ?? -1),
      (a, b) => compare(a.code, b.code),
      (a, b) => compare(a.what, b.what),
      // Of two equal messages, the more severe one counts.
      (a, b) => compare(a.severity, b.severity),
    ),
  );
  return sorted.filter((item, index) => {
    const previous = sorted[index - 1];
    return !(
      previous &&
      getDiagnosticPath(previous) === getDiagnosticPath(item) &&
      previous.range?.start === item.range?.start &&
      previous.range?.generatedFor === item.range?.generatedFor &&
      previous.code === item.code &&
      previous.what === item.what
    );
  });
}

export function getDiagnosticPath(diagnostic: Diagnostic): string {
  return diagnostic.range?.file.path ?? diagnostic.path ?? "";
}

/** The whole of a file, for where no narrower place is known. */
export function getFileStart(file: SourceFile): SourceRange {
  return { file, start: 0, end: 0 };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

type Compare<T> = (a: T, b: T) => number;

/** The first comparison that is not equal decides. */
function compareByFirst<T>(...comparisons: readonly Compare<T>[]): Compare<T> {
  return (a, b) => {
    for (const comparison of comparisons) {
      const order = comparison(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };
}
