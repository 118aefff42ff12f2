import { nounOf } from "../../families/index.ts";
import { isPending } from "../../model/change.ts";
import type { Plan } from "../../model/plan.ts";
import { paint } from "../ansi.ts";
import { visible } from "../escape.ts";
import { namedByGuards } from "../folded-changes.ts";
import { flow, joined, widthOf, wrap, wrapParts } from "../layout.ts";
import { turnedWords } from "../since-words.ts";
import type { Style } from "../style.ts";
import { byFamily, isOdd, summaryOf } from "../words.ts";
import { familyLines } from "./family.ts";
import { accessLines } from "./gains.ts";
import { requestLines } from "./requests.ts";
import { storyLines } from "./story.ts";
import { violationLines } from "./violations.ts";

/** A whole plan for people. No newline at its end. */
export function planToText(plan: Plan, style: Style): string {
  return joined([...planLines(plan, style)]);
}

/** The same with a newline at its end, line by line: a long one need not be held as a whole. */
export function* planBlocks(plan: Plan, style: Style): Generator<string, void, undefined> {
  for (const line of planLines(plan, style)) yield `${line.trimEnd()}\n`;
}

function* planLines(plan: Plan, style: Style): Generator<string, void, undefined> {
  if (isQuiet(plan) && !style.verbose) {
    yield* [...inSyncLines(plan, style), ...turnedLines(plan, style), ...noteLines(plan.notes, style)];
    return;
  }
  yield* headerLines(plan, style);
  yield* apart(turnedLines(plan, style));
  yield* allFamilyLines(plan, style);
  yield* apart(accessLines(plan, style));
  yield* apart(requestLines(plan, style));
  yield* apart(storyLines(plan, style));
  for (const violation of plan.violations) yield* apart(violationLines(violation, style));
  yield* apart([...referenceLines(plan, style), ...noteLines(plan.notes, style)]);
  yield* apart(endLines(plan, style));
}

/** An empty line between it and what stands above. */
function apart(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", ...lines];
}

/** Nothing pending, nothing refused, nothing that differs. */
function isQuiet(plan: Plan): boolean {
  const still = plan.changes.every((change) => !isPending(change) && !isOdd(change));
  return still && plan.operations.length === 0 && plan.violations.length === 0;
}

/** The whole answer of most runs: what was compared, so that nobody wonders whether anything was. */
function inSyncLines(plan: Plan, style: Style): readonly string[] {
  const counted = byFamily(plan).flatMap(({ family, changes }) => {
    const count = changes.filter(({ reason }) => reason === "in-sync" || reason === "observed").length;
    if (count === 0) return [];
    return [family === "config" || family === "license" ? nounOf(family) : `${count} ${nounOf(family, count)}`];
  });
  const said = `${visible(plan.target.name)}: in sync`;
  const compared = counted.map((one, at) => `${at === 0 ? "(" : ""}${one}${at === counted.length - 1 ? ")." : ","}`);
  const parts = counted.length === 0 ? [`${said}.`] : [said, ...compared];
  const painted = (): string => said.replace(/in sync$/, () => paint("in sync", "added", style));
  return wrapParts([...parts, "Nothing to do."], style.width, 2).map((line) => line.replace(said, painted));
}

/** Which server, how that is known, and who we are to it. */
export function headerLines(plan: Pick<Plan, "target">, style: Style): readonly string[] {
  const { name, url, server, identity } = plan.target;
  const facts = [
    `${server.product} ${server.release} (${server.how})`,
    ...(server.engine === undefined ? [] : [`engine ${server.engine}`]),
    ...(server.clusterName === undefined ? [] : [`cluster "${server.clusterName}"`]),
    ...(identity === undefined ? [] : [`as ${identity}`]),
  ].map(visible);
  const title = visible(name);
  // A long name would leave its facts no room beside it.
  const column = widthOf(title) <= 16 ? widthOf(title) + 2 : 2;
  const indent = " ".repeat(column);
  // Facts stay whole where they fit; one that is longer than a line is broken like any sentence.
  const room = style.width - column;
  const lines = flow(facts, ", ", room).flatMap((line) => wrap(line, room).map((part) => indent + part));
  return [`${paint(title, "strong", style)}  ${visible(url)}`, ...lines];
}

/** Families with something to show stand apart; the others follow each other closely. */
function* allFamilyLines(plan: Plan, style: Style): Generator<string, void, undefined> {
  const named = namedByGuards(plan);
  let followsQuiet = false;
  for (const group of byFamily(plan)) {
    const lines = familyLines(group, named, style);
    const quiet = group.changes.every((change) => !isPending(change) && !isOdd(change));
    // What is only named because everything is to be told makes a family no quiet one.
    const told = quiet ? [...lines] : lines;
    const isShort = Array.isArray(told) && told.length <= 2;
    if (!(followsQuiet && isShort)) yield "";
    yield* told;
    followsQuiet = isShort;
  }
}

/** Before all the rest: it tells why so much is deleted. */
function turnedLines(plan: Plan, style: Style): readonly string[] {
  return turnedWords(plan).flatMap(({ text, deletes }) =>
    wrap(visible(text), style.width, 2).map((line) => paint(line, deletes ? "removed" : undefined, style)),
  );
}

function referenceLines(plan: Plan, style: Style): readonly string[] {
  if (plan.referenceOnly.length === 0) return [];
  const families = plan.referenceOnly.map((family) => nounOf(family, 2)).join(", ");
  return wrap(`Read for reference only: ${families}.`, style.width, 2);
}

export function noteLines(notes: readonly string[], style: Style): readonly string[] {
  return notes.flatMap((note) => wrap(`note: ${visible(note)}`, style.width, 6));
}

/** Where there is something to agree to: what `apply --expect` asks for. */
function fingerprintLines({ operations, fingerprint }: Plan): readonly string[] {
  return operations.length === 0 ? [] : [`Fingerprint ${fingerprint}`];
}

/** The answer, where a terminal leaves the reader's eye. */
function endLines(plan: Plan, style: Style): readonly string[] {
  const refused = plan.violations.length > 0;
  const snapshot = plan.target.snapshot ? " This plan was made against a snapshot: it cannot be applied." : "";
  const sentences = `${refused ? "Refused: " : ""}${summaryOf(plan)}${refused ? " Nothing was sent." : ""}${snapshot}`;
  return [...fingerprintLines(plan), ...wrap(sentences, style.width).map((line) => paint(line, "strong", style))];
}
