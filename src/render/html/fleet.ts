import { joinNames } from "../escape.ts";
import type { AccessLine } from "../views/access-lines.ts";
import { createFailureView } from "../views/diagnostics.ts";
import { getFamilyTitle } from "../views/family.ts";
import { type FleetRow, type FleetState, type FleetView, formatCell, formatTargets } from "../views/fleet.ts";
import type { FleetPart } from "../views/fleet-parts.ts";
import { pluralise } from "../views/words.ts";
import { renderChangeList } from "./changes.ts";
import { createMarkup as html, type Markup } from "./markup.ts";
import { renderPage } from "./page.ts";
import { listDiagnosticItems, type PageOptions, renderFacts, renderSection, renderVerdict } from "./parts.ts";
import type { LinkPlace } from "./place.ts";
import { renderRequest, renderViolation } from "./plan.ts";

/** More changes than these are for JSON, and for the text with --full. */
const mostChanges = 1000;

/** A run about several targets as one page: how each fares, then each distinct finding with the targets that it is for. */
export function renderFleetHtml(view: FleetView, options: PageOptions): Iterable<string> {
  return renderPage(`gate-sync ${view.command}`, renderBody(view, options));
}

function* renderBody(view: FleetView, { link, commit }: PageOptions): Generator<Markup> {
  const { command, rows, parts, summary, exitCode } = view;
  yield html`<main><h1>${command} of ${pluralise(rows.length, "target")}</h1>`;
  yield renderVerdict(exitCode === 0 || exitCode === 2 ? "good" : "bad", summary, []);
  yield renderFacts([["commit", commit]]);
  yield renderSection("targets", "Targets", [renderTable(view)]);
  const all = rows.map(({ name }) => name);
  let space = mostChanges;
  for (const [at, part] of parts.entries()) {
    yield* renderPart(part, { id: `part-${at + 1}`, title: `On ${formatTargets(part.targets, all)}`, link, space });
    space -= Math.min(space, countChanges(part));
  }
  yield html`</main>`;
}

const classes: Partial<Readonly<Record<FleetState, string>>> = {
  "in sync": "read",
  applied: "read",
  valid: "read",
  passed: "read",
  changes: "write",
  drift: "write",
  "not attempted": "part",
};

function renderTable({ rows, families }: FleetView): Markup {
  const withRequests = rows.some(({ requests }) => requests > 0);
  const head = families.map((family) => html`<th scope="col">${getFamilyTitle(family)}</th>`);
  const cells = ({ families: counts }: FleetRow) =>
    families.map((family) => html`<td>${formatCell(counts.get(family))}</td>`);
  const body = rows.map((row) => {
    const state = html`<td><span class="mark ${classes[row.state] ?? "manage"}">${row.state}</span></td>`;
    const requests = withRequests ? html`<td>${row.requests === 0 ? "" : pluralise(row.requests, "request")}</td>` : "";
    return html`<tr><th scope="row">${row.name}</th>${cells(row)}${requests}${state}</tr>
`;
  });
  return html`<div class="wide" tabindex="0" role="region" aria-label="Targets"><table class="matrix"><thead><tr><th scope="col">target</th>${head}${withRequests ? html`<th scope="col">requests</th>` : ""}<th scope="col">state</th></tr></thead>
<tbody>${body}</tbody></table></div>`;
}

interface PartPlace {
  readonly id: string;
  readonly title: string;
  readonly link: LinkPlace;
  /** How many changes may still be shown. */
  readonly space: number;
}

function* renderPart(part: FleetPart, { id, title, link, space }: PartPlace): Generator<Markup> {
  const { targets, outputs, documents, failures, families, access, requests, violations, notes, warnings } = part;
  yield html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>`;
  if (!title.includes(joinNames(targets))) yield html`<p class="dim">${joinNames(targets)}</p>`;
  for (const text of [...outputs, ...documents.map((one) => JSON.stringify(one, null, 2))])
    yield html`<pre>${text}</pre>`;
  for (const failure of failures) {
    const { what, why, fix } = failure.userMessage;
    const sentences = [why, fix].filter((sentence) => sentence !== undefined);
    yield html`<div class="guard"><p><strong>${what}</strong></p>${sentences.map((text) => html`<p>${text}</p>`)}
<ul>${listDiagnosticItems(createFailureView(failure), link)}</ul></div>`;
  }
  yield* violations.map((violation, at) => renderViolation(violation, `${id}-guard-${at + 1}`));
  if (access) {
    const { administering, others, pairs, unknown, blocked, closing } = access;
    yield html`<h3>Access <span class="dim">${access.counts.join(", ")}</span></h3>`;
    for (const { who, lines } of [...administering, ...others, ...pairs, ...unknown])
      yield html`<div class="who"><h4>${who}</h4>${lines.map(renderLine)}</div>`;
    yield html`${[...blocked, ...closing].map(renderLine)}`;
  }
  let left = space;
  for (const { title: name, changes, pendingCounts, otherCounts } of families) {
    const counts = [pendingCounts, otherCounts].filter((text) => text !== "").join("; ");
    yield html`<h3>${name} <span class="dim">${counts}</span></h3>${renderChangeList(changes.slice(0, left), link)}`;
    const hidden = changes.length - left;
    if (hidden > 0) yield html`<p class="dim">${hidden} more are in JSON, and in the text with --full.</p>`;
    left = Math.max(0, left - changes.length);
  }
  if (requests.length > 0)
    yield html`<h3>Requests, in this order</h3><ol class="requests">${requests.map(renderRequest)}</ol>`;
  if (notes.length > 0) yield html`<h3>Notes</h3><ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>`;
  if (warnings.diagnostics.length > 0)
    yield html`<h3>Warnings <span class="dim">${warnings.summary}</span></h3><ul>${listDiagnosticItems(warnings, link)}</ul>`;
  yield html`</section>`;
}

function renderLine({ sign, sentence, details }: AccessLine): Markup {
  return html`<div class="said"><span class="sign">${sign}</span> ${sentence}${details.map((text) => html`<br><span class="dim">${text}</span>`)}</div>`;
}

function countChanges({ families }: FleetPart): number {
  return families.reduce((sum, { changes }) => sum + changes.length, 0);
}
