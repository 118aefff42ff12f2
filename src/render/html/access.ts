import type { ChainStep } from "../../access/explain/grant-path.ts";
import { escapeInvisible } from "../escape.ts";
import type { AccessView } from "../views/access-diff.ts";
import type { AccessLine } from "../views/access-lines.ts";
import {
  type AccessMatrix,
  createAccessMatrix,
  listAccessBlocks,
  type MarkKind,
  type MatrixMark,
} from "../views/access-matrix.ts";
import { formatStep } from "../views/access-reasons.ts";
import { createMarkup as html, type Markup } from "./markup.ts";
import { type LinkPlace, renderPlace } from "./place.ts";

/** A shape beside each colour: some readers do not see colours, and printers have none. */
const shapes: Readonly<Record<MarkKind, string>> = {
  gained: "▲",
  lost: "▼",
  more: "◓",
  less: "◒",
  other: "◆",
  unknown: "?",
};
const words: Readonly<Record<MarkKind, string>> = {
  gained: "gained",
  lost: "lost",
  more: "sees more",
  less: "sees less",
  other: "sees other documents or fields",
  unknown: "unknown",
};

/** A picture of more would be no picture. */
const mostColumns = 30;
const mostRows = 200;

/** Who gains and loses what: as a matrix, whose marks lead to the sentences below it. */
export function renderAccess(view: AccessView, link: LinkPlace): readonly Markup[] {
  const ids = new Map<AccessLine, string>();
  const idOf = (line: AccessLine) => {
    const known = ids.get(line) ?? `access-${ids.size + 1}`;
    ids.set(line, known);
    return known;
  };
  const blocks = listAccessBlocks(view);
  const matrix = createAccessMatrix(view);
  const rest = [...view.blocked, ...view.closing];
  return [
    html`<section id="access" aria-labelledby="access-title"><h2 id="access-title">Access: ${view.counts.join(", ")}</h2>`,
    ...(blocks.length === 0 ? [] : [renderTools(), renderMatrix(matrix, idOf)]),
    ...blocks.map(
      ({ who, lines }) =>
        html`<div class="who" data-who><h3>${who}</h3>${lines.map((line) => renderLine(line, idOf(line), link))}</div>`,
    ),
    ...(rest.length === 0
      ? []
      : [html`<div class="who"><h3>Besides</h3>${rest.map((line) => renderLine(line, idOf(line), link))}</div>`]),
    html`</section>`,
  ];
}

function renderTools(): Markup {
  const shown = [
    ["all", "all"],
    ["gained", "gained"],
    ["lost", "lost"],
    ["unknown", "unknown"],
  ] as const;
  const buttons = shown.map(
    ([kind, word], at) =>
      html`<button type="button" data-show="${kind}" aria-pressed="${at === 0 ? "true" : "false"}">${word}</button>`,
  );
  return html`<div class="tools" hidden><span role="group" aria-label="Which access is shown">${buttons}</span>
<input id="who" type="search" aria-label="Principal, index or role" placeholder="principal, index or role"></div>`;
}

function renderMatrix({ columns, rows }: AccessMatrix, idOf: (line: AccessLine) => string): Markup {
  const shown = columns.slice(0, mostColumns);
  const head = shown.map((column) => html`<th scope="col">${column}</th>`);
  const body = rows.slice(0, mostRows).map(
    ({
      who,
      cells,
    }) => html`<tr data-who><th scope="row">${who}</th>${cells.slice(0, mostColumns).map((marks) => html`<td>${marks.map((mark) => renderMark(mark, idOf))}</td>`)}</tr>
`,
  );
  const left = [
    ...(columns.length > shown.length ? [`${columns.length - shown.length} more columns`] : []),
    ...(rows.length > mostRows ? [`${rows.length - mostRows} more rows`] : []),
  ];
  const kinds = Object.keys(shapes) as readonly MarkKind[];
  const legend = kinds.map((kind) => `${shapes[kind]} ${words[kind]}`).join(", ");
  return html`<div class="wide" tabindex="0" role="region" aria-label="Access as a table"><table class="matrix">
<thead><tr><th scope="col">who</th>${head}</tr></thead>
<tbody>${body}</tbody></table></div>
<p class="legend">${legend}.${left.length === 0 ? "" : ` Not in the table, but below: ${left.join(", ")}.`}</p>`;
}

function renderMark({ kind, level, line }: MatrixMark, idOf: (line: AccessLine) => string): Markup {
  return html`<a class="mark ${kind}" data-kind="${toFilter(kind)}" href="#${idOf(line)}" title="${line.sentence}"><span aria-hidden="true">${shapes[kind]}</span> ${level}<span class="dim"> ${words[kind]}</span></a>`;
}

function toFilter(kind: MarkKind): string {
  return kind === "more" ? "gained" : kind === "less" ? "lost" : kind;
}

function renderLine(line: AccessLine, id: string, link: LinkPlace): Markup {
  const { sign, sentence, details, chain, difference } = line;
  const kind = { "+": "gained", "-": "lost", "~": "other", "?": "unknown" }[sign];
  const example = difference && formatExample(difference.witness);
  const steps = chain.map(
    (step, at) => html`${at === 0 ? "" : " > "}${renderPlace(step.place, formatStep(withoutPlace(step)), link)}`,
  );
  const facts = [
    ...details.map((detail) => html`<pre>${detail}</pre>`),
    ...(example === undefined ? [] : [html`<div class="dim">for example ${example}</div>`]),
    ...(steps.length === 0 ? [] : [html`<div class="dim">by ${steps}</div>`]),
  ];
  const title = html`<span class="sign ${kind}" data-kind="${kind}">${sign}</span> ${sentence}`;
  if (facts.length === 0) return html`<div class="said" id="${id}">${title}</div>`;
  return html`<div class="said" id="${id}"><details><summary>${title}</summary>${facts}</details></div>`;
}

function formatExample({ action, index }: { readonly action: string; readonly index?: string }): string {
  return escapeInvisible(index === undefined ? action : `${action} on ${index}`);
}

function withoutPlace({ place: _, ...step }: ChainStep): ChainStep {
  return step;
}
