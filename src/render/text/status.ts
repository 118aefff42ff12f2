import type { ChangeOutcomeKind } from "../../model/outcome.ts";
import type { BegunRun, LastRun, LiveMatch, Status, UnfinishedEntry } from "../../model/status.ts";
import { isUnfinished } from "../../model/status.ts";
import { escapeInvisible, formatName } from "../escape.ts";
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
import { paint } from "./ansi.ts";
import { formatNoteLines } from "./plan.ts";

/** What is known of the last run, for people. No newline at its end. */
export function renderStatusText(status: Status, style: Style): string {
  const { target, run, unreadable, stateDir, notes } = status;
  const head = `${paint(escapeInvisible(target.name), "strong", style)}  ${escapeInvisible(target.url)}`;
  if (unreadable) {
    const rows: readonly Row[] = [beginningRow(unreadable), ["journal", unreadable.journal]];
    const next = `What it did cannot be read: a line of its journal is damaged. ${againWords(unreadable.command)}.`;
    return joinSections([[head], rowLines(rows, style), strong(next, style)]);
  }
  if (!run) {
    const nothing = `No journal of this target at this URL in ${escapeInvisible(stateDir)}: nothing is known of earlier runs.`;
    return joinLines([head, "", ...wrap(nothing, style.width), ...formatNoteLines(notes, style)]);
  }
  return joinSections([
    [head],
    runLines(run, style),
    groupsOf(status.unfinished).flatMap((group) => groupLines(group, style)),
    formatNoteLines(notes, style),
    nextLines(status, run, style),
  ]);
}

interface Explained extends Pick<LastRun, "command" | "began"> {
  /** Absent where its journal cannot be read. */
  readonly known: Pick<LastRun, "ending" | "counts"> | undefined;
}

/** Before another run: what the last one left open, in two lines where they fit. No newline at its end. */
export function formatUnfinishedLines({ command, began, known }: Explained, style: Style): string {
  const what = known ? `${endings[known.ending]}: ${countsText(known.counts)}` : "left a journal that cannot be read";
  const last = `The last ${command} here (${timeText(began)}) ${what}.`;
  const now = "This run starts from what the server holds; gate-sync status shows more.";
  return joinLines([...wrap(last, style.width), ...wrap(now, style.width)]);
}

const endings: Readonly<Record<LastRun["ending"], string>> = {
  ended: "ended",
  interrupted: "was interrupted",
  killed: "was killed or is still at work",
};

const column = 10;

type Row = readonly [label: string, text: string | undefined];

function runLines(run: LastRun, style: Style): readonly string[] {
  const { last, ending, journal, fingerprint, backup, reviewed } = run;
  const rows: readonly Row[] = [
    beginningRow(run),
    ["ended", ending === "killed" ? `no: killed, or still at work; last heard of ${timeText(last)}` : endedText(run)],
    ["plan", `${fingerprint}${reviewed ? ", a reviewed one" : ""}`],
    ["did", countsText(run.counts)],
    ["journal", journal],
    // Of a run that wrote nothing it is gone.
    [
      "backup",
      run.counts.some(([kind]) => kind === "done" || kind === "in-part" || kind === "unknown") ? backup : undefined,
    ],
  ];
  return rowLines(rows, style);
}

function beginningRow({ command, began, identity, run }: BegunRun): Row {
  return [
    "last run",
    `${command} of ${timeText(began)}${identity === undefined ? "" : `, as ${identity}`} (run ${run})`,
  ];
}

function rowLines(rows: readonly Row[], style: Style): readonly string[] {
  return rows.flatMap(([label, text]) => {
    if (text === undefined) return [];
    return wrapLabelled(paint(padEnd(label, column), "faint", style), escapeInvisible(text), column, style.width);
  });
}

function endedText({ ending, last }: LastRun): string {
  return ending === "interrupted" ? `${timeText(last)}, interrupted` : timeText(last);
}

