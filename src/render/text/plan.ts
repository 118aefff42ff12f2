import { flowItems, joinLines, measureWidth, padSpaces, padStart, wrap, wrapParts } from "../layout.ts";
import type { Style } from "../style.ts";
import type { PlanPart } from "../views/marks.ts";
import type { PlanView } from "../views/plan.ts";
import type { RequestView } from "../views/request.ts";
import type { TargetView } from "../views/target.ts";
import { formatAccessDiffLines, formatAccessLines } from "./access-diff.ts";
import { paint } from "./ansi.ts";
import { formatFamilyLines } from "./family.ts";
import { formatProtectionLines } from "./protection.ts";
import { formatRequestLines } from "./requests.ts";
import { formatViolationLines } from "./violations.ts";

/** A whole plan for people. No newline at its end. */
export function renderPlanText(view: PlanView, style: Style): string {
  return joinLines([...planLines(view, style)]);
}

/** The same with a newline at its end, line by line: a long one need not be held as a whole. */
export function* planBlocks(view: PlanView, style: Style): Generator<string, void, undefined> {
  for (const line of planLines(view, style)) yield `${line.trimEnd()}\n`;
}

function* planLines(view: PlanView, style: Style): Generator<string, void, undefined> {
  const becameManaged = view.becameManaged.flatMap(({ text, deletes }) =>
    wrap(text, style.width, 2).map((line) => paint(line, deletes ? "removed" : undefined, style)),
  );
  const notes = formatNoteLines(view.notes, style);
  if (view.isInSync && !style.verbose) {
    yield* [...inSyncLines(view, style), ...becameManaged, ...formatProtectionLines(view.protection, style), ...notes];
    return;
  }
  yield* formatHeaderLines(view.target, style);
  yield* verdictLines(view, style);
  yield* apart(becameManaged);
  yield* apart(formatProtectionLines(view.protection, style));
  for (const part of view.parts) yield* partLines(part, style);
  yield* apart(formatRequestLines(view, style));
  yield* apart(orderLines(view, style));
  for (const violation of view.violations) yield* apart(formatViolationLines(violation, style));
  yield* apart([...referenceLines(view, style), ...notes]);
  yield* apart(endLines(view, style));
}

/** An empty line before it. */
function apart(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", ...lines];
}

/** The whole answer of most runs: what was compared, to show that something was. */
function inSyncLines({ target, families, unknownPasswords }: PlanView, style: Style): readonly string[] {
  const counts = families.map(({ inSync }) => inSync).filter((count) => count !== "");
  const verdict = `${target.name}: in sync`;
  const compared = counts.map((one, at) => `${at === 0 ? "(" : ""}${one}${at === counts.length - 1 ? ")." : ","}`);
  const but = unknownPasswords > 0 ? ", but for passwords, which the server does not show" : "";
  const parts = counts.length === 0 ? [`${verdict}.`] : [`${verdict}${but}`, ...compared];
  const painted = (): string => verdict.replace(/in sync$/, () => paint("in sync", "added", style));
  return wrapParts([...parts, "Nothing to do."], style.width, 2).map((line) => line.replace(verdict, painted));
}

export function formatHeaderLines(target: TargetView, style: Style): readonly string[] {
  const { name, url, product, release, how, engine, clusterName, identity } = target;
  const facts = [
    `${product} ${release} (${how})`,
    ...(engine === undefined ? [] : [`engine ${engine}`]),
    ...(clusterName === undefined ? [] : [`cluster "${clusterName}"`]),
    ...(identity === undefined ? [] : [`as ${identity}`]),
  ];
  // A long name would leave no room beside it.
  const column = measureWidth(name) <= 16 ? measureWidth(name) + 2 : 2;
  // Facts stay whole where they fit; one that is longer than a line is broken like any sentence.
  const space = style.width - column;
  const lines = flowItems(facts, ", ", space).flatMap((line) => wrap(line, space));
  return [`${paint(name, "strong", style)}  ${url}`, ...lines.map((line) => padSpaces(column) + line)];
}

/** What the end says, in short: a long plan is read from its top. What does not change is counted, --verbose has it by family. */
function verdictLines({ isRefused, summary, violations, rest }: PlanView, style: Style): readonly string[] {
  const rules = [...new Set(violations.map(({ rule }) => rule))];
  const verdict = isRefused ? `Refused by ${rules.join(", ")}: ${summary}` : summary;
  return [
    "",
    ...wrap(verdict, style.width).map((line) => paint(line, "strong", style)),
    ...(rest === "" || style.verbose ? [] : wrap(rest, style.width)),
  ];
}

function* partLines({ title, families, access }: PlanPart, style: Style): Generator<string, void, undefined> {
  const isShown = access !== undefined || style.verbose || families.some(({ changes }) => changes.length > 0);
  if (title !== "" && isShown) yield* ["", ...wrap(title, style.width).map((line) => paint(line, "strong", style))];
  yield* allFamilyLines(families, style);
  if (access) yield* apart(formatAccessLines(access, style));
}

/** Families with something to show are set apart by empty lines; the others, which --verbose shows, are not. */
function* allFamilyLines(families: PlanPart["families"], style: Style): Generator<string, void, undefined> {
  let followsQuiet = false;
  for (const family of families) {
    if (family.changes.length === 0 && !style.verbose) continue;
    const lines = formatFamilyLines(family, style);
    // An entry that is only named because of --full does not make a family worth an empty line.
    const shown = family.changes.length > 0 ? lines : [...lines];
    const isShort = Array.isArray(shown) && shown.length <= 2;
    if (!(followsQuiet && isShort)) yield "";
    yield* shown;
    followsQuiet = isShort;
  }
}

/** The access diff of each request. */
function orderLines({ order, orderSummary }: PlanView, style: Style): readonly string[] {
  if (order.length === 0) return [];
  const digits = String(order.length).length;
  const indent = digits + 2;
  const title = ({ method, what }: RequestView, at: number) =>
    `  ${padStart(String(at + 1), digits)}  ${method} ${what}`;
  const steps = order.flatMap(({ request, access }, at) => {
    const lines = formatAccessDiffLines(access, { ...style, width: style.width - indent });
    const shown = lines.length > 0 ? lines : ["  no change"];
    return [title(request, at), ...shown.map((line) => padSpaces(indent) + line)];
  });
  return [
    paint("Who may do what, request by request", "strong", style),
    ...steps,
    ...(orderSummary === "" ? [] : wrap(`  ${orderSummary}`, style.width, 2)),
  ];
}

function referenceLines({ referenceOnly }: PlanView, style: Style): readonly string[] {
  return referenceOnly === "" ? [] : wrap(`Read for reference only: ${referenceOnly}.`, style.width, 2);
}

export function formatNoteLines(notes: readonly string[], style: Style): readonly string[] {
  return notes.flatMap((note) => wrap(`note: ${note}`, style.width, 6));
}

/** The answer, where a terminal leaves the reader's eye. */
function endLines(view: PlanView, style: Style): readonly string[] {
  const { isRefused, isOfSnapshot, summary, violations, fingerprint } = view;
  const [first] = violations;
  const snapshot = isOfSnapshot ? " This plan was made against a snapshot: it cannot be applied." : "";
  const sentences = `${isRefused ? "Refused: " : ""}${summary}${isRefused ? " Nothing was sent." : ""}${snapshot}`;
  return [
    ...(fingerprint === "" ? [] : [`Fingerprint ${fingerprint}`]),
    ...wrap(sentences, style.width).map((line) => paint(line, "strong", style)),
    ...(first ? [`More: gate-sync explain ${first.rule}`] : []),
  ];
}
