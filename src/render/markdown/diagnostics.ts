import { type Diagnostic, isError } from "../../diagnostics/diagnostic.ts";
import type { RunError } from "../../diagnostics/failure.ts";
import type { Style } from "../style.ts";
import { renderDiagnosticsText } from "../text/diagnostics.ts";
import { renderMessageText } from "../text/message.ts";
import { pluralise } from "../views/words.ts";
import { fenceCode } from "./code.ts";

const style: Style = { color: false, width: 100, full: false, verbose: false };

/** Forges refuse longer comments; what does not fit is for the log. */
const mostAlone = 30_000;
const mostBesideAPlan = 10_000;

/** A run that ended early, as a comment on a pull request: else its reviewers would see nothing at all. */
export function renderFailureMarkdown(error: RunError): string {
  if (error.diagnostics.length === 0)
    return `**gate-sync stopped.**\n\n${fenceCode("text", [renderMessageText(error, style)])}`;
  const errors = error.diagnostics.filter(isError).length;
  // How many files were read before the error is unknown.
  const files = new Set(error.diagnostics.map(({ range, path }) => range?.file.path ?? path)).size;
  return `**The files have ${pluralise(errors, "error")}: nothing was planned.**\n\n${messages(error.diagnostics, files, mostAlone, style)}`;
}

/**
 * The warnings of a plan, folded; all of them only where they are `full`.
 *
 * @param files how many were looked at
 */
export function renderWarningsMarkdown(diagnostics: readonly Diagnostic[], files: number, full = false): string {
  const count = pluralise(diagnostics.length, "warning");
  const most = full ? Number.POSITIVE_INFINITY : mostBesideAPlan;
  return `<details><summary>${count}</summary>\n\n${messages(diagnostics, files, most, { ...style, full })}\n\n</details>`;
}

function messages(diagnostics: readonly Diagnostic[], files: number, most: number, style: Style): string {
  const text = renderDiagnosticsText(diagnostics, { files, consequence: "" }, style);
  const shown = text.length > most ? `${text.slice(0, most)}\n... the rest is in the log` : text;
  return fenceCode("text", shown.split("\n"));
}
