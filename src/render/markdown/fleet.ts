import { formatName } from "../escape.ts";
import type { Style } from "../style.ts";
import { formatFleetPartLines, formatFleetWarningLines } from "../text/fleet.ts";
import { getFamilyTitle } from "../views/family.ts";
import { type FleetRow, type FleetView, formatCell, formatTargets } from "../views/fleet.ts";
import { pluralise } from "../views/words.ts";
import { fenceCode, formatCode } from "./code.ts";

/** GitHub refuses a comment of more than 65 536 characters; what posts it adds a marker and links. */
const mostCharacters = 64_000;
const mostRows = 60;

/** A run about several targets as a comment: how each fares, then each distinct finding, folded. No newline at its end. */
export function renderFleetMarkdown(view: FleetView, { full = false } = {}): string {
  const style: Style = { color: false, width: 100, full, verbose: false };
  const blocks = [`**${view.summary}**`, ...tableBlock(view, full)];
  const details = view.parts.flatMap((part) => {
    const all = view.rows.map(({ name }) => name);
    const lines = [...formatFleetPartLines(part, style), ...formatFleetWarningLines(part, style)];
    if (lines.length === 0) return [];
    // HTML shows a name as it is: its characters must be none of markup.
    const title = escapeMarkup(formatTargets(part.targets, all));
    return [
      `<details><summary>On ${title}</summary>\n\n${fenceCode(
        "diff",
        lines.map((line) => toDiffLine(line.trimEnd())),
      )}\n\n</details>`,
    ];
  });
  let space = full ? Number.POSITIVE_INFINITY : mostCharacters - blocks.join("\n\n").length;
  const shown = details.filter((block) => {
    space -= block.length + 2;
    return space > 0;
  });
  const left = details.length - shown.length;
  const missing = `${pluralise(left, "group")} of findings did not fit in here. All of them: \`gate-sync ${view.command} --full\`.`;
  return [...blocks, ...shown, ...(left === 0 ? [] : [missing])].join("\n\n");
}

/** Where the sign of a change is the first thing on its line, a diff is coloured by it. */
function toDiffLine(line: string): string {
  return line.replace(/^( +)([+-]) /, (_, space: string, sign: string) => `${sign}${space} `);
}

function tableBlock({ rows, families }: FleetView, full: boolean): readonly string[] {
  const others = rows.filter(({ state }) => state !== "in sync");
  if (others.length === 0) return [];
  const shown = full || others.length <= mostRows ? others : others.slice(0, mostRows - 1);
  const left = others.length - shown.length;
  const cells = (row: FleetRow) => families.map((family) => formatCell(row.families.get(family)));
  const lines = shown.map((row) => `| ${[formatTableCode(row.name), ...cells(row), row.state].join(" | ")} |`);
  const head = [`| | ${[...families.map(getFamilyTitle), ""].join(" | ")} |`, `|${"---|".repeat(families.length + 2)}`];
  return [[...head, ...lines].join("\n"), ...(left === 0 ? [] : [`and ${pluralise(left, "target")} more.`])];
}

/** A bar would end the cell even in code, and a new line the table. */
function formatTableCode(name: string): string {
  return formatCode(formatName(name)).replaceAll("|", "\\|");
}

function escapeMarkup(text: string): string {
  return text.replace(/[&<>*_`[\]@#|\\~]/g, (character) => `&#${character.charCodeAt(0)};`);
}
