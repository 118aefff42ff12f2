import { joinLines, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { paint } from "./ansi.ts";

/**
 * A guide for a terminal: headings, paragraphs, lists and tables of Markdown, wrapped; a row of a table is a list item.
 * Code is to be copied: it is not wrapped.
 */
export function renderGuideText(markdown: string, style: Style): string {
  const blocks = markdown.trimEnd().split(/(^```.*?^```$)/ms);
  const lines = blocks.flatMap((block) => (block.startsWith("```") ? codeLines(block) : proseLines(block, style)));
  return joinLines(lines)
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function codeLines(block: string): readonly string[] {
  return [
    "",
    ...block
      .split("\n")
      .slice(1, -1)
      .map((line) => `    ${line}`),
    "",
  ];
}

function proseLines(text: string, style: Style): readonly string[] {
  return text.split(/\n\s*\n/).flatMap((paragraph) => {
    const lines = paragraph.split("\n").filter((line) => line.trim() !== "");
    if (lines[0]?.startsWith("|")) return [...tableLines(lines, style), ""];
    return [...joinItems(lines).flatMap((line) => itemLines(line, style)), ""];
  });
}

/** A line that begins an item, a heading or a line of code is a new one; all others continue it. */
function joinItems(lines: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const line of lines) {
    const startsNew = joined.length === 0 || /^(\* |\d+\. |#+ | {4})/.test(line);
    if (startsNew) joined.push(line.trimEnd());
    else joined.push(`${joined.pop()} ${line.trim()}`);
  }
  return joined;
}

function itemLines(line: string, style: Style): readonly string[] {
  if (line.startsWith("    ")) return [line];
  const [, heading] = /^#+ (.*)$/.exec(line) ?? [];
  if (heading !== undefined) return [paint(withoutMarkup(heading), "strong", style)];
  const [mark = ""] = /^(\* |\d+\. )?/.exec(line) ?? [];
  return wrap(withoutMarkup(line), style.width, mark.length);
}

/** The first cell of each row as an item, the others below it, each with its heading where there are several. */
function tableLines(rows: readonly string[], style: Style): readonly string[] {
  const [headings = [], , ...cells] = rows.map(cellsOf);
  return cells.flatMap(([first = "", ...others]) => [
    ...wrap(`* ${first}`, style.width, 2),
    ...others.flatMap((cell, index) => {
      if (cell === "") return [];
      const heading = others.length > 1 ? `${headings[index + 1]}: ` : "";
      return wrap(`${heading}${cell}`, style.width - 4).map((line) => `    ${line}`);
    }),
  ]);
}

function cellsOf(row: string): readonly string[] {
  const cells = row.replaceAll("\\|", "\0").split("|").slice(1, -1);
  return cells.map((cell) => withoutMarkup(cell.trim().replaceAll("\0", "|")));
}

function withoutMarkup(text: string): string {
  return text.replace(/\*\*(.+?)\*\*/g, "$1").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}
