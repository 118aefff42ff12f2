import type { Family } from "../../model/names.ts";
import { formatName, joinNames } from "../escape.ts";
import { flowItems, measureWidth, padEnd, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { createFailureView } from "../views/diagnostics.ts";
import { getFamilyTitle } from "../views/family.ts";
import { type FleetRow, type FleetState, type FleetView, formatCell, formatTargets } from "../views/fleet.ts";
import type { FleetPart } from "../views/fleet-parts.ts";
import { pluralise } from "../views/words.ts";
import { formatAccessLines } from "./access-diff.ts";
import { paint, type Tone } from "./ansi.ts";
import { renderDiagnosticsText } from "./diagnostics.ts";
import { formatFamilyLines } from "./family.ts";
import { renderMessageText } from "./message.ts";
import { formatNoteLines } from "./plan.ts";
import { formatProtectionLines } from "./protection.ts";
import { formatRequestLines } from "./requests.ts";
import { formatViolationLines } from "./violations.ts";

/** More rows are no table to read. */
const mostRows = 40;

const tones: Readonly<Record<FleetState, Tone>> = {
  "in sync": "added",
  applied: "added",
  valid: "added",
  passed: "added",
  done: "added",
  yes: "added",
  no: "removed",
  unknown: "changed",
  drift: "changed",
  "left open": "changed",
  changes: "changed",
  refused: "refused",
  "invalid files": "refused",
  failed: "refused",
  unreachable: "refused",
  "stopped part-way": "refused",
  "not attempted": "faint",
  "not reported": "refused",
};

/** A run about several targets for people: how each fares, then each distinct finding with the targets that it is for. */
export function* formatFleetBlocks(view: FleetView, style: Style): Generator<string, void, undefined> {
  for (const line of fleetLines(view, style)) yield `${line.trimEnd()}\n`;
}

function* fleetLines(view: FleetView, style: Style): Generator<string, void, undefined> {
  const summary = wrap(view.summary, style.width).map((line) => paint(line, "strong", style));
  const table = tableLines(view, style);
  yield* summary;
  if (table.length > 0) yield* ["", ...table];
  const all = view.rows.map(({ name }) => name);
  const titled = (lead: string, part: FleetPart, lines: readonly string[]) =>
    lines.length === 0 ? [] : [...titleLines(lead, part, all, style), ...lines];
  for (const part of view.parts) yield* titled("On", part, formatFleetPartLines(part, style));
  for (const part of view.parts) yield* titled("Warnings of", part, formatFleetWarningLines(part, style));
  // What was said at the top is out of sight after a long list.
  if (view.parts.length === 0) return;
  yield* ["", ...(view.fingerprint === undefined ? [] : [`Fingerprint ${view.fingerprint}`]), ...summary];
}

const quietStates: readonly FleetState[] = ["in sync", "valid", "passed", "done"];

/** Targets of which there is nothing more to say take one line together. */
function tableLines({ rows, families }: FleetView, style: Style): readonly string[] {
  const others = rows.filter(({ state }) => !quietStates.includes(state));
  const shown = style.full || others.length <= mostRows ? others : others.slice(0, mostRows - 1);
  const left = others.length - shown.length;
  return [
    ...rowLines(shown, families, style),
    ...(left > 0 ? [`... ${left} more (--full)`] : []),
    ...quietStates.flatMap((state) => quietLines(state, rows, style)),
  ];
}

function quietLines(state: FleetState, rows: readonly FleetRow[], style: Style): readonly string[] {
  const names = rows.filter((row) => row.state === state).map(({ name }) => formatName(name));
  if (names.length === 0) return [];
  const shown = style.full || names.length <= mostRows ? names : names.slice(0, mostRows - 1);
  const left = names.length - shown.length;
  const [first = "", ...rest] = [...shown, ...(left > 0 ? [`... ${left} more (--full)`] : [])];
  return flowItems([`${paint(state, tones[state], style)}: ${first}`, ...rest], ", ", style.width, 2);
}

/** A table where it fits, else a line or more for each target. */
function rowLines(rows: readonly FleetRow[], families: readonly Family[], style: Style): readonly string[] {
  if (rows.length === 0) return [];
  const withRequests = rows.some(({ requests }) => requests > 0);
  const head = ["", ...families.map(getFamilyTitle), ...(withRequests ? [""] : []), ""];
  const cells = rows.map((row) => [
    formatName(row.name),
    ...families.map((family) => formatCell(row.families.get(family))),
    ...(withRequests ? [row.requests === 0 ? "" : pluralise(row.requests, "request")] : []),
    row.state,
  ]);
  const widths = head.map((title, at) => Math.max(...[title, ...cells.map((row) => row[at] ?? "")].map(measureWidth)));
  const isWide = widths.reduce((sum, width) => sum + width + 2, -2) > style.width;
  if (isWide) return rows.flatMap((row) => listedRow(row, families, style));
  const layOut = (row: readonly string[], tone: Tone | undefined) =>
    row
      .map((cell, at) => paint(padEnd(cell, widths[at] ?? 0), at === row.length - 1 ? tone : undefined, style))
      .join("  ");
  const body = cells.map((row, at) => layOut(row, tones[rows[at]?.state ?? "failed"]));
  return families.length === 0 ? body : [paint(layOut(head, undefined).trimEnd(), "faint", style), ...body];
}

function listedRow({ name, state, ...row }: FleetRow, families: readonly Family[], style: Style): readonly string[] {
  const changed = families.flatMap((family) => {
    const cell = formatCell(row.families.get(family));
    return cell === "" || cell === "=" ? [] : [`${getFamilyTitle(family).toLowerCase()} ${cell}`];
  });
  const facts = [...changed, ...(row.requests === 0 ? [] : [pluralise(row.requests, "request")])];
  return [
    `${formatName(name)}: ${paint(state, tones[state], style)}`,
    ...flowItems(facts, ", ", style.width - 4).map((line) => `    ${line}`),
  ].filter((line) => line.trim() !== "");
}

/** What there is to say of the targets of a part but warnings; an empty list where that is nothing. */
export function formatFleetPartLines(part: FleetPart, style: Style): readonly string[] {
  const { outputs, documents, failures, families, access, requests, violations, protection, notes } = part;
  const sections = [
    ...documents.map(() => wrap(inJsonOnly, style.width)),
    ...outputs.map((text) => text.split("\n")),
    ...failures.map((failure) => formatFailureLines(failure, style)),
    ...families.map((family) => [...formatFamilyLines(family, style)]),
    ...(access ? [formatAccessLines(access, style)] : []),
    formatRequestLines({ requests, requestsTitle: "Requests, in this order" }, style),
    formatProtectionLines(protection, style),
    ...violations.map((violation) => formatViolationLines(violation, style)),
    formatNoteLines(notes, style),
  ].filter((lines) => lines.length > 0);
  return sections.flatMap((lines, at) => (at === 0 ? lines : ["", ...lines]));
}

/** A run that answers in JSON knows no text of it; to show nothing would look as if there were nothing. */
const inJsonOnly =
  "The answer is a JSON document, which --format json shows. For text in a report of parts, write these by --format json=FILE.";

export function formatFleetWarningLines({ warnings }: FleetPart, style: Style): readonly string[] {
  return warnings.diagnostics.length === 0 ? [] : renderDiagnosticsText(warnings, style).split("\n");
}

function titleLines(lead: string, { targets }: FleetPart, all: readonly string[], style: Style): readonly string[] {
  const named = style.full && targets.length < all.length ? joinNames(targets) : formatTargets(targets, all);
  return ["", ...wrap(`${lead} ${named}`, style.width, 2).map((line) => paint(line, "strong", style))];
}

function formatFailureLines(failure: FleetPart["failures"][number], style: Style): readonly string[] {
  const text =
    failure.diagnostics.length > 0
      ? renderDiagnosticsText(createFailureView(failure, failure.userMessage.why), style)
      : renderMessageText(failure, style);
  return text.split("\n");
}
