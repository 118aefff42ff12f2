import type { LiveMatch } from "../../model/status.ts";
import {
  joinLines,
  joinSections,
  measureWidth,
  padEnd,
  padSpaces,
  wrap,
  wrapIndented,
  wrapLabelled,
} from "../layout.ts";
import type { Style } from "../style.ts";
import type { FactView, StatusView, UnfinishedView } from "../views/status.ts";
import { paint } from "./ansi.ts";
import { formatNoteLines } from "./plan.ts";

/** What is known of the last run, for people. No newline at its end. */
export function renderStatusText(view: StatusView, style: Style): string {
  const { name, url, facts, unfinished, notes, conclusion } = view;
  const head = `${paint(name, "strong", style)}  ${url}`;
  if (facts.length === 0) {
    return joinLines([head, "", ...wrap(conclusion, style.width), ...formatNoteLines(notes, style)]);
  }
  return joinSections([
    [head],
    factLines(facts, style),
    unfinished.flatMap((group) => groupLines(group, style)),
    formatNoteLines(notes, style),
    wrap(conclusion, style.width).map((line) => paint(line, "strong", style)),
  ]);
}

const labelColumn = 10;

function factLines(facts: readonly FactView[], style: Style): readonly string[] {
  return facts.flatMap(({ label, text }) =>
    wrapLabelled(paint(padEnd(label, labelColumn), "faint", style), text, labelColumn, style.width),
  );
}

const tones: Readonly<Record<LiveMatch, "added" | "changed" | "faint">> = {
  "as-wanted": "added",
  "as-before": "faint",
  "in-part": "changed",
  otherwise: "changed",
  unknown: "changed",
  "not-read": "faint",
};

const indent = 6;
const wordColumn = 66;
/** Of one group; the JSON has all. */
const mostNamed = 20;

function groupLines({ addresses, outcome, detail, match, found }: UnfinishedView, style: Style): readonly string[] {
  const shown = style.full || addresses.length <= mostNamed + 1 ? addresses : addresses.slice(0, mostNamed);
  const left = addresses.length - shown.length;
  const below = (text: string) => wrapIndented(text, indent, style.width, 2);
  return [
    ...shown.map((name) => `  ${name}${padSpaces(Math.max(2, wordColumn - measureWidth(name) - 2))}${outcome}`),
    ...(left === 0 ? [] : [`  ... and ${left} more (--full)`]),
    ...(detail === "" ? [] : below(detail)),
    ...below(found).map((line) => paint(line, tones[match], style)),
  ];
}
