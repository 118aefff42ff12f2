import { type Diagnostic, isError, sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import type { RunError } from "../../diagnostics/failure.ts";
import { formatLocation, type SourceRange } from "../../diagnostics/source.ts";
import { maskDiagnostic } from "../../secrets/masked-message.ts";
import { escapeInvisible } from "../escape.ts";
import { formatDiagnosticPlace } from "./diagnostic-parts.ts";
import { pluralise } from "./words.ts";

/** Everything that a format shows of diagnostics. Texts are fit to be shown. */
export interface DiagnosticsView {
  /** Sorted by file and place. There may be thousands, of which a format shows some: it makes the views of those. */
  readonly diagnostics: readonly Diagnostic[];
  readonly errors: number;
  readonly warnings: number;
  /** `2 errors, 1 warning in 3 files.` and what that means for the run. */
  readonly summary: string;
  /** The code of the first error, else of the first warning; empty where there is neither. */
  readonly firstCode: string;
  /** What people who do not ask for all are shown: some, and a line about the rest. Absent where that is all. */
  readonly cut?: { readonly shown: readonly Diagnostic[]; readonly rest: string };
}

export interface DiagnosticView {
  readonly code: string;
  readonly severity: Diagnostic["severity"];
  /** `roles/hr.yml:12:5`; a path alone where no place is known. */
  readonly place: string;
  readonly range?: SourceRange;
  /** What is wrong, why it matters and how to fix it. */
  readonly sentences: readonly string[];
  readonly related: readonly { readonly range: SourceRange; readonly sentence: string }[];
  /** As the model has it, for programs; what its lines hide is masked. */
  readonly diagnostic: Diagnostic;
}

/** How much was looked at, and what that means for the run: one sentence; none by default. */
export interface DiagnosticScope {
  readonly files: number;
  readonly consequence?: string | undefined;
}

export function createDiagnosticsView(
  diagnostics: readonly Diagnostic[],
  { files, consequence = "" }: DiagnosticScope,
): DiagnosticsView {
  const sorted = sortDiagnostics(diagnostics);
  const errors = sorted.filter(isError).length;
  const warnings = sorted.length - errors;
  const counts = formatProblems(errors, warnings);
  return {
    diagnostics: sorted,
    errors,
    warnings,
    summary: `${counts} in ${pluralise(files, "file")}. ${escapeInvisible(consequence)}`.trimEnd(),
    firstCode: (sorted.find(isError) ?? sorted[0])?.code ?? "",
  };
}

/** Those of a run that ended early: how many files were read before is unknown, so that only theirs are counted. */
export function createFailureView({ diagnostics }: RunError, consequence?: string): DiagnosticsView {
  const files = new Set(diagnostics.map(({ range, path }) => range?.file.path ?? path)).size;
  return createDiagnosticsView(diagnostics, { files, consequence });
}

export const noDiagnostics = createDiagnosticsView([], { files: 0 });

export function createDiagnosticView(unmasked: Diagnostic): DiagnosticView {
  const diagnostic = maskDiagnostic(unmasked);
  const { code, severity, range, what, why, fix, related = [] } = diagnostic;
  return {
    code,
    severity,
    place: formatDiagnosticPlace(diagnostic),
    ...(range && { range }),
    sentences: [what, why, fix].flatMap((sentence) => (sentence === undefined ? [] : [escapeInvisible(sentence)])),
    related: related.map((other) => ({
      range: other.range,
      sentence: escapeInvisible(`${formatLocation(other.range)}: ${other.what}`),
    })),
    diagnostic,
  };
}

function formatProblems(errors: number, warnings: number): string {
  const parts = [
    ...(errors > 0 ? [pluralise(errors, "error")] : []),
    ...(warnings > 0 ? [pluralise(warnings, "warning")] : []),
  ];
  return parts.length === 0 ? "No problems" : parts.join(", ");
}
