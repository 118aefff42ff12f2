import { type Diagnostic, getDiagnosticPath, isError, sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import type { RunError } from "../../diagnostics/failure.ts";
import type { JsonObject } from "../../json/value.ts";
import { maskDiagnostic } from "../../secrets/masked-message.ts";
import { toSpan } from "../views/place.ts";
import { formatVersion, omitAbsent } from "./parts.ts";

/** As `schemas/diagnostics.schema.json` describes it, sorted. */
export function renderDiagnosticsJson(diagnostics: readonly Diagnostic[]): JsonObject {
  const sorted = sortDiagnostics(diagnostics);
  const errors = sorted.filter(isError).length;
  return {
    format_version: formatVersion,
    kind: "diagnostics",
    errors,
    warnings: sorted.length - errors,
    diagnostics: sorted.map(renderDiagnosticJson),
  };
}

/** The same with what ended the run: `schemas/diagnostics.schema.json` describes both. */
export function renderErrorJson(error: RunError): JsonObject {
  const { what, why, fix } = error.userMessage;
  return {
    ...renderDiagnosticsJson(error.diagnostics),
    kind: "error",
    error: { kind: error.kind, exit_code: error.exitCode, what, ...omitAbsent({ why, fix }) },
  };
}

export function renderDiagnosticJson(diagnostic: Diagnostic): JsonObject {
  const { code, severity, range, what, why, fix, related = [] } = maskDiagnostic(diagnostic);
  return {
    code,
    severity,
    ...(range === undefined ? { path: getDiagnosticPath(diagnostic) } : toSpan(range)),
    what,
    ...omitAbsent({ why, fix }),
    related: related.map((other) => ({ ...toSpan(other.range), what: other.what })),
  };
}
