import { nounOf } from "../families/index.ts";
import { type Change, isPending } from "../model/change.ts";
import { type Address, addressOf } from "../model/names.ts";
import type { Plan } from "../model/plan.ts";
import { fenced } from "./code.ts";
import { word } from "./escape.ts";
import { itemsOf, type Part, type Several } from "./fold.ts";
import { filesOf, foldChanges, namedByGuards, partNames, partTitle } from "./folded-changes.ts";
import { blanks, flow } from "./layout.ts";
import { placeOf } from "./place.ts";
import { changeRows } from "./rows/change.ts";
import type { Style } from "./style.ts";
import {
  byFamily,
  capitalised,
  type FamilyChanges,
  isOdd,
  pendingCounts,
  quietCounts,
  reasonWords,
  unknownWords,
} from "./words.ts";

const symbols = { create: "+", update: "~", delete: "-", leave: "?" } as const;

export interface ChangeBlocks {
  /** One for each family with something to show. */
  readonly blocks: readonly string[];
  /** Changes that stand nowhere by themselves: with others, by name, or counted. */
  readonly folded: number;
}

/** A part of a family as it would be shown, and how much room that takes. */
interface Piece {
  readonly part: Part<Change>;
  readonly lines: readonly string[];
  readonly size: number;
  /** Worth its room more than others: it is deleted, or a guard names it. */
  readonly grave: boolean;
}

interface FamilyPieces extends FamilyChanges {
  readonly pieces: readonly Piece[];
}

/** @param room characters for the lines of all families together */
export function changeBlocks(plan: Plan, room: number, style: Style): ChangeBlocks {
  const named = namedByGuards(plan);
  const families = byFamily(plan).flatMap(({ family, changes }): readonly FamilyPieces[] => {
    const shown = changes.filter((change) => isPending(change) || isOdd(change));
    const pieces = foldChanges(shown, named, style).map((part) => pieceOf(part, named, style));
    return pieces.length === 0 ? [] : [{ family, changes, pieces }];
  });
  const kept = fitting(families, room);
  const isWhole = (piece: Piece) => kept.has(piece) && piece.part.kind === "one";
  const folded = families.flatMap(({ pieces }) => pieces.filter((piece) => !isWhole(piece)));
  return { blocks: families.map((family) => block(family, kept)), folded: countOf(folded) };
}

/** What is grave first. Of the rest, in each family as many from its start as there is room for. */
function fitting(families: readonly FamilyPieces[], room: number): ReadonlySet<Piece> {
  const kept = new Set<Piece>();
  let left = room;
  const keep = (piece: Piece): boolean => {
    const fits = piece.size <= left;
    if (fits) {
      left -= piece.size;
      kept.add(piece);
    }
    return fits;
  };
  for (const { pieces } of families) for (const piece of pieces) if (piece.grave) keep(piece);
  // The room is for all families together: once one did not fit, smaller ones of the next may still.
  for (const { pieces } of families) pieces.filter(({ grave }) => !grave).every(keep);
  return kept;
}

function block({ family, changes, pieces }: FamilyPieces, kept: ReadonlySet<Piece>): string {
  const counts = pendingCounts(changes) || quietCounts(changes);
  const summary = `<summary>${capitalised(nounOf(family, 2))}: ${counts}</summary>`;
  const left = countOf(pieces.filter((piece) => !kept.has(piece)));
  const lines = pieces.filter((piece) => kept.has(piece)).flatMap((piece) => piece.lines);
  const more = left === 0 ? [] : [`  ... ${left} more, too long for a comment`];
  return `<details>${summary}\n\n${fenced("diff", [...lines, ...more])}\n\n</details>`;
}

function pieceOf(part: Part<Change>, named: ReadonlySet<Address>, style: Style): Piece {
  const lines = part.kind === "one" ? changeLines(part.item, style) : severalLines(part, style);
  const size = lines.reduce((sum, line) => sum + line.length + 1, 0);
  const grave = itemsOf(part).some(
    ({ action, family, name }) => action === "delete" || named.has(addressOf(family, name)),
  );
  return { part, lines, size, grave };
}

function countOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { part }) => sum + itemsOf(part).length, 0);
}

/** The sign in the first column, where a diff has it. */
function changeLines(change: Change, style: Style): readonly string[] {
  const remark = remarkOn(change, placeOf(change));
  return [
    `${symbols[change.action]} ${word(change.name)}${remark === "" ? "" : `    (${remark})`}`,
    ...fieldLines(change, style),
  ];
}

function severalLines(part: Several<Change>, style: Style): readonly string[] {
  const [first] = part.items;
  const remark = remarkOn(first, filesOf(part.items));
  // A diff colours line by line: names of what goes are to stand out all.
  const lead = first.action === "delete" ? "-   " : blanks(4);
  return [
    `${symbols[first.action]} ${partTitle(part, style)}${remark === "" ? "" : `    (${remark})`}`,
    ...flow(partNames(part), ", ", style.width - lead.length).map((line) => lead + line),
    ...(part.kind === "alike" ? fieldLines(first, style) : []),
  ];
}

function remarkOn({ action, edits, reason, unknown }: Change, place: string): string {
  if (action === "leave" && edits.length === 0 && unknown) return unknownWords;
  if (action === "leave") return edits.length > 0 ? `differs, ${reasonWords[reason]}` : reasonWords[reason];
  return action === "delete" ? reasonWords[reason] : place;
}

function fieldLines(change: Change, style: Style): readonly string[] {
  return changeRows(change, 4, style).map(({ sign, indent, label, text }) =>
    `${(sign ?? " ") + blanks(indent - 1)}${label}${text}`.trimEnd(),
  );
}
