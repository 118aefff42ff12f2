import { getNoun } from "../../families/index.ts";
import { type Change, isPending } from "../../model/change.ts";
import type { Plan } from "../../model/plan.ts";
import { escapeInvisible } from "../escape.ts";
import type { Style } from "../style.ts";
import { formatBecameManaged } from "../views/became-managed.ts";
import { countBodyBytes } from "../views/body.ts";
import { formatOrderSummary } from "../views/order-summary.ts";
import {
  capitalise,
  formatBytes,
  formatDuration,
  formatOperationTarget,
  formatQuietCounts,
  formatSummary,
  groupByFamily,
  isOdd,
} from "../views/words.ts";
import { renderAccessBlocks } from "./access-diff.ts";
import { type ChangeBlocks, renderChangeBlocks } from "./changes.ts";
import { fenceCode, formatCode } from "./code.ts";
import { ample, renderScarceViolationBlocks, renderViolationBlocks, whole } from "./violations.ts";

/** Forges refuse a comment of more characters than this: GitHub does, others take more. */
const mostCharacters = 65_536;
/** For the fields of all changes together; what would go beyond is counted instead. */
const spaceForChanges = 50_000;
/** For the lines around the changes of each family, and the line that says what is missing. */
const spaceForSummaries = 2_500;
const mostRequests = 50;
const style: Style = { color: false, width: 100, full: false, verbose: false };

export interface CommentOptions {
  /** Everything, however long: for a file, and no comment. Default false. */
  readonly full?: boolean;
  /** Characters that something else in the same comment takes. Default 0. */
  readonly taken?: number;
}

/**
 * A plan as a comment on a pull request. Names of users and servers are in code only, fenced longer than any run of
 * backticks in them: there they can neither become markup nor mention anybody. No newline at its end.
 */
export function renderPlanMarkdown(plan: Plan, { full = false, taken = 0 }: CommentOptions = {}): string {
  const refused = plan.violations.length > 0;
  const title = `${formatCode(plan.target.name)}: **${refused ? "refused: " : ""}${formatSummary(plan)}**`;
  const quiet = plan.changes.every((change) => !isPending(change) && !isOdd(change));
  // Reckoned once: a body of some megabytes is measured by printing it.
  const requests = quiet ? [] : requestBlocks(plan, full);
  const statePair = ({ blocks, folded }: ChangeBlocks) =>
    joined([
      title,
      formatServerLine(plan),
      ...snapshotBlock(plan),
      ...turnedBlock(plan),
      ...renderViolationBlocks(plan, full ? whole : ample),
      ...(quiet
        ? []
        : [
            countsTable(plan),
            ...foldedBlock(plan, folded),
            ...blocks,
            ...renderAccessBlocks(plan, full),
            ...requests,
            ...scenarioBlocks(plan, full),
          ]),
      ...fingerprintBlock(plan),
      ...(plan.notes.length === 0 ? [] : [`Notes:\n\n${fenceCode("text", plan.notes.map(escapeInvisible))}`]),
    ]);
  const none: ChangeBlocks = { blocks: [], folded: 0 };
  if (full) return statePair(quiet ? none : renderChangeBlocks(plan, Number.POSITIVE_INFINITY, { ...style, full }));
  const most = mostCharacters - taken;
  const space = Math.min(spaceForChanges, most - statePair(none).length - spaceForSummaries);
  const text = statePair(quiet ? none : renderChangeBlocks(plan, space, style));
  return text.length <= most ? text : withoutChanges(plan, title);
}

/** Why a plan is refused, what became of the modes and what may be agreed to outlast every detail. */
function withoutChanges(plan: Plan, title: string): string {
  return joined([
    title,
    ...snapshotBlock(plan),
    ...turnedBlock(plan),
    ...renderScarceViolationBlocks(plan),
    countsTable(plan),
    ...fingerprintBlock(plan),
    `The changes are too long for a comment. ${whereAllIs}`,
  ]);
}

