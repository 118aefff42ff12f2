import { nounOf } from "../families/index.ts";
import { type Change, isPending } from "../model/change.ts";
import type { Plan } from "../model/plan.ts";
import { bodyBytes } from "./body.ts";
import { code, fenced } from "./code.ts";
import { listed, visible, word } from "./escape.ts";
import { blanks } from "./layout.ts";
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
  const whole = joined([
    title,
    serverLine(plan),
    ...(plan.target.snapshot ? ["Made against a snapshot: this plan cannot be applied."] : []),
    ...turnedBlock(plan),
    ...violationBlocks(plan),
    ...(quiet ? [] : [countsTable(plan), ...familyBlocks(plan), ...requestBlocks(plan)]),
    ...fingerprintBlock(plan),
    ...(plan.notes.length === 0 ? [] : [`Notes:\n\n${fenced("text", plan.notes.map(visible))}`]),
  ]);
  if (whole.length <= mostCharacters) return whole;
  return joined([
    title,
    ...turnedBlock(plan),
    countsTable(plan),
    ...fingerprintBlock(plan),
    "The plan itself is too long for a comment.",
  ]);
}

function joined(blocks: readonly string[]): string {
  return blocks.join("\n\n");
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

function familyBlocks(plan: Plan): readonly string[] {
  let room = roomForChanges;
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

function violationBlocks({ violations }: Plan): readonly string[] {
  return violations.map(({ rule, what, why, addresses, remedies }) => {
    const most = addresses.slice(0, 50);
    const left = addresses.length - most.length;
    return fenced("diff", [
      `! ${visible(what)} (guard ${visible(rule)})`,
      ...(why === undefined ? [] : [`    ${visible(why)}`]),
      ...(addresses.length === 0 ? [] : [`    ${listed(most)}${left === 0 ? "" : ` and ${left} more`}`]),
      ...remedies.flatMap(({ how, text }, index) => [
        `  ${index === 0 ? "If this is meant," : "or"} ${how}:`,
        ...text.split("\n").map((line) => `    ${visible(line)}`),
      ]),
    ]);
  });
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
