import type { Style } from "../style.ts";
import { formatProtectionLines } from "../text/protection.ts";
import type { PlanPart } from "../views/marks.ts";
import type { PlanView } from "../views/plan.ts";
import type { RequestView } from "../views/request.ts";
import type { TargetView } from "../views/target.ts";
import { renderAccessBlocks } from "./access-diff.ts";
import { type ChangeBlocks, formatFamilyCounts, renderChangeBlocks } from "./changes.ts";
import { fenceCode, formatCode } from "./code.ts";
import { renderWarningBlocks } from "./diagnostics.ts";
import { ample, renderScarceViolationBlocks, renderViolationBlocks, whole } from "./violations.ts";

/** GitHub refuses a comment of more than 65 536 characters; what posts it adds a marker and links. */
const mostCharacters = 64_500;
/** For the fields of all changes together; what would go beyond is counted instead. */
const spaceForChanges = 50_000;
/** For the lines around the changes of each family, and the line that says what is missing. */
const spaceForSummaries = 2_500;
const mostRequests = 50;
const mostProtections = 40;
const fewProtections = 5;
const style: Style = { color: false, width: 100, full: false, verbose: false };

export interface CommentOptions {
  /** Everything, however long: for a file, and no comment. Default false. */
  readonly full?: boolean;
}

/**
 * A plan as a comment on a pull request. Names of users and servers are in code only, fenced longer than any run of
 * backticks in them: there they can neither become markup nor mention anybody. No newline at its end.
 */
export function renderPlanMarkdown(view: PlanView, { full = false }: CommentOptions = {}): string {
  const warnings = renderWarningBlocks(view.warnings, full);
  // With the newline at the end of the whole.
  const taken = warnings.reduce((sum, block) => sum + block.length + 2, 1);
  return joinBlocks([renderWithin(view, taken, full), ...warnings]);
}

function renderWithin(view: PlanView, taken: number, full: boolean): string {
  const before = [
    titleOf(view),
    formatServerLine(view.target),
    ...snapshotBlock(view),
    ...becameManagedBlock(view),
    ...protectionBlock(view, full ? Number.POSITIVE_INFINITY : mostProtections),
    ...renderViolationBlocks(view.violations, full ? whole : ample),
  ];
  const after = [...fingerprintBlock(view), ...renderNotes(view.notes)];
  if (!view.hasChanges && view.parts.length < 2) return join([...before, ...after], view, taken, full);
  const details = [...requestBlocks(view, full), ...orderBlocks(view, full)];
  const withChanges = ({ blocks, folded }: ChangeBlocks) => [
    ...before,
    ...foldedBlock(view, folded),
    ...view.parts.flatMap((part, at) => partBlocks(part, blocks[at] ?? [], full)),
    ...details,
    ...after,
  ];
  const around = joinBlocks(withChanges({ blocks: [], folded: 0 })).length;
  const space = full
    ? Number.POSITIVE_INFINITY
    : Math.min(spaceForChanges, mostCharacters - taken - around - spaceForSummaries);
  return join(withChanges(renderChangeBlocks(view.parts, space, { ...style, full })), view, taken, full);
}

function partBlocks({ title, access }: PlanPart, changes: readonly string[], full: boolean): readonly string[] {
  const blocks = [...changes, ...(access ? renderAccessBlocks(access, full) : [])];
  return title === "" || blocks.length === 0 ? blocks : [`**${title}**`, ...blocks];
}

/** Where even that is too long: why a plan is refused, and what may be agreed to, outlast every detail. */
function join(blocks: readonly string[], view: PlanView, taken: number, full: boolean): string {
  const text = joinBlocks(blocks);
  if (full || text.length <= mostCharacters - taken) return text;
  return joinBlocks([
    titleOf(view),
    ...snapshotBlock(view),
    ...becameManagedBlock(view),
    ...protectionBlock(view, fewProtections),
    ...renderScarceViolationBlocks(view.violations),
    listCounts(view),
    ...fingerprintBlock(view),
    `The changes are too long for a comment. ${whereAllIs}`,
  ]);
}

