import { getNoun } from "../../families/index.ts";
import { isPending } from "../../model/change.ts";
import type { Plan } from "../../model/plan.ts";
import { escapeInvisible } from "../escape.ts";
import { flowItems, joinLines, measureWidth, wrap, wrapParts } from "../layout.ts";
import type { Style } from "../style.ts";
import { formatBecameManaged } from "../views/became-managed.ts";
import { listNamedByGuards } from "../views/folded-changes.ts";
import { formatSummary, groupByFamily, isOdd } from "../views/words.ts";
import { formatAccessLines } from "./access-diff.ts";
import { paint } from "./ansi.ts";
import { formatFamilyLines } from "./family.ts";
import { formatOrderLines } from "./order.ts";
import { formatRequestLines } from "./requests.ts";
import { formatViolationLines } from "./violations.ts";

/** A whole plan for people. No newline at its end. */
export function renderPlanText(plan: Plan, style: Style): string {
  return joinLines([...planLines(plan, style)]);
}

/** The same with a newline at its end, line by line: a long one need not be held as a whole. */
export function* planBlocks(plan: Plan, style: Style): Generator<string, void, undefined> {
  for (const line of planLines(plan, style)) yield `${line.trimEnd()}\n`;
}

function* planLines(plan: Plan, style: Style): Generator<string, void, undefined> {
  if (isQuiet(plan) && !style.verbose) {
    yield* [...inSyncLines(plan, style), ...turnedLines(plan, style), ...formatNoteLines(plan.notes, style)];
    return;
  }
  yield* formatHeaderLines(plan, style);
  yield* apart(turnedLines(plan, style));
  yield* allFamilyLines(plan, style);
  yield* apart(formatAccessLines(plan, style));
  yield* apart(formatRequestLines(plan, style));
  yield* apart(formatOrderLines(plan, style));
  for (const violation of plan.violations) yield* apart(formatViolationLines(violation, style));
  yield* apart([...referenceLines(plan, style), ...formatNoteLines(plan.notes, style)]);
  yield* apart(endLines(plan, style));
}

/** An empty line before it. */
function apart(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", ...lines];
}

/** Nothing pending, nothing refused, nothing that differs. */
function isQuiet(plan: Plan): boolean {
  const still = plan.changes.every((change) => !isPending(change) && !isOdd(change));
  return still && plan.operations.length === 0 && plan.violations.length === 0;
}

/** The whole answer of most runs: what was compared, to show that something was. */
function inSyncLines(plan: Plan, style: Style): readonly string[] {
  const counted = groupByFamily(plan).flatMap(({ family, changes }) => {
    const count = changes.filter(({ reason }) => reason === "in-sync" || reason === "observed").length;
    if (count === 0) return [];
    return [family === "config" || family === "license" ? getNoun(family) : `${count} ${getNoun(family, count)}`];
  });
  const reported = `${escapeInvisible(plan.target.name)}: in sync`;
  const compared = counted.map((one, at) => `${at === 0 ? "(" : ""}${one}${at === counted.length - 1 ? ")." : ","}`);
  const parts = counted.length === 0 ? [`${reported}.`] : [reported, ...compared];
  const painted = (): string => reported.replace(/in sync$/, () => paint("in sync", "added", style));
  return wrapParts([...parts, "Nothing to do."], style.width, 2).map((line) => line.replace(reported, painted));
}

/** Which server, how that is known, and who we are to it. */
export function formatHeaderLines(plan: Pick<Plan, "target">, style: Style): readonly string[] {
  const { name, url, server, identity } = plan.target;
  const facts = [
    `${server.product} ${server.release} (${server.how})`,
    ...(server.engine === undefined ? [] : [`engine ${server.engine}`]),
    ...(server.clusterName === undefined ? [] : [`cluster "${server.clusterName}"`]),
    ...(identity === undefined ? [] : [`as ${identity}`]),
  ].map(escapeInvisible);
  const title = escapeInvisible(name);
  // A long name would leave no room beside it.
  const column = measureWidth(title) <= 16 ? measureWidth(title) + 2 : 2;
  const indent = " ".repeat(column);
  // Facts stay whole where they fit; one that is longer than a line is broken like any sentence.
  const space = style.width - column;
  const lines = flowItems(facts, ", ", space).flatMap((line) => wrap(line, space).map((part) => indent + part));
  return [`${paint(title, "strong", style)}  ${escapeInvisible(url)}`, ...lines];
}

/** Families with something to show are set apart by empty lines; the others are not. */
function* allFamilyLines(plan: Plan, style: Style): Generator<string, void, undefined> {
  const named = listNamedByGuards(plan);
  let followsQuiet = false;
  for (const group of groupByFamily(plan)) {
    const lines = formatFamilyLines(group, named, style);
    const quiet = group.changes.every((change) => !isPending(change) && !isOdd(change));
    // An entry that is only named because of --full does not make a family worth an empty line.
    const explained = quiet ? [...lines] : lines;
    const isShort = Array.isArray(explained) && explained.length <= 2;
    if (!(followsQuiet && isShort)) yield "";
    yield* explained;
    followsQuiet = isShort;
  }
}

/** Before everything else: it explains the deletions. */
function turnedLines(plan: Plan, style: Style): readonly string[] {
  return formatBecameManaged(plan).flatMap(({ text, deletes }) =>
    wrap(escapeInvisible(text), style.width, 2).map((line) => paint(line, deletes ? "removed" : undefined, style)),
  );
}

function referenceLines(plan: Plan, style: Style): readonly string[] {
  if (plan.referenceOnly.length === 0) return [];
  const families = plan.referenceOnly.map((family) => getNoun(family, 2)).join(", ");
  return wrap(`Read for reference only: ${families}.`, style.width, 2);
}

export function formatNoteLines(notes: readonly string[], style: Style): readonly string[] {
  return notes.flatMap((note) => wrap(`note: ${escapeInvisible(note)}`, style.width, 6));
}

/** Where there is something to agree to: what `apply --expect` asks for. */
function fingerprintLines({ operations, fingerprint }: Plan): readonly string[] {
  return operations.length === 0 ? [] : [`Fingerprint ${fingerprint}`];
}

/** The answer, where a terminal leaves the reader's eye. */
function endLines(plan: Plan, style: Style): readonly string[] {
  const [first] = plan.violations;
  const refused = first !== undefined;
  const snapshot = plan.target.snapshot ? " This plan was made against a snapshot: it cannot be applied." : "";
  const sentences = `${refused ? "Refused: " : ""}${formatSummary(plan)}${refused ? " Nothing was sent." : ""}${snapshot}`;
  return [
    ...fingerprintLines(plan),
    ...wrap(sentences, style.width).map((line) => paint(line, "strong", style)),
    ...(first ? [`More: gate-sync explain ${escapeInvisible(first.rule)}`] : []),
  ];
}
