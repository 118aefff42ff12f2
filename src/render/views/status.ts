import type { ChangeOutcomeKind } from "../../model/outcome.ts";
import { type BegunRun, isUnfinished, type LastRun, type Status, type UnfinishedEntry } from "../../model/status.ts";
import { escapeInvisible, formatName } from "../escape.ts";
import { formatRotations } from "./report.ts";

/** Everything that a format shows of the last run on a target. Texts are fit to be shown. */
export interface StatusView {
  readonly name: string;
  readonly url: string;
  /** `journal`, `20260301T081500.000Z-dev`; empty where nothing is known of an earlier run. */
  readonly facts: readonly FactView[];
  readonly unfinished: readonly UnfinishedView[];
  readonly isUnfinished: boolean;
  readonly notes: readonly string[];
  /** The answer, and what to do. */
  readonly conclusion: string;
  /** As the model has it, for programs. */
  readonly status: Status;
}

export interface FactView {
  readonly label: string;
  readonly text: string;
}

/** Neighbours with equal results: one request fails for all that it changes. */
export interface UnfinishedView {
  /** `roles/payroll`. */
  readonly addresses: readonly string[];
  /** `done in part`. */
  readonly outcome: string;
  /** The server's message; else empty. */
  readonly detail: string;
  readonly match: UnfinishedEntry["found"];
  /** What is there now. */
  readonly found: string;
}

export function createStatusView(status: Status): StatusView {
  const { target, unfinished, notes } = status;
  return {
    name: escapeInvisible(target.name),
    url: escapeInvisible(target.url),
    facts: listFacts(status).map(({ label, text }) => ({ label, text: escapeInvisible(text) })),
    unfinished: groupEqualResults(unfinished).map(createUnfinishedView),
    isUnfinished: isUnfinished(status),
    notes: notes.map(escapeInvisible),
    conclusion: conclude(status),
    status,
  };
}

interface Explained extends Pick<LastRun, "command" | "began"> {
  /** Absent where its journal cannot be read. */
  readonly known: Pick<LastRun, "ending" | "counts"> | undefined;
}

/** Before another run: what the last one left open, in two sentences. */
export function describeUnfinished({ command, began, known }: Explained): readonly string[] {
  const what = known ? `${endings[known.ending]}: ${formatCounts(known.counts)}` : "left a journal that cannot be read";
  return [
    `The last ${command} here (${formatTime(began)}) ${what}.`,
    "This run starts from what the server holds; gate-sync status shows more.",
  ];
}

const endings: Readonly<Record<LastRun["ending"], string>> = {
  ended: "ended",
  interrupted: "was interrupted",
  killed: "was killed or is still running",
};

function listFacts({ run, unreadable }: Status): readonly FactView[] {
  if (unreadable) return [formatBeginning(unreadable), { label: "journal", text: unreadable.journal }];
  if (!run) return [];
  const { journal, fingerprint, backup, reviewed, counts } = run;
  // Of a run that wrote nothing it is gone.
  const hasBackup = counts.some(([kind]) => kind === "done" || kind === "in-part" || kind === "unknown");
  return [
    formatBeginning(run),
    { label: "ended", text: formatEnding(run) },
    { label: "plan", text: `${fingerprint}${reviewed ? " (a saved plan)" : ""}` },
    { label: "changes", text: formatCounts(counts) },
    { label: "journal", text: journal },
    ...(backup !== undefined && hasBackup ? [{ label: "backup", text: backup }] : []),
  ];
}

function formatBeginning({ command, began, identity, run }: BegunRun): FactView {
  const who = identity === undefined ? "" : `, as ${identity}`;
  return { label: "last run", text: `${command} of ${formatTime(began)}${who} (run ${run})` };
}

function formatEnding({ ending, last }: LastRun): string {
  if (ending === "killed") return `not yet, or killed: the last record is of ${formatTime(last)}`;
  return ending === "interrupted" ? `${formatTime(last)}, interrupted` : formatTime(last);
}

