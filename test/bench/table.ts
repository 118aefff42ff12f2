import type { CaseResult, Figures, Stages } from "./compare.ts";
import type { Verdict } from "./goals.ts";

/** A line for each case: both sides' medians, and how many times the floor's the product's are. */
export function casesTable(results: readonly CaseResult[]): string {
  const head = ["case", "N", "CPU s", "floor", "×", "wall s", "floor", "×", "RSS MB", "floor", "×"];
  return aligned([head, ...results.map(caseRow)]);
}

export function verdictTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ figure, limit, measured, isReached, worst }) => [
    figure,
    `≤ ${short(limit)}`,
    short(measured),
    `${isReached ? "met" : "NOT MET"}${worst ? ` (${worst})` : ""}`,
  ]);
  return aligned([["figure", "goal", "measured", ""], ...rows]);
}

/** Milliseconds, and what is left of the wall for Node itself. */
export function stagesLine({ read, parse, wait, json, compare }: Stages): string {
  const parts = { "read files": read, "parse YAML": parse, "wait for answers": wait, "parse JSON": json, compare };
  return Object.entries(parts)
    .map(([stage, ms]) => `${stage} ${ms.toFixed(0)}`)
    .join(", ");
}

function caseRow({ title, size, product, floor, ratios }: CaseResult): string[] {
  const cells = (what: keyof Figures, each: (number: number) => string) =>
    product[what] === 0 ? ["", "", ""] : [each(product[what]), each(floor[what]), ratios[what].toFixed(2)];
  const seconds = (ms: number) => (ms / 1000).toFixed(2);
  const megabytes = (number: number) => number.toFixed(0);
  const count = size === 0 ? "" : String(size);
  return [title, count, ...cells("cpu", seconds), ...cells("wall", seconds), ...cells("rss", megabytes)];
}

function short(number: number): string {
  return Number.isInteger(number) ? String(number) : number.toFixed(number < 100 ? 2 : 0);
}

/** The first column and words to the left, numbers to the right. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const cell = (text: string, column: number) =>
    column === 0 || /^(?:met|NOT)/.test(text) ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(cell).join("  ").trimEnd()).join("\n");
}
