import type { AccessMapView, MapAccess, MapGroup, MapMark } from "../views/access-map.ts";
import { createMapTable } from "../views/map-table.ts";
import { renderChain } from "./chain.ts";
import { createMarkup as html, type Markup } from "./markup.ts";
import { renderPage } from "./page.ts";
import { type PageOptions, renderFacts, renderNoteSection, renderSection, renderVerdict } from "./parts.ts";
import type { LinkPlace } from "./place.ts";
import { renderAccessTable, renderAccessTools } from "./table.ts";

/** A shape beside each colour: some readers do not see colours, and printers have none. */
const shapes: Readonly<Record<MapMark, string>> = {
  manage: "●",
  write: "◕",
  read: "○",
  restricted: "◐",
  part: "◔",
  unknown: "?",
};
const words: Readonly<Record<MapMark, string>> = {
  manage: "manages or administers",
  write: "writes",
  read: "reads",
  restricted: "reads with restrictions",
  part: "only a part",
  unknown: "unknown",
};

/** Groups of more principals make a page that no browser opens at once. */
const mostGroups = 1_000;

/** Who may do what, as one page: the picture first, and below it what grants each of its marks. */
export function renderAccessMapHtml(view: AccessMapView, options: PageOptions): Iterable<string> {
  return renderPage("gate-sync access map", renderBody(view, options));
}

function* renderBody(view: AccessMapView, { link, commit }: PageOptions): Generator<Markup> {
  const { summary, findings, groups, closing } = view;
  const shown = groups.slice(0, mostGroups);
  const ids = new Map(shown.flatMap(({ access }) => access).map((one, at) => [one, `access-${at + 1}`]));
  const isUnknown = groups.some(({ access }) => access.some(({ mark }) => mark === "unknown"));
  yield html`<main><h1>Who may do what</h1>`;
  yield renderVerdict(isUnknown ? "unknown" : "good", isUnknown ? "Not all of it is known" : "All of it is known", [
    summary,
  ]);
  yield renderFacts([["commit", commit]]);
  if (findings.length > 0)
    yield renderSection("findings", "Look at first", [html`<ul>${findings.map((one) => html`<li>${one}</li>`)}</ul>`]);
  const left = groups.length - shown.length;
  yield renderSection("access", "Access", [
    renderAccessTools(marks),
    renderMapTable(view, ids),
    ...shown.map((group) => renderGroup(group, ids, link)),
    ...(left > 0 ? [html`<p>${left} more groups of principals are in --format csv and json.</p>`] : []),
  ]);
  yield* renderNoteSection(closing);
  yield html`</main>`;
}

const marks = Object.keys(shapes) as readonly MapMark[];

function renderMapTable(view: AccessMapView, ids: ReadonlyMap<MapAccess, string>): Markup {
  const { columns, rows } = createMapTable(view);
  return renderAccessTable({
    columns,
    rows: rows.map(({ who, cells }) => ({
      who,
      cells: cells.map((access) => (access ? [renderMark(access, ids)] : [])),
    })),
    legend: marks.map((mark) => `${shapes[mark]} ${words[mark]}`).join(", "),
  });
}

function renderMark(access: MapAccess, ids: ReadonlyMap<MapAccess, string>): Markup {
  const { mark, label } = access;
  return html`<a class="mark ${mark}" data-kind="${mark}" href="#${ids.get(access) ?? "access"}" title="${words[mark]}"><span aria-hidden="true">${shapes[mark]}</span> ${label}</a>`;
}

function renderGroup({ who, access }: MapGroup, ids: ReadonlyMap<MapAccess, string>, link: LinkPlace): Markup {
  return html`<div class="who" data-who><h3>${who.join(", ")}</h3>${access.map((one) => renderOne(one, ids.get(one) ?? "", link))}</div>
`;
}

function renderOne({ mark, label, columns, chain }: MapAccess, id: string, link: LinkPlace): Markup {
  const title = html`<span class="sign ${mark}" data-kind="${mark}"><span aria-hidden="true">${shapes[mark]}</span></span> ${label}: ${columns.join(", ")}`;
  if (chain.length === 0) return html`<div class="said" id="${id}">${title}</div>`;
  return html`<div class="said" id="${id}"><details><summary>${title}</summary>${renderChain(chain, link)}</details></div>`;
}
