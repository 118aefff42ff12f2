import { leftToPlan, type TestsView, type TestView } from "../views/access-tests.ts";
import { createMarkup as html, type Markup } from "./markup.ts";
import { renderPage } from "./page.ts";
import { type PageOptions, renderFacts, renderNoteSection, renderSection, renderVerdict } from "./parts.ts";
import { renderPlace } from "./place.ts";

/** Access tests as one page: those that fail first. */
export function renderTestsHtml(view: TestsView, options: PageOptions): Iterable<string> {
  return renderPage("gate-sync test", renderBody(view, options));
}

function* renderBody(
  { tests, isPassed, counts, closing }: TestsView,
  { link, commit }: PageOptions,
): Generator<Markup> {
  const failing = tests.filter(({ passes }) => !passes);
  const left = tests.filter(({ isLeftToPlan }) => isLeftToPlan);
  const passing = tests.filter(({ passes, isLeftToPlan }) => passes && !isLeftToPlan);
  const renderTest = (test: TestView) => renderOne(test, renderPlace(test.tested.test.origin, test.title, link));
  yield html`<main><h1>Access tests</h1>`;
  const verdict = left.length > 0 ? "No access test fails" : "All access tests pass";
  yield renderVerdict(isPassed ? "good" : "bad", isPassed ? verdict : "Access tests fail", [counts]);
  yield renderFacts([["commit", commit]]);
  if (failing.length > 0) yield renderSection("failing", "Failing", failing.map(renderTest));
  if (left.length > 0) yield renderSection("left", `Unknown: ${leftToPlan}`, left.map(renderTest));
  if (passing.length > 0) yield renderSection("passing", "Passing", passing.map(renderTest));
  yield* renderNoteSection(closing);
  yield html`</main>`;
}

function renderOne({ passes, isLeftToPlan, findings }: TestView, title: Markup): Markup {
  const reasons = findings.map(({ what, why }) => html`<p>${what}${why === "" ? "" : `: ${why}`}</p>`);
  const mark = isLeftToPlan
    ? html`<span class="sign">?</span>`
    : passes
      ? html`<span class="sign gained">✓</span>`
      : html`<span class="sign lost">✗</span>`;
  return html`<div class="${passes ? "test" : "guard"}"><p>${mark} <strong>${title}</strong></p>${reasons}</div>
`;
}
