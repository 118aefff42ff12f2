import { nounOf } from "../families/index.ts";
import { type Change, isPending } from "../model/change.ts";
import type { Plan } from "../model/plan.ts";
import { bodyBytes } from "./body.ts";
import { code, fenced } from "./code.ts";
import { visible, word } from "./escape.ts";
import { blanks } from "./layout.ts";
import { scarceViolationBlocks, violationBlocks } from "./markdown-violations.ts";
import { placeOf } from "./place.ts";
import { changeRows } from "./rows/change.ts";
import { turnedWords } from "./since-words.ts";
import type { Style } from "./style.ts";
import {
  byFamily,
  bytesText,
  capitalised,
  durationText,
  type FamilyChanges,
  isOdd,
  operationWhat,
  pendingCounts,
  quietCounts,
  reasonWords,
  summaryOf,
} from "./words.ts";

/** Forges refuse a comment of more characters than this. */
const mostCharacters = 65_536;
/** For the fields of all changes together; what would go beyond is counted instead. */
const roomForChanges = 50_000;
/** For what stands around the changes of each family. */
const roomForSummaries = 2_000;
const style: Style = { color: false, width: 100, full: false, verbose: false };
const symbols = { create: "+", update: "~", delete: "-", leave: "?" } as const;

/**
 * A plan as a comment on a pull request. Whatever users or servers named stands in code only, fenced longer than any
 * run of backticks in it: there it can neither become markup nor mention anybody. No newline at its end.
 */
export function planToMarkdown(plan: Plan): string {
  const refused = plan.violations.length > 0;
  const title = `${code(plan.target.name)}: **${refused ? "refused: " : ""}${summaryOf(plan)}**`;
  const quiet = plan.changes.every((change) => !isPending(change) && !isOdd(change));
  const around = (changes: readonly string[]) =>
    joined([
      title,
      serverLine(plan),
      ...snapshotBlock(plan),
      ...turnedBlock(plan),
      ...violationBlocks(plan),
      ...(quiet ? [] : [countsTable(plan), ...changes, ...requestBlocks(plan)]),
      ...fingerprintBlock(plan),
      ...(plan.notes.length === 0 ? [] : [`Notes:\n\n${fenced("text", plan.notes.map(visible))}`]),
    ]);
  const room = Math.min(roomForChanges, mostCharacters - around([]).length - roomForSummaries);
  const whole = around(quiet ? [] : familyBlocks(plan, room));
  return whole.length <= mostCharacters ? whole : withoutChanges(plan, title);
}

/** Why a plan is refused, what became of the modes and what may be agreed to outlast every detail. */
function withoutChanges(plan: Plan, title: string): string {
  return joined([
    title,
    ...snapshotBlock(plan),
    ...turnedBlock(plan),
    ...scarceViolationBlocks(plan),
    countsTable(plan),
    ...fingerprintBlock(plan),
    "The changes are too long for a comment: gate-sync plan shows them.",
  ]);
}

function joined(blocks: readonly string[]): string {
  return blocks.join("\n\n");
}

function snapshotBlock({ target }: Plan): readonly string[] {
  return target.snapshot ? ["Made against a snapshot: this plan cannot be applied."] : [];
}

function fingerprintBlock({ operations, fingerprint }: Plan): readonly string[] {
  return operations.length === 0 ? [] : [`Fingerprint: ${code(fingerprint)}`];
}

export function serverLine({ target: { url, server, identity } }: Pick<Plan, "target">): string {
  const who = identity === undefined ? "" : `, as ${code(identity)}`;
  return `${code(url)}, ${server.product} ${code(server.release)} (${code(server.how)})${who}`;
}

/** Counts only: a table is no place for names. */
function countsTable(plan: Plan): string {
  const rows = byFamily(plan).map(({ family, changes }) => {
    const count = (action: Change["action"]) => changes.filter((change) => change.action === action).length || "";
    const cells = [count("create"), count("update"), count("delete"), quietCounts(changes)];
    return `| ${capitalised(nounOf(family, 2))} | ${cells.join(" | ")} |`;
  });
  return ["| | create | change | delete | the rest |", "|---|--:|--:|--:|---|", ...rows].join("\n");
}

/** @param mostRoom characters for the lines of all families together */
function familyBlocks(plan: Plan, mostRoom: number): readonly string[] {
  let room = mostRoom;
  return byFamily(plan).flatMap((group) => {
    const changes = group.changes.filter((change) => isPending(change) || isOdd(change));
    if (changes.length === 0) return [];
    const lines: string[] = [];
    let left = changes.length;
    for (const change of changes) {
      const text = changeLines(change);
      const size = text.reduce((sum, line) => sum + line.length + 1, 0);
      if (size > room) break;
      room -= size;
      left--;
      lines.push(...text);
    }
    // The room is for all families together: once one did not fit, smaller ones after it may still.
    if (left > 0) lines.push(`  ... ${left} more, too long for a comment: gate-sync plan shows them`);
    return [details(group, lines)];
  });
}

function details({ family, changes }: FamilyChanges, lines: readonly string[]): string {
  const counts = pendingCounts(changes) || quietCounts(changes);
  const summary = `<summary>${capitalised(nounOf(family, 2))}: ${counts}</summary>`;
  return `<details>${summary}\n\n${fenced("diff", lines)}\n\n</details>`;
}

/** The sign in the first column, where a diff has it. */
function changeLines(change: Change): readonly string[] {
  const differs = change.edits.length > 0 ? `differs, ${reasonWords[change.reason]}` : reasonWords[change.reason];
  const remark =
    change.action === "leave" ? differs : change.action === "delete" ? reasonWords[change.reason] : placeOf(change);
  return [
    `${symbols[change.action]} ${word(change.name)}${remark === "" ? "" : `    (${remark})`}`,
    ...changeRows(change, 4, style).map(({ sign, indent, label, text }) =>
      `${(sign ?? " ") + blanks(indent - 1)}${label}${text}`.trimEnd(),
    ),
  ];
}

function turnedBlock(plan: Plan): readonly string[] {
  const lines = turnedWords(plan).map(({ text, deletes }) => `${deletes ? "!" : " "} ${visible(text)}`);
  return lines.length === 0 ? [] : [fenced("diff", lines)];
}

function requestBlocks({ operations, violations, target }: Plan): readonly string[] {
  if (operations.length === 0) return [];
  const most = operations.slice(0, 50);
  const lines = most.map((operation, index) => {
    const bytes = bodyBytes(operation);
    const changes = operation.bulk ? [`${operation.names.length} changes`] : [];
    const duration =
      operation.estimate === undefined ? [] : [`about ${durationText(operation.estimate)} on the server`];
    const facts = [...changes, ...(bytes === undefined ? [] : [bytesText(bytes)]), ...duration].join(", ");
    const reason = operation.reason === undefined ? "" : `: ${code(operation.reason)}`;
    return `${index + 1}. ${operation.method} ${code(operationWhat(operation))}${facts === "" ? "" : ` (${facts})`}${reason}`;
  });
  const left = operations.length - most.length;
  const title =
    violations.length > 0 || target.snapshot ? "Requests it would take, in this order" : "Requests, in this order";
  return [`${title}:\n\n${lines.join("\n")}${left === 0 ? "" : `\n\nand ${left} more.`}`];
}
