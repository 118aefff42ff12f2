import type { Places } from "../../access/explain/grant-path.ts";
import type { Family } from "../../model/names.ts";
import type { ComparedEntry, ComparedTarget, TargetDifference } from "../../model/target-difference.ts";
import { escapeInvisible, formatName } from "../escape.ts";
import { type AccessView, createAccessView } from "./access-diff.ts";
import { type ChangeView, createChangeView } from "./change.ts";
import { getFamilyTitle, groupByFamily } from "./family.ts";
import { formatPlace } from "./place.ts";
import { formatCounts, pluralise } from "./words.ts";

/** Everything that a format shows of what differs between two targets. Texts are fit to be shown. */
export interface TargetDiffView {
  /** `dev and prod: 3 differences.` */
  readonly summary: string;
  /** What the signs say; empty where there are none. */
  readonly legend: string;
  readonly emptied: readonly string[];
  readonly families: readonly {
    readonly family: Family;
    readonly title: string;
    /** `1 only in prod, 2 differ` */
    readonly counts: string;
    readonly entries: readonly ComparedEntryView[];
  }[];
  readonly access?: AccessView;
  readonly closing: readonly string[];
  readonly isEqual: boolean;
  /** As the model has it, for programs. */
  readonly difference: TargetDifference;
}

export interface ComparedEntryView extends ChangeView, Pick<ComparedEntry, "fromOrigin"> {
  /** `dev: base/roles.yml:3` for each target that declares it, where both do. */
  readonly places: readonly string[];
}

export function createTargetDiffView(difference: TargetDifference, places: Places): TargetDiffView {
  const { from, to, changes, emptied, access, notes } = difference;
  const [one, other] = [formatName(from.name), formatName(to.name)];
  const gains = access ? access.statements.length + access.blockedDiff.length : 0;
  const count = changes.length + emptied.length;
  const isEqual = count === 0 && gains === 0;
  const views = changes.map((entry) => createEntryView(entry, from, to));
  return {
    summary: isEqual
      ? `${one} and ${other} declare the same.`
      : count === 0
        ? `${one} and ${other} declare the same, and their releases grant other access by it.`
        : `${one} and ${other}: ${pluralise(count, "difference")}.`,
    emptied: emptied.map(({ family, in: side }) => {
      const [declaring, leaving] = side === "from" ? [one, other] : [other, one];
      return `${declaring} declares ${family} without entries, so that all are deleted; ${leaving} leaves them as they are.`;
    }),
    legend: isEqual ? "" : `- is only in ${one}, + only in ${other}, ~ differs.`,
    families: groupByFamily(views).map(({ family, changes: entries }) => ({
      family,
      title: getFamilyTitle(family),
      counts: formatCounts([
        [countAction(entries, "delete"), `only in ${one}`],
        [countAction(entries, "create"), `only in ${other}`],
        [countAction(entries, "update"), countAction(entries, "update") === 1 ? "differs" : "differ"],
      ]),
      entries,
    })),
    ...(access &&
      !isEqual && { access: createAccessView(access, { changes: [], violations: [], waived: [] }, places) }),
    closing: [
      from.evaluatedFor === to.evaluatedFor
        ? `Both are taken for ${to.evaluatedFor}.`
        : `${one} is taken for ${from.evaluatedFor}, ${other} for ${to.evaluatedFor}.`,
      ...notes,
    ].map(escapeInvisible),
    isEqual,
    difference,
  };
}

function createEntryView(
  { change, fromOrigin }: ComparedEntry,
  from: ComparedTarget,
  to: ComparedTarget,
): ComparedEntryView {
  const [was, is] = [formatPlace({ ...(fromOrigin && { origin: fromOrigin }) }), formatPlace(change)];
  const view = { ...createChangeView(change), ...(fromOrigin && { fromOrigin }) };
  if (was !== "" && is !== "") {
    const places = was === is ? [is] : [`${formatName(from.name)}: ${was}`, `${formatName(to.name)}: ${is}`];
    return places.length === 1 ? { ...view, aside: is, places: [] } : { ...view, aside: "", places };
  }
  return { ...view, aside: was === "" ? is : was, places: [] };
}

function countAction(entries: readonly ComparedEntryView[], action: ChangeView["action"]): number {
  return entries.filter((entry) => entry.action === action).length;
}