const kindWords: Readonly<Record<ChangeOutcomeKind, string>> = {
  done: "done",
  "in-part": "done in part",
  failed: "failed",
  unknown: "unknown",
  "not-attempted": "not attempted",
};

function countsText(counts: LastRun["counts"]): string {
  return counts.length === 0
    ? "nothing was to be sent"
    : counts.map(([kind, count]) => `${count} ${kindWords[kind]}`).join(", ");
}

/** What is there now, by what was known of the request. */
function foundWords({ outcome, found }: UnfinishedEntry): string {
  switch (found) {
    case "as-wanted":
      return outcome === "unknown" ? "it took effect" : "as the run wanted it";
    case "as-before":
      return outcome === "unknown" ? "it did not take effect" : "as it was before";
    case "in-part":
      return "changed in part, as this run left it";
    case "otherwise":
      return "something else now: neither as before nor as wanted";
    case "unknown":
      return "whether it took effect is unknown: only a secret or a license could show it";
    case "not-read":
      return "what the server holds of it was not read";
  }
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

/** One request fails for all that it changes: equal results of neighbours are shown once. */
function groupsOf(entries: readonly UnfinishedEntry[]): readonly (readonly UnfinishedEntry[])[] {
  const groups: UnfinishedEntry[][] = [];
  for (const entry of entries) {
    const [first] = groups.at(-1) ?? [];
    const isSame = first?.outcome === entry.outcome && first.detail === entry.detail && first.found === entry.found;
    if (isSame) groups.at(-1)?.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

function groupLines(group: readonly UnfinishedEntry[], style: Style): readonly string[] {
  const [first] = group;
  if (!first) return [];
  const shown = style.full || group.length <= mostNamed + 1 ? group : group.slice(0, mostNamed);
  const below = (text: string) => wrapIndented(text, indent, style.width, 2);
  return [
    ...shown.map(({ address, outcome }) => {
      const name = formatName(address);
      return `  ${name}${padSpaces(Math.max(2, wordColumn - measureWidth(name) - 2))}${kindWords[outcome]}`;
    }),
    ...(shown.length === group.length ? [] : [`  ... and ${group.length - shown.length} more (--full)`]),
    ...(first.detail === undefined ? [] : below(escapeInvisible(first.detail))),
    ...below(group.length === 1 ? foundWords(first) : `each of these ${group.length}: ${foundWords(first)}`).map(
      (line) => paint(line, tones[first.found], style),
    ),
  ];
}

/** The answer, and what to do. */
function nextLines(status: Status, run: LastRun, style: Style): readonly string[] {
  return strong(nextText(status, run), style);
}

function strong(text: string, style: Style): readonly string[] {
  return wrap(text, style.width).map((line) => paint(line, "strong", style));
}

function nextText(status: Status, { ending, command, reviewed, backup }: LastRun): string {
  const { unfinished, unread } = status;
  const isIntermediate = unfinished.some(({ found }) => found === "in-part");
  // The newest backup is the one of this very run.
  const back = isIntermediate && command === "apply" && backup ? "; or undo the run with gate-sync rollback" : "";
  const again = reviewed && command === "apply" ? planAgain : againWords(command);
  if (unread) return `The server could not be asked. ${again}.`;
  if (isUnfinished(status)) return `Something is left open. ${again}${back}.`;
  if (unfinished.length > 0) return "All of it took effect. Nothing is left to do.";
  return ending === "ended" ? "Nothing is left to do." : "All that it was about to do was done. Nothing is left to do.";
}

const planAgain =
  "The reviewed plan no longer holds: plan again with gate-sync plan --out, and have the new plan reviewed";

function againWords(command: LastRun["command"]): string {
  return command === "rollback"
    ? "Run gate-sync rollback again with the same backup, or gate-sync apply for what the files declare"
    : "Run gate-sync apply again: it reads the server first and finishes";
}

/** `2026-11-21 15:31:38 UTC`. */
function timeText(time: string): string {
  return `${escapeInvisible(time).slice(0, 19).replace("T", " ")} UTC`;
}
