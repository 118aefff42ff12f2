import type { CaseResult } from "./compare.ts";
import type { Verdict } from "./goals.ts";

/** A line for each case: both sides' medians, and how many times the floor's the product's are. */
export function casesTable(results: readonly CaseResult[]): string {
  const head = [
    "case",
    "N",
    "runs",
    "wall ms",
    "floor",
    "×",
    "CPU ms",
    "floor",
    "×",
    "RSS MiB",
    "floor",
    "×",
    "printed kB",
    "requests",
  ];
  return aligned([head, ...results.map(caseRow)]);
}

export function verdictTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ figure, limit, measured, matched }) => [
    figure,
    `≤ ${short(limit)}`,
    short(measured),
    matched ? "met" : "NOT MET",
  ]);
  return aligned([["figure", "goal", "measured", ""], ...rows]);
}

function caseRow({ title, size, runs, product, floor, ratios, requests, beside }: CaseResult): string[] {
  const alone = beside === "node";
  const pair = (what: "cpu" | "rss") =>
    alone ? ["", "", ""] : [product[what].toFixed(0), floor[what].toFixed(0), ratios[what].toFixed(2)];
  return [
    title,
    size === 0 ? "" : String(size),
    String(runs),
    product.wall.toFixed(0),
    floor.wall.toFixed(0),
    ratios.wall.toFixed(2),
    ...pair("cpu"),
    ...pair("rss"),
    (product.printed / 1000).toFixed(1),
    methodsOf(requests),
  ];
}

/** `GET 4, PATCH 2`; by family they are in the JSON. */
function methodsOf(requests: Readonly<Record<string, number>>): string {
  const counts = new Map<string, number>();
  for (const [key, count] of Object.entries(requests)) {
    const [method = ""] = key.split(" ");
    counts.set(method, (counts.get(method) ?? 0) + count);
  }
  return [...counts].map(([method, count]) => `${method} ${count}`).join(", ");
}

function short(number: number): string {
  return Number.isInteger(number) ? String(number) : number.toFixed(number < 100 ? 2 : 0);
}

/** The first column to the left, numbers to the right. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const cell = (text: string, column: number) =>
    column === 0 || column === widths.length - 1
      ? text.padEnd(widths[column] ?? 0)
      : text.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(cell).join("  ").trimEnd()).join("\n");
}
