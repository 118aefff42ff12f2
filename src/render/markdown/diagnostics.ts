import type { RunError } from "../../diagnostics/failure.ts";
import type { Style } from "../style.ts";
import { renderDiagnosticsText } from "../text/diagnostics.ts";
import { renderMessageText } from "../text/message.ts";
import { createFailureView, type DiagnosticsView } from "../views/diagnostics.ts";
import { pluralise } from "../views/words.ts";
import { fenceCode } from "./code.ts";

const style: Style = { color: false, width: 100, full: false, verbose: false };

/** Forges refuse longer comments; what does not fit is for the log. */
const mostAlone = 30_000;
const mostBesideAPlan = 10_000;
/** Up to so many warnings are shown, those about entries that stay as they are among them. */
const mostAll = 5;

/** A run that ended early, as a comment on a pull request: else its reviewers would see nothing at all. */
export function renderFailureMarkdown(error: RunError): string {
  if (error.diagnostics.length === 0)
    return `**gate-sync stopped.**\n\n${fenceCode("text", [renderMessageText(error, style)])}`;
  const view = createFailureView(error);
  return `**The files have ${pluralise(view.errors, "error")}: nothing was planned.**\n\n${messages(view, mostAlone, style)}`;
}

/** The warnings of a plan, folded in a block; all of them only where they are `full`. */
export function renderWarningBlocks(view: DiagnosticsView, full = false): readonly string[] {
  if (view.diagnostics.length === 0) return [];
  const count = pluralise(view.diagnostics.length, "warning");
  const { cut: _, ...whole } = view;
  const most = full ? Number.POSITIVE_INFINITY : mostBesideAPlan;
  return [
    `<details><summary>${count}</summary>\n\n${messages(view.diagnostics.length > mostAll ? view : whole, most, { ...style, full })}\n\n</details>`,
  ];
}

function messages(view: DiagnosticsView, most: number, style: Style): string {
  const text = renderDiagnosticsText(view, style);
  const shown = text.length > most ? `${text.slice(0, most)}\n... the rest is in the log` : text;
  return fenceCode("text", shown.split("\n"));
}
