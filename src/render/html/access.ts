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
import { renderChain } from "./chain.ts";
import { createMarkup as html, type Markup } from "./markup.ts";
import type { LinkPlace } from "./place.ts";
import { renderAccessTable, renderAccessTools } from "./table.ts";

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
    ...(blocks.length === 0 ? [] : [renderAccessTools(["gained", "lost", "unknown"]), renderMatrix(matrix, idOf)]),
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

function renderMatrix({ columns, rows }: AccessMatrix, idOf: (line: AccessLine) => string): Markup {
  const kinds = Object.keys(shapes) as readonly MarkKind[];
  return renderAccessTable({
    columns,
    rows: rows.map(({ who, cells }) => ({
      who,
      cells: cells.map((marks) => marks.map((mark) => renderMark(mark, idOf))),
    })),
    legend: kinds.map((kind) => `${shapes[kind]} ${words[kind]}`).join(", "),
  });
}

function renderMark({ kind, text, line }: MatrixMark, idOf: (line: AccessLine) => string): Markup {
  return html`<a class="mark ${kind}" data-kind="${toFilter(kind)}" href="#${idOf(line)}" title="${line.sentence}"><span aria-hidden="true">${shapes[kind]}</span> ${text}<span class="dim"> ${words[kind]}</span></a>`;
}

function toFilter(kind: MarkKind): string {
  return kind === "more" ? "gained" : kind === "less" ? "lost" : kind;
}

function renderLine(line: AccessLine, id: string, link: LinkPlace): Markup {
  const { sign, sentence, details, chain, difference } = line;
  const kind = { "+": "gained", "-": "lost", "~": "other", "?": "unknown" }[sign];
  const example = difference && formatExample(difference.witness);
  const facts = [
    ...details.map((detail) => html`<pre>${detail}</pre>`),
    ...(example === undefined ? [] : [html`<div class="dim">for example ${example}</div>`]),
    ...(chain.length === 0 ? [] : [renderChain(chain, link)]),
  ];
  const title = html`<span class="sign ${kind}" data-kind="${kind}">${sign}</span> ${sentence}`;
  if (facts.length === 0) return html`<div class="said" id="${id}">${title}</div>`;
  return html`<div class="said" id="${id}"><details><summary>${title}</summary>${facts}</details></div>`;
}

function formatExample({ action, index }: { readonly action: string; readonly index?: string }): string {
  return escapeInvisible(index === undefined ? action : `${action} on ${index}`);
}
