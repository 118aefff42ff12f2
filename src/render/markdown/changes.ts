import { flowItems, padSpaces } from "../layout.ts";
import type { Row } from "../rows/row.ts";
import type { Style } from "../style.ts";
import type { ChangeView } from "../views/change.ts";
import { createPartRows, listChangeParts, type PartView } from "../views/change-parts.ts";
import type { FamilyView } from "../views/family.ts";
import type { PlanView } from "../views/plan.ts";
import { fenceCode } from "./code.ts";

export interface ChangeBlocks {
  /** Of each part in turn: one for each family with something to show. */
  readonly blocks: readonly (readonly string[])[];
  /** Changes that are not shown alone: with others, by name, or counted. */
  readonly folded: number;
}

/** A part of a family as it would be shown, and how much room that takes. */
interface Batch {
  readonly part: PartView<ChangeView>;
  readonly lines: readonly string[];
  readonly size: number;
  /** Shown before others: it is deleted, or a guard names it. */
  readonly isGrave: boolean;
}

interface FamilyBatches {
  readonly family: FamilyView;
  readonly batches: readonly Batch[];
}

/** @param space characters for the lines of all families together */
export function renderChangeBlocks(parts: PlanView["parts"], space: number, style: Style): ChangeBlocks {
  const byPart = parts.map((part) =>
    part.families.flatMap((family): readonly FamilyBatches[] => {
      const batches = listChangeParts(family.changes, style).map((one) => batchOf(one, style));
      return batches.length === 0 ? [] : [{ family, batches }];
    }),
  );
  const families = byPart.flat();
  const kept = chooseFitting(families, space);
  const isWhole = (batch: Batch) => kept.has(batch) && batch.part.names.length === 0;
  const folded = families.flatMap(({ batches }) => batches.filter((batch) => !isWhole(batch)));
  return {
    blocks: byPart.map((some) => some.map((family) => renderFamily(family, kept))),
    folded: countChanges(folded),
  };
}

/** Grave changes first. Of the rest, in each family as many from its start as fit. */
function chooseFitting(families: readonly FamilyBatches[], space: number): ReadonlySet<Batch> {
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
  for (const { batches } of families) for (const batch of batches) if (batch.isGrave) keep(batch);
  // The room is for all families together: after one that does not fit, smaller ones of the next family may.
  for (const { batches } of families) batches.filter(({ isGrave }) => !isGrave).every(keep);
  return kept;
}

function renderFamily({ family, batches }: FamilyBatches, kept: ReadonlySet<Batch>): string {
  const left = countChanges(batches.filter((batch) => !kept.has(batch)));
  const lines = batches.filter((batch) => kept.has(batch)).flatMap((batch) => batch.lines);
  const more = left === 0 ? [] : [`  ... ${left} more, too long for a comment`];
  return foldBlock(`${family.title}: ${formatFamilyCounts(family)}`, [...lines, ...more]);
}

/** `1 to change; 2 differ`: of what is shown. */
export function formatFamilyCounts({ pendingCounts, leftCounts }: FamilyView): string {
  return [pendingCounts, leftCounts].filter((counts) => counts !== "").join("; ");
}

/** Lines that a reader unfolds. */
export function foldBlock(summary: string, lines: readonly string[]): string {
  return `<details><summary>${summary}</summary>\n\n${fenceCode("diff", lines)}\n\n</details>`;
}

function batchOf(part: PartView<ChangeView>, style: Style): Batch {
  const lines = formatPart(part, style);
  return {
    part,
    lines,
    size: measureLines(lines),
    isGrave: part.items.some(
      ({ action, isNamedByGuard, renamed }) => action === "delete" || isNamedByGuard || renamed !== undefined,
    ),
  };
}

export function measureLines(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function countChanges(batches: readonly Batch[]): number {
  return batches.reduce((sum, { part }) => sum + part.items.length, 0);
}

/** The sign in the first column, where a diff has it; `remarks` are between the names and the fields. */
export function formatPart(
  part: PartView<ChangeView>,
  style: Style,
  remarks: readonly string[] = [],
): readonly string[] {
  const { sign, title, aside, names } = part;
  // A diff colours line by line: this makes all deleted names stand out.
  const lead = sign === "-" ? "-   " : padSpaces(4);
  return [
    `${sign} ${title}${aside === "" ? "" : `    (${aside})`}`,
    ...flowItems(names, ", ", style.width - lead.length).map((line) => lead + line),
    ...remarks.map((line) => padSpaces(4) + line),
    ...createPartRows(part, 4, style).map(formatRow),
  ];
}

function formatRow({ sign = " ", indent, label, text }: Row): string {
  return `${sign}${padSpaces(indent - 1)}${label}${text}`.trimEnd();
}
