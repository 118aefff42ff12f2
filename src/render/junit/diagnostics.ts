import type { RunError } from "../../diagnostics/failure.ts";
import { createDiagnosticView, type DiagnosticsView, type DiagnosticView } from "../views/diagnostics.ts";
import { toSpan } from "../views/place.ts";
import { renderSuites, type Suite, type SuiteCase } from "./suites.ts";

/**
 * Diagnostics as JUnit XML: a case for each, which fails where it is an error, or one that passes where there is none.
 * No newline at its end.
 */
export function renderDiagnosticsJunit(command: string, view: DiagnosticsView): string {
  return renderSuites(`gate-sync ${command}`, [createFilesSuite(view)]);
}

/** A run that ended early: one case with an error, and what was found in the files. */
export function renderFailureJunit(command: string, { kind, userMessage, diagnostics }: RunError): string {
  const { what, why, fix } = userMessage;
  const text = [what, why, fix].filter((sentence) => sentence !== undefined).join(" ");
  const run: SuiteCase = {
    result: "error",
    attributes: { classname: command, name: "run" },
    detail: { type: kind, message: what, text },
  };
  const found = diagnostics.map((one) => toCase(createDiagnosticView(one)));
  return renderSuites(`gate-sync ${command}`, [
    { name: "run", cases: [run] },
    ...(found.length === 0 ? [] : [{ name: "files", cases: found }]),
  ]);
}

export function createFilesSuite({ diagnostics, summary }: DiagnosticsView): Suite {
  const cases = diagnostics.map((one) => toCase(createDiagnosticView(one)));
  const none: SuiteCase = { result: "passed", attributes: { classname: "files", name: summary } };
  return { name: "files", cases: cases.length > 0 ? cases : [none] };
}

/** GitLab keeps the first of equal names: the place is part of it. */
function toCase({ code, severity, place, range, sentences }: DiagnosticView): SuiteCase {
  const [what = ""] = sentences;
  const span = range && toSpan(range);
  const text = [place, ...sentences].join("\n");
  return {
    result: severity === "error" ? "failed" : "passed",
    attributes: { classname: code, name: `${place}: ${what}`, ...(span && { file: span.path, line: span.line }) },
    detail: severity === "error" ? { type: code, message: what, text } : { text },
  };
}
