import type { Operation } from "../../model/operation.ts";
import type { Outcome, OutcomeKind } from "../../model/outcome.ts";
import type { WaitState } from "../../model/watch.ts";
import { escapeInvisible } from "../escape.ts";
import { joinLines, measureWidth, padEnd, padSpaces, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { formatRequestTarget } from "../views/request.ts";
import { formatDuration, pluralise } from "../views/words.ts";
import { paint, type Tone } from "./ansi.ts";
import { formatDiagnosticLines } from "./diagnostics.ts";

const words: Readonly<Record<OutcomeKind, readonly [string, Tone]>> = {
  done: ["done", "added"],
  failed: ["failed", "refused"],
  unknown: ["unknown", "changed"],
  "not-attempted": ["not attempted", "faint"],
};
/** Done as far as storing goes. */
const notInEffect: readonly [string, Tone] = ["stored", "changed"];
// Lines are written one by one while applying, so that columns cannot follow the longest name.
const whatColumns = 30;
const changesColumns = 14;

/**
 * `  1/2  PATCH  roles   3 changes  done  0.4 s`, with what there is to say about it below. `index` counts from 0.
 * No newline at its end.
 */
export function formatOutcomeLine(outcome: Outcome, index: number, total: number, style: Style): string {
  const { operation, kind, status, milliseconds, detail, cause, diagnostics = [] } = outcome;
  const number = `${index + 1}/${total}`.padStart(2 * String(total).length + 1);
  const lead = `  ${number}  ${padEnd(operation.method, 6)}  `;
  const changes = operation.bulk ? pluralise(operation.names.length, "change") : "";
  const what = formatRequestTarget(operation);
  const [word, tone] = cause === "not-in-effect" ? notInEffect : words[kind];
  const answer = [
    padEnd(word, 7),
    ...(status === undefined || kind === "done" ? [] : [String(status)]),
    ...(milliseconds === undefined ? [] : [formatSeconds(milliseconds)]),
  ];
  const tail =
    padEnd(changes, changesColumns) +
    paint(answer[0] ?? "", tone, style) +
    answer
      .slice(1)
      .map((part) => `  ${part}`)
      .join("");
  const first =
    measureWidth(what) <= whatColumns
      ? [lead + padEnd(what, whatColumns) + tail]
      : [lead + what, padSpaces(lead.length + whatColumns) + tail];
  const rest = detail === undefined ? [] : wrap(escapeInvisible(detail), style.width - lead.length);
  const messages = diagnostics.flatMap((diagnostic) => ["", ...formatDiagnosticLines(diagnostic, style)]);
  if (messages.length > 0) messages.push("");
  return joinLines([...first, ...rest.map((line) => padSpaces(lead.length) + line), ...messages]);
}

/** Before a request that takes long: how long about. No newline at its end. */
export function formatStartingLine(operation: Operation, index: number, total: number): string | undefined {
  if (operation.estimate === undefined) return undefined;
  const number = `${index + 1}/${total}`;
  return `  ${number}  ${formatRequestTarget(operation)}: the server will need about ${formatDuration(operation.estimate)} for it`;
}

/**
 * Shown while the answer to a request is waited for; milliseconds since it was sent, and at most. No newline at its end.
 *
 * @param request `roles`, `GET /_plugins/_security/api/roles`
 */
export function formatUnansweredLine(request: string, elapsed: number, limit: number): string {
  return `  ${escapeInvisible(request)}: no answer yet ... ${formatWait(elapsed, limit)}`;
}

/** Shown while it is unknown whether the server took a request. No newline at its end. */
export function formatWaitingLine(operation: Operation, { found, elapsed, limit }: WaitState): string {
  return `  ${formatRequestTarget(operation)}: ${waitWords[found]} ... ${formatWait(elapsed, limit)}`;
}

const waitWords: Readonly<Record<WaitState["found"], string>> = {
  "as-before": "not there yet; reading again what the server holds",
  unreadable: "the server cannot be read; trying again",
  unreachable: "the server cannot be reached; trying again",
};

function formatWait(elapsed: number, limit: number): string {
  return `${formatDuration(elapsed)} of at most ${formatDuration(limit)}`;
}

export function formatSeconds(milliseconds: number): string {
  return milliseconds < 100 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
