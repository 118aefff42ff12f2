import { getNoun } from "../../families/index.ts";
import { type Change, isPending } from "../../model/change.ts";
import { type Address, createAddress } from "../../model/names.ts";
import type { Plan } from "../../model/plan.ts";
import { formatName } from "../escape.ts";
import { flowItems, padSpaces } from "../layout.ts";
import { createChangeRows } from "../rows/change.ts";
import type { Style } from "../style.ts";
import { type FoldedPart, listItems, type SeveralItems } from "../views/fold.ts";
import {
  foldChanges,
  formatFiles,
  formatPartNames,
  formatPartTitle,
  listNamedByGuards,
} from "../views/folded-changes.ts";
import { formatPlace } from "../views/place.ts";
import {
  capitalise,
  type FamilyChanges,
  formatPendingCounts,
  formatQuietCounts,
  groupByFamily,
  isOdd,
  reasonWords,
  unknownWords,
} from "../views/words.ts";
import { fenceCode } from "./code.ts";

const symbols = { create: "+", update: "~", delete: "-", leave: "?" } as const;

export interface ChangeBlocks {
  /** One for each family with something to show. */
  readonly blocks: readonly string[];
  /** Changes that are not shown alone: with others, by name, or counted. */
  readonly folded: number;
}

/** A part of a family as it would be shown, and how much room that takes. */
interface Batch {
  readonly part: FoldedPart<Change>;
  readonly lines: readonly string[];
  readonly size: number;
  /** Shown before others: it is deleted, or a guard names it. */
  readonly grave: boolean;
}

interface FamilyBatches extends FamilyChanges {
  readonly batches: readonly Batch[];
}

/** @param space characters for the lines of all families together */
export function renderChangeBlocks(plan: Plan, space: number, style: Style): ChangeBlocks {
  const named = listNamedByGuards(plan);
  const families = groupByFamily(plan).flatMap(({ family, changes }): readonly FamilyBatches[] => {
    const shown = changes.filter((change) => isPending(change) || isOdd(change));
    const batches = foldChanges(shown, named, style).map((part) => batchOf(part, named, style));
    return batches.length === 0 ? [] : [{ family, changes, batches }];
  });
  const kept = fitting(families, space);
  const isWhole = (batch: Batch) => kept.has(batch) && batch.part.kind === "one";
  const folded = families.flatMap(({ batches }) => batches.filter((batch) => !isWhole(batch)));
  return { blocks: families.map((family) => block(family, kept)), folded: countOf(folded) };
}

/** Grave changes first. Of the rest, in each family as many from its start as fit. */
function fitting(families: readonly FamilyBatches[], space: number): ReadonlySet<Batch> {
  const kept = new Set<Batch>();
  let left = space;
  const keep = (batch: Batch): boolean => {
    const fits = batch.size <= left;
    if (fits) {
      left -= batch.size;
      kept.add(batch);
    }
    return fits;
  };
  for (const { batches } of families) for (const batch of batches) if (batch.grave) keep(batch);
  // The room is for all families together: after one that does not fit, smaller ones of the next family may.
  for (const { batches } of families) batches.filter(({ grave }) => !grave).every(keep);
  return kept;
}

function block({ family, changes, batches }: FamilyBatches, kept: ReadonlySet<Batch>): string {
  const counts = formatPendingCounts(changes) || formatQuietCounts(changes);
  const summary = `<summary>${capitalise(getNoun(family, 2))}: ${counts}</summary>`;
  const left = countOf(batches.filter((batch) => !kept.has(batch)));
  const lines = batches.filter((batch) => kept.has(batch)).flatMap((batch) => batch.lines);
  const more = left === 0 ? [] : [`  ... ${left} more, too long for a comment`];
  return `<details>${summary}\n\n${fenceCode("diff", [...lines, ...more])}\n\n</details>`;
}

function batchOf(part: FoldedPart<Change>, named: ReadonlySet<Address>, style: Style): Batch {
  const lines = part.kind === "one" ? changeLines(part.item, style) : severalLines(part, style);
  const size = lines.reduce((sum, line) => sum + line.length + 1, 0);
  const grave = listItems(part).some(
    ({ action, family, name }) => action === "delete" || named.has(createAddress(family, name)),
  );
  return { part, lines, size, grave };
}

function countOf(batches: readonly Batch[]): number {
  return batches.reduce((sum, { part }) => sum + listItems(part).length, 0);
}

/** The sign in the first column, where a diff has it. */
function changeLines(change: Change, style: Style): readonly string[] {
  const remark = remarkOn(change, formatPlace(change));
  return [
    `${symbols[change.action]} ${formatName(change.name)}${remark === "" ? "" : `    (${remark})`}`,
    ...fieldLines(change, style),
  ];
}

function severalLines(part: SeveralItems<Change>, style: Style): readonly string[] {
  const [first] = part.items;
  const remark = remarkOn(first, formatFiles(part.items));
  // A diff colours line by line: this makes all deleted names stand out.
  const lead = first.action === "delete" ? "-   " : padSpaces(4);
  return [
    `${symbols[first.action]} ${formatPartTitle(part, style)}${remark === "" ? "" : `    (${remark})`}`,
    ...flowItems(formatPartNames(part), ", ", style.width - lead.length).map((line) => lead + line),
    ...(part.kind === "alike" ? fieldLines(first, style) : []),
  ];
}

function remarkOn({ action, edits, reason, unknown }: Change, place: string): string {
  if (action === "leave" && edits.length === 0 && unknown) return unknownWords;
  if (action === "leave") return edits.length > 0 ? `differs, ${reasonWords[reason]}` : reasonWords[reason];
  return action === "delete" ? reasonWords[reason] : place;
}

function fieldLines(change: Change, style: Style): readonly string[] {
  return createChangeRows(change, 4, style).map(({ sign, indent, label, text }) =>
    `${(sign ?? " ") + padSpaces(indent - 1)}${label}${text}`.trimEnd(),
  );
}
