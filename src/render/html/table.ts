import { createMarkup as html, type Markup } from "./markup.ts";

/** A picture of more would be no picture. */
const mostColumns = 30;
const mostRows = 200;

export interface AccessTable {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly who: string; readonly cells: readonly (readonly Markup[])[] }[];
  readonly legend: string;
}

/** Principals as rows; what is left out of a large one is below it. */
export function renderAccessTable({ columns, rows, legend }: AccessTable): Markup {
  const shown = columns.slice(0, mostColumns);
  const head = shown.map((column) => html`<th scope="col">${column}</th>`);
  const body = rows.slice(0, mostRows).map(
    ({
      who,
      cells,
    }) => html`<tr data-who><th scope="row">${who}</th>${cells.slice(0, mostColumns).map((marks) => html`<td>${marks}</td>`)}</tr>
`,
  );
  const left = [
    ...(columns.length > shown.length ? [`${columns.length - shown.length} more columns`] : []),
    ...(rows.length > mostRows ? [`${rows.length - mostRows} more rows`] : []),
  ];
  return html`<div class="wide" tabindex="0" role="region" aria-label="Access as a table"><table class="matrix">
<thead><tr><th scope="col">who</th>${head}</tr></thead>
<tbody>${body}</tbody></table></div>
<p class="legend">${legend}.${left.length === 0 ? "" : ` Not in the table, but below: ${left.join(", ")}.`}</p>`;
}

/** Buttons for kinds of marks, and a search; both need the script of the page, which shows them. */
export function renderAccessTools(kinds: readonly string[]): Markup {
  const buttons = ["all", ...kinds].map(
    (kind, at) =>
      html`<button type="button" data-show="${kind}" aria-pressed="${at === 0 ? "true" : "false"}">${kind}</button>`,
  );
  return html`<div class="tools" hidden><span role="group" aria-label="Which access is shown">${buttons}</span>
<input id="who" type="search" aria-label="Principal, index or role" placeholder="principal, index or role"></div>`;
}