const whereAllIs =
  "All of them: `gate-sync plan --full`, with `--format markdown` as an artefact; and the plan file that `--out` saves.";

/** What is missing is said above the changes, where readers look for it. */
function foldedBlock({ changes }: Plan, folded: number): readonly string[] {
  if (folded === 0) return [];
  const total = changes.filter((change) => isPending(change) || isOdd(change)).length;
  return [
    `Shortened: ${folded} of ${total} changes are shown together, by name or by their number only. ${whereAllIs}`,
  ];
}

function joined(blocks: readonly string[]): string {
  return blocks.join("\n\n");
}

function snapshotBlock({ target }: Plan): readonly string[] {
  return target.snapshot ? ["Made against a snapshot: this plan cannot be applied."] : [];
}

function fingerprintBlock({ operations, fingerprint }: Plan): readonly string[] {
  return operations.length === 0 ? [] : [`Fingerprint: ${formatCode(fingerprint)}`];
}

export function formatServerLine({ target: { url, server, identity } }: Pick<Plan, "target">): string {
  const who = identity === undefined ? "" : `, as ${formatCode(identity)}`;
  return `${formatCode(url)}, ${server.product} ${formatCode(server.release)} (${formatCode(server.how)})${who}`;
}

/** Counts only: a table is no place for names. */
function countsTable(plan: Plan): string {
  const rows = groupByFamily(plan).map(({ family, changes }) => {
    const count = (action: Change["action"]) => changes.filter((change) => change.action === action).length || "";
    const cells = [count("create"), count("update"), count("delete"), formatQuietCounts(changes)];
    return `| ${capitalise(getNoun(family, 2))} | ${cells.join(" | ")} |`;
  });
  return ["| | create | change | delete | the rest |", "|---|--:|--:|--:|---|", ...rows].join("\n");
}

function turnedBlock(plan: Plan): readonly string[] {
  const lines = formatBecameManaged(plan).map(({ text, deletes }) => `${deletes ? "!" : " "} ${escapeInvisible(text)}`);
  return lines.length === 0 ? [] : [fenceCode("diff", lines)];
}

function requestBlocks({ operations, violations, target }: Plan, full: boolean): readonly string[] {
  if (operations.length === 0) return [];
  const most = full ? operations : operations.slice(0, mostRequests);
  const lines = most.map((operation, index) => {
    const bytes = countBodyBytes(operation);
    const changes = operation.bulk ? [`${operation.names.length} changes`] : [];
    const duration =
      operation.estimate === undefined ? [] : [`about ${formatDuration(operation.estimate)} on the server`];
    const facts = [...changes, ...(bytes === undefined ? [] : [formatBytes(bytes)]), ...duration].join(", ");
    const reason = operation.reason === undefined ? "" : `: ${formatCode(operation.reason)}`;
    return `${index + 1}. ${operation.method} ${formatCode(formatOperationTarget(operation))}${facts === "" ? "" : ` (${facts})`}${reason}`;
  });
  const left = operations.length - most.length;
  const title =
    violations.length > 0 || target.snapshot ? "Requests it would take, in this order" : "Requests, in this order";
  return [`${title}:\n\n${lines.join("\n")}${left === 0 ? "" : `\n\nand ${left} more.`}`];
}

function scenarioBlocks(plan: Plan, full: boolean): readonly string[] {
  const { operations, orderExplanation } = plan;
  if (!orderExplanation) return [];
  const steps = orderExplanation.flatMap((access, at) => {
    const operation = operations[at];
    if (!operation) return [];
    const title = `After request ${at + 1}, ${operation.method} ${formatCode(formatOperationTarget(operation))}:`;
    return [title, ...renderAccessBlocks({ ...plan, access }, full)];
  });
  const end = formatOrderSummary(plan);
  return end ? [...steps, end] : steps;
}
