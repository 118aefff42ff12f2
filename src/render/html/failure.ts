import type { RunError } from "../../diagnostics/failure.ts";
import { createFailureView } from "../views/diagnostics.ts";
import { createMarkup as html, type Markup } from "./markup.ts";
import { renderPage } from "./page.ts";
import { renderDiagnostics, renderVerdict } from "./parts.ts";

/** A run that ended early, as a page in place of its result. */
export function renderFailureHtml(command: string, error: RunError): Iterable<string> {
  return renderPage(`gate-sync ${command}`, renderBody(command, error));
}

function* renderBody(command: string, error: RunError): Generator<Markup> {
  const { what, why, fix } = error.userMessage;
  yield html`<main><h1>gate-sync ${command}</h1>`;
  yield renderVerdict(
    "bad",
    what,
    [why, fix].filter((sentence) => sentence !== undefined),
  );
  yield* renderDiagnostics("Messages", createFailureView(error), () => undefined);
  yield html`</main>`;
}
