import { type AccessSinceView, commitsTitle } from "../views/access-since.ts";
import { renderAccess } from "./access.ts";
import { createMarkup as html, type Markup } from "./markup.ts";
import { renderPage } from "./page.ts";
import { type PageOptions, renderFacts, renderNoteSection, renderSection } from "./parts.ts";

/** What changed since an earlier state, as one page. */
export function renderAccessSinceHtml(view: AccessSinceView, options: PageOptions): Iterable<string> {
  return renderPage(`gate-sync: ${view.title}`, renderBody(view, options));
}

function* renderBody(
  { title, asNow, access, commits, closing }: AccessSinceView,
  { link, commit }: PageOptions,
): Generator<Markup> {
  yield html`<main><h1>${title}</h1>`;
  yield renderFacts([["commit", commit]]);
  yield html`${asNow.map((note) => html`<p>${note}</p>`)}`;
  yield* renderAccess(access, link);
  if (commits.length > 0)
    yield renderSection("commits", commitsTitle, [html`<ul>${commits.map((one) => html`<li>${one}</li>`)}</ul>`]);
  yield* renderNoteSection(closing);
  yield html`</main>`;
}
