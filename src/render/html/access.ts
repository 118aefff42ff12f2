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
import type { ViolationView } from "../views/violation.ts";
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
  test: "✗",
};
const words: Readonly<Record<MarkKind, string>> = {
  gained: "gained",
  lost: "lost",
  more: "sees more",
  less: "sees less",
  other: "sees other documents or fields",
  unknown: "unknown",
  test: "fails",
};

/** Who gains and loses what: as a matrix, whose marks lead to the sentences below it. */
export function renderAccess(
  view: AccessView,
  link: LinkPlace,
  violations: readonly ViolationView[] = [],
): readonly Markup[] {
  const ids = new Map<AccessLine, string>();
  const idOf = (line: AccessLine) => {
    const known = ids.get(line) ?? `access-${ids.size + 1}`;
    ids.set(line, known);
    return known;
  };
  const idOfMark = ({ line, violation }: MatrixMark) =>
    line ? idOf(line) : violation ? createViolationId(violations.indexOf(violation)) : "access";
  const blocks = listAccessBlocks(view);
  const matrix = createAccessMatrix(view, violations);
  const isTested = matrix.rows.some(({ cells }) => cells.flat().some(({ kind }) => kind === "test"));
  const tools = ["gained", "lost", "unknown", ...(isTested ? ["test"] : [])];
  const rest = [...view.blocked, ...view.closing];
  return [
    html`<section id="access" aria-labelledby="access-title"><h2 id="access-title">Access: ${view.counts.join(", ")}</h2>`,
    ...(matrix.rows.length === 0 ? [] : [renderAccessTools(tools), renderMatrix(matrix, idOfMark)]),
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

/** The id of what refuses a plan, by its place among the violations. */
export function createViolationId(at: number): string {
  return `guard-${at + 1}`;
}

function renderMatrix({ columns, rows }: AccessMatrix, idOf: (mark: MatrixMark) => string): Markup {
  const all = Object.keys(shapes) as readonly MarkKind[];
  const shown = new Set(rows.flatMap(({ cells }) => cells.flatMap((marks) => marks.map(({ kind }) => kind))));
  const kinds = all.filter((kind) => kind !== "test" || shown.has(kind));
  return renderAccessTable({
    columns,
    rows: rows.map(({ who, cells }) => ({
      who,
      cells: cells.map((marks) => marks.map((mark) => renderMark(mark, idOf))),
    })),
    legend: kinds.map((kind) => `${shapes[kind]} ${kind === "test" ? "an access test " : ""}${words[kind]}`).join(", "),
  });
}

function renderMark(mark: MatrixMark, idOf: (mark: MatrixMark) => string): Markup {
  const { kind, text, sentence } = mark;
  return html`<a class="mark ${kind}" data-kind="${toFilter(kind)}" href="#${idOf(mark)}" title="${sentence}"><span aria-hidden="true">${shapes[kind]}</span> ${text}<span class="dim"> ${words[kind]}</span></a>`;
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
