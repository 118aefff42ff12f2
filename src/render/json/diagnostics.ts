import { type Diagnostic, getDiagnosticPath } from "../../diagnostics/diagnostic.ts";
import type { RunError } from "../../diagnostics/failure.ts";
import type { JsonObject } from "../../json/value.ts";
import { createDiagnosticView, createFailureView, type DiagnosticsView } from "../views/diagnostics.ts";
import { toSpan } from "../views/place.ts";
import { formatVersion, omitAbsent } from "./parts.ts";

/** As `schemas/diagnostics.schema.json` describes it, sorted. */
export function renderDiagnosticsJson({ diagnostics, errors, warnings }: DiagnosticsView): JsonObject {
  return {
    format_version: formatVersion,
    kind: "diagnostics",
    errors,
    warnings,
    diagnostics: diagnostics.map(renderDiagnosticJson),
  };
}

/** The same with what ended the run: `schemas/diagnostics.schema.json` describes both. */
export function renderErrorJson(error: RunError): JsonObject {
  const { what, why, fix } = error.userMessage;
  return {
    ...renderDiagnosticsJson(createFailureView(error)),
    kind: "error",
    error: { kind: error.kind, exit_code: error.exitCode, what, ...omitAbsent({ why, fix }) },
  };
}

export function renderDiagnosticJson(unmasked: Diagnostic): JsonObject {
  const { diagnostic } = createDiagnosticView(unmasked);
  const { code, severity, range, what, why, fix, related = [] } = diagnostic;
  return {
    code,
    severity,
    ...(range === undefined ? { path: getDiagnosticPath(diagnostic) } : toSpan(range)),
    what,
    ...omitAbsent({ why, fix }),
    related: related.map((other) => ({ ...toSpan(other.range), what: other.what })),
  };
}
