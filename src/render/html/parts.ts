import { createDiagnosticView, type DiagnosticsView } from "../views/diagnostics.ts";
import type { TargetView } from "../views/target.ts";
import { createMarkup as html, type Markup } from "./markup.ts";
import { type LinkPlace, renderPlace } from "./place.ts";

// What the pages of several commands have in common.

export interface PageOptions {
  readonly link: LinkPlace;
  /** Of the files; absent outside of a repository. */
  readonly commit?: string;
  /** Who is to send the requests of a plan; absent where the target does not say so. */
  readonly appliedAs?: string | undefined;
}

/** The answer, at the top, in a word for people who see no colours. */
export function renderVerdict(kind: "good" | "bad" | "unknown", verdict: string, sentences: readonly string[]): Markup {
  return html`<div class="verdict ${kind}" role="status"><p><strong>${verdict}</strong></p>${sentences.map((text) => html`<p>${text}</p>`)}</div>`;
}

/** Terms with what is known of them. */
export function renderFacts(facts: readonly (readonly [term: string, fact: string | undefined])[]): Markup {
  const rows = facts.flatMap(([term, fact]) => (fact === undefined ? [] : [html`<dt>${term}</dt><dd>${fact}</dd>`]));
  return html`<dl class="facts">${rows}</dl>`;
}

export function listTargetFacts(target: TargetView): readonly (readonly [string, string | undefined])[] {
  const { name, url, product, release, how, clusterName, identity } = target;
  return [
    ["target", name],
    ["cluster", clusterName === undefined ? url : `${clusterName}, ${url}`],
    ["product", `${product} ${release} (${how})`],
    ["as", identity],
  ];
}

export function renderSection(id: string, title: string, content: readonly Markup[]): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${content}</section>`;
}

export function renderNoteSection(notes: readonly string[]): readonly Markup[] {
  if (notes.length === 0) return [];
  return [renderSection("notes", "Notes", [html`<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>`])];
}

/** More of one run are for the log. */
const mostDiagnostics = 200;

export function renderDiagnostics(
  title: string,
  { diagnostics, summary }: DiagnosticsView,
  link: LinkPlace,
): readonly Markup[] {
  if (diagnostics.length === 0) return [];
  const items = listDiagnosticItems({ diagnostics }, link);
  return [renderSection("diagnostics", title, [html`<p>${summary}</p><ul>${items}</ul>`])];
}

/** Each an item of a list; of very many the first, and how many more there are. */
export function listDiagnosticItems(
  { diagnostics }: Pick<DiagnosticsView, "diagnostics">,
  link: LinkPlace,
): readonly Markup[] {
  const shown = diagnostics.slice(0, mostDiagnostics).map((one) => {
    const { code, sentences, range, place } = createDiagnosticView(one);
    const where = range ? renderPlace(range, code, link) : html`${code} (${place})`;
    return html`<li>${where}: ${sentences.join(" ")}</li>`;
  });
  const left = diagnostics.length - shown.length;
  return left > 0 ? [...shown, html`<li>${left} more are in the log.</li>`] : shown;
}