const kindWords: Readonly<Record<ChangeOutcomeKind, string>> = {
  done: "done",
  "in-part": "done in part",
  failed: "failed",
  unknown: "unknown",
  "not-attempted": "not attempted",
};

function formatCounts(counts: LastRun["counts"]): string {
  return counts.length === 0
    ? "nothing was to be sent"
    : counts.map(([kind, count]) => `${count} ${kindWords[kind]}`).join(", ");
}

function groupEqualResults(
  entries: readonly UnfinishedEntry[],
): readonly (readonly [UnfinishedEntry, ...UnfinishedEntry[]])[] {
  const groups: [UnfinishedEntry, ...UnfinishedEntry[]][] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    const isSame =
      last?.[0].outcome === entry.outcome && last[0].detail === entry.detail && last[0].found === entry.found;
    if (last && isSame) last.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

function createUnfinishedView(group: readonly [UnfinishedEntry, ...UnfinishedEntry[]]): UnfinishedView {
  const [first] = group;
  const found = describeMatch(first);
  return {
    addresses: group.map(({ address }) => formatName(address)),
    outcome: kindWords[first.outcome],
    detail: escapeInvisible(first.detail ?? ""),
    match: first.found,
    found: group.length === 1 ? found : `each of these ${group.length}: ${found}`,
  };
}

/** What is there now, by what was known of the request. */
function describeMatch({ outcome, found }: UnfinishedEntry): string {
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

function conclude({ stateDir, run, unreadable, unfinished, unread }: Status): string {
  if (unreadable)
    return `What it did cannot be read: a line of its journal is damaged. ${adviceAfter[unreadable.command]}.`;
  if (!run)
    return `No journal of this target at this URL in ${escapeInvisible(stateDir)}: nothing is known of earlier runs.`;
  const { ending, command, reviewed, backup } = run;
  const isIntermediate = unfinished.some(({ found }) => found === "in-part");
  // The newest backup is the one of this very run.
  const back = isIntermediate && command === "apply" && backup ? "; or undo the run with gate-sync rollback" : "";
  const again = adviseAgain(command, reviewed, listOpenRotations(unfinished));
  if (unread) return `The server could not be asked. ${again}.`;
  if (isUnfinished({ unfinished })) return `Something is left open. ${again}${back}.`;
  if (unfinished.length > 0) return "All of it took effect. Nothing is left to do.";
  return ending === "ended" ? "Nothing is left to do." : "All that it was about to do was done. Nothing is left to do.";
}

function listOpenRotations(unfinished: readonly UnfinishedEntry[]): string {
  const open = unfinished.filter(({ rotates, found }) => rotates && found !== "as-wanted");
  return formatRotations(open.map(({ address }) => address));
}

/** @param rotations flags, without which the run that is advised would write no password */
function adviseAgain(command: LastRun["command"], reviewed: boolean, rotations: string): string {
  if (reviewed && command === "apply") {
    const flags = rotations === "" ? "--out" : `--out ${rotations}`;
    return `The reviewed plan no longer holds: plan again with gate-sync plan ${flags}, and have the new plan reviewed`;
  }
  if (rotations === "") return adviceAfter[command];
  return command === "apply"
    ? `Run gate-sync apply again with ${rotations}: without it no password is written`
    : `${adviceAfter.rollback}, with ${rotations}: without it no password is written`;
}

const adviceAfter: Readonly<Record<LastRun["command"], string>> = {
  apply: "Run gate-sync apply again: it reads the server first and finishes",
  rollback: "Run gate-sync rollback again with the same backup, or gate-sync apply for what the files declare",
};

/** `2026-11-21 15:31:38 UTC`. */
function formatTime(time: string): string {
  return `${escapeInvisible(time).slice(0, 19).replace("T", " ")} UTC`;
}