const whereAllIs =
  "All of them: `gate-sync plan --full`, with `--format markdown` as an artefact; and the plan file that `--out` saves.";

/** What is missing is said above the changes, where readers look for it. */
function foldedBlock({ families }: PlanView, folded: number): readonly string[] {
  if (folded === 0) return [];
  const total = families.flatMap(({ changes }) => changes).length;
  return [
    `Shortened: ${folded} of ${total} changes are shown together, by name or by their number only. ${whereAllIs}`,
  ];
}

function joinBlocks(blocks: readonly string[]): string {
  return blocks.join("\n\n");
}

function titleOf({ target, isRefused, summary, rest }: PlanView): string {
  const counted = rest === "" ? "" : ` ${rest}`;
  return `${formatCode(target.name)}: **${isRefused ? "refused: " : ""}${summary}**${counted}`;
}

function snapshotBlock({ isOfSnapshot }: PlanView): readonly string[] {
  return isOfSnapshot ? ["Made against a snapshot: this plan cannot be applied."] : [];
}

function fingerprintBlock({ fingerprint }: PlanView): readonly string[] {
  return fingerprint === "" ? [] : [`Fingerprint: ${formatCode(fingerprint)}`];
}

export function formatServerLine({ url, product, release, how, identity }: TargetView): string {
  const who = identity === undefined ? "" : `, as ${formatCode(identity)}`;
  return `${formatCode(url)}, ${product} ${formatCode(release)} (${formatCode(how)})${who}`;
}

export function renderNotes(notes: readonly string[]): readonly string[] {
  return notes.length === 0 ? [] : [`Notes:\n\n${fenceCode("text", notes)}`];
}

/** Instead of the changes, which begin with their counts. */
function listCounts({ families }: PlanView): string {
  const changed = families.filter(({ changes }) => changes.length > 0);
  return changed.map((family) => `- ${family.title}: ${formatFamilyCounts(family)}`).join("\n");
}

function becameManagedBlock({ becameManaged }: PlanView): readonly string[] {
  const lines = becameManaged.map(({ text, deletes }) => `${deletes ? "!" : " "} ${text}`);
  return lines.length === 0 ? [] : [fenceCode("diff", lines)];
}

function protectionBlock({ protection }: PlanView, most: number): readonly string[] {
  const left = protection.length - most;
  const lines = formatProtectionLines(left > 0 ? protection.slice(0, most) : protection, style).map((line) =>
    line.startsWith("      was:") ? `-${line.slice(1)}` : line.startsWith("      is:") ? `+${line.slice(1)}` : line,
  );
  if (lines.length === 0) return [];
  return [fenceCode("diff", left > 0 ? [...lines, `and ${left} more: gate-sync plan --base --full`] : lines)];
}

function requestBlocks({ requests, requestsTitle }: PlanView, full: boolean): readonly string[] {
  if (requests.length === 0) return [];
  const shown = full ? requests : requests.slice(0, mostRequests);
  const lines = shown.map(({ changes, size, duration, why, ...request }, at) => {
    const facts = [changes, size, duration].filter((fact) => fact !== "").join(", ");
    const reason = why === "" ? "" : `: ${formatCode(why)}`;
    return `${at + 1}. ${formatRequest(request)}${facts === "" ? "" : ` (${facts})`}${reason}`;
  });
  const left = requests.length - shown.length;
  return [`${requestsTitle}:\n\n${lines.join("\n")}${left === 0 ? "" : `\n\nand ${left} more.`}`];
}

function formatRequest({ method, what }: Pick<RequestView, "method" | "what">): string {
  return `${method} ${formatCode(what)}`;
}

function orderBlocks({ order, orderSummary }: PlanView, full: boolean): readonly string[] {
  const steps = order.flatMap(({ request, access }, at) => [
    `After request ${at + 1}, ${formatRequest(request)}:`,
    ...renderAccessBlocks(access, full),
  ]);
  return orderSummary === "" ? steps : [...steps, orderSummary];
}
