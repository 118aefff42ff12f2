import { type DriftView, formatDriftRemark } from "../views/drift.ts";
import { renderChanges } from "./changes.ts";
import { createMarkup as html, type Markup } from "./markup.ts";
import { renderPage } from "./page.ts";
import {
  listTargetFacts,
  type PageOptions,
  renderDiagnostics,
  renderFacts,
  renderNoteSection,
  renderVerdict,
} from "./parts.ts";

/** Drift as one page: what changed on the server, and who declared it. */
export function renderDriftHtml(view: DriftView, options: PageOptions): Iterable<string> {
  return renderPage(`gate-sync drift ${view.target.name}`, renderBody(view, options));
}

function* renderBody(view: DriftView, { link, commit }: PageOptions): Generator<Markup> {
  const { target, isDrift, unknownPasswords, summary, baseline, legend, families, warnings, notes } = view;
  const shown = families.map(({ family, title, inSyncCounts, differences }) => ({
    family,
    title,
    counts: inSyncCounts,
    changes: differences,
  }));
  const hasNewPasswords = shown.some(({ changes }) => changes.some(({ reason }) => reason === "not-rotated"));
  const noDrift = unknownPasswords > 0 || hasNewPasswords ? "No drift, but for passwords" : "No drift";
  yield html`<main><h1>Drift of ${target.name}</h1>`;
  yield renderVerdict(isDrift ? "bad" : "good", isDrift ? "The cluster is not as it is declared" : noDrift, [summary]);
  yield renderFacts([...listTargetFacts(target), ["commit", commit], ["baseline", baseline]]);
  if (legend !== "") yield html`<p class="legend">${legend}</p>`;
  yield* renderChanges("Differences", shown, link, (difference) => formatDriftRemark(difference));
  yield* renderDiagnostics("Warnings", warnings, link);
  yield* renderNoteSection(notes);
  yield html`</main>`;
}
