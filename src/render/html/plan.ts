import type { PlanView } from "../views/plan.ts";
import type { RequestView } from "../views/request.ts";
import type { ViolationView } from "../views/violation.ts";
import { createViolationId, renderAccess } from "./access.ts";
import { listChangedFamilies, renderChanges } from "./changes.ts";
import { createMarkup as html, type Markup } from "./markup.ts";
import { renderPage } from "./page.ts";
import {
  listTargetFacts,
  type PageOptions,
  renderDiagnostics,
  renderFacts,
  renderNoteSection,
  renderSection,
  renderVerdict,
} from "./parts.ts";

/** A plan as one page for reviewers, in pieces: the verdict, who gains and loses what, then everything else. */
export function renderPlanHtml(view: PlanView, options: PageOptions): Iterable<string> {
  return renderPage(`gate-sync plan ${view.target.name}`, renderBody(view, options));
}

function* renderBody(view: PlanView, { link, commit, appliedAs }: PageOptions): Generator<Markup> {
  const { target, fingerprint, violations, becameManaged, access, families, warnings, notes } = view;
  yield html`<main><h1>Plan for ${target.name}</h1>`;
  yield renderPlanVerdict(view);
  yield renderFacts([
    ...listTargetFacts(target),
    ["applied as", appliedAs],
    ["commit", commit],
    ["fingerprint", fingerprint === "" ? undefined : fingerprint],
  ]);
  if (violations.length > 0)
    yield renderSection(
      "guards",
      "Refused by",
      violations.map((one, at) => renderViolation(one, createViolationId(at))),
    );
  for (const { text } of becameManaged) yield html`<p>${text}</p>`;
  if (access) yield* renderAccess(access, link, violations);
  yield* renderChanges("Changes", listChangedFamilies(families), link);
  yield* renderRequests(view);
  yield* renderDiagnostics("Warnings", warnings, link);
  yield* renderNoteSection(notes);
  yield html`</main>`;
}

function renderPlanVerdict({
  isRefused,
  isInSync,
  unknownPasswords,
  isOfSnapshot,
  summary,
  violations,
  access,
}: PlanView): Markup {
  const isUnknown = access?.counts.some((count) => count.includes("unknown")) ?? false;
  const sentences = [
    summary,
    ...(access ? [`Access: ${access.counts.join(", ")}.`] : []),
    ...(isOfSnapshot ? ["Made against a snapshot: this plan cannot be applied."] : []),
  ];
  if (isRefused)
    return renderVerdict("bad", `Refused by ${[...new Set(violations.map(({ rule }) => rule))].join(", ")}`, sentences);
  if (isInSync)
    return renderVerdict("good", unknownPasswords > 0 ? "In sync, but for passwords" : "In sync", sentences);
  return isUnknown
    ? renderVerdict("unknown", "Applies; some of what it does to access is unknown", sentences)
    : renderVerdict("good", "Applies cleanly", sentences);
}

export function renderViolation({ rule, what, why, names, remedies }: ViolationView, id: string): Markup {
  return html`<div class="guard" id="${id}"><p><strong>${what}</strong> <span class="dim">guard ${rule}</span></p>
${why === undefined ? [] : [html`<p>${why}</p>`]}${names.length === 0 ? [] : [html`<p class="dim">${names.join(", ")}</p>`]}
${remedies.map(({ title, lines }) => (lines.length === 0 ? html`<p>${title}</p>` : html`<p>${title}</p><div class="waiver"><pre>${lines.join("\n")}</pre><button type="button" data-copy>copy</button></div>`))}</div>`;
}

function renderRequests({ requests, requestsTitle, orderSummary }: PlanView): readonly Markup[] {
  if (requests.length === 0) return [];
  return [
    renderSection("requests", requestsTitle, [
      html`<ol class="requests">${requests.map(renderRequest)}</ol>`,
      ...(orderSummary === "" ? [] : [html`<p>${orderSummary}</p>`]),
    ]),
  ];
}

export function renderRequest({ method, what, changes, size, duration, why }: RequestView): Markup {
  const facts = [changes, size, duration].filter((fact) => fact !== "").join(", ");
  return html`<li><code>${method}</code> ${what} <span class="dim">${facts}</span>${why === "" ? [] : [html`<br>${why}`]}</li>`;
}
