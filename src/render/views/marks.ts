import type { Places } from "../../access/explain/grant-path.ts";
import type { AccessDifferences } from "../../model/access.ts";
import type { Change } from "../../model/change.ts";
import { createAddress } from "../../model/names.ts";
import type { Plan } from "../../model/plan.ts";
import { type Mark, marks } from "../../model/since.ts";
import { formatName, joinNames } from "../escape.ts";
import { type AccessView, createAccessView, listNamedByGuards } from "./access-diff.ts";
import type { ChangeView } from "./change.ts";
import { createFamilyViews, type FamilyView } from "./family.ts";
import { formatCounts } from "./words.ts";

/** What a reader takes together: what a branch does, what was pending before it. */
export interface PlanPart {
  /** `Pending before this branch`; empty where there is one part alone. */
  readonly title: string;
  readonly families: readonly FamilyView[];
  readonly access?: AccessView;
}

/** @param whole where all is the branch's, or nothing is known of it */
export function listParts(plan: Plan, whole: PlanPart, places: Places): readonly PlanPart[] {
  const { since, changes } = plan;
  if (!since?.marks) return [whole];
  const { entries, access, takenBack } = since.marks;
  const named = listNamedByGuards(plan);
  const partOf = (title: string, some: readonly Change[], differences?: AccessDifferences): readonly PlanPart[] => {
    const isShown = differences && !isEmpty(differences);
    if (some.length === 0 && !isShown) return [];
    const families = createFamilyViews(some, named);
    return [{ title, families, ...(isShown && { access: createAccessView(differences, plan, places) }) }];
  };
  const those = (mark: Mark | undefined) =>
    changes.filter(({ family, name }) => entries.get(createAddress(family, name)) === mark);
  const byMark = marks.flatMap((mark) => partOf(titles[mark], those(mark), access?.[mark]));
  const undone = partOf("Taken back by this branch", takenBack);
  const isOwn = byMark.every(({ title }) => title === titles.branch) && undone.length === 0;
  return isOwn ? [whole] : [...byMark, ...undone, ...partOf("Left as it is", those(undefined))];
}

function isEmpty({ logins = [], blockedDiff, statements, unchanged, unknowns }: AccessDifferences): boolean {
  return [logins, blockedDiff, statements, unchanged, unknowns].every((some) => some.length === 0);
}

const titles: Readonly<Record<Mark, string>> = {
  branch: "This branch",
  both: "This branch, and otherwise before it",
  pending: "Pending before this branch",
};

const words: Readonly<Record<Mark, string>> = {
  branch: "by this branch",
  both: "by both",
  pending: "pending before it",
};

/** ` 2 by this branch, 1 by both, 1 pending before it.`: entries; empty where nothing is known of them. */
export function formatMarks({ since }: Pick<Plan, "since">): string {
  const all = [...(since?.marks?.entries.values() ?? [])];
  const counts = formatCounts(marks.map((mark) => [all.filter((one) => one === mark).length, words[mark]]));
  return counts === "" ? "" : ` ${counts}.`;
}

/** For one of several targets, of which the changes are shown with those of the others: what is not the branch's says so. */
export function withMark(change: ChangeView, { since }: Pick<Plan, "since">): ChangeView {
  const mark = since?.marks?.entries.get(createAddress(change.family, change.name));
  if (mark === undefined || mark === "branch") return change;
  return { ...change, aside: [titles[mark].toLowerCase(), change.aside].filter((word) => word !== "").join("; ") };
}

/** For one of several targets, of which the changes are shown with those of the others: what is not the branch's alone, by address. */
export function listMarkNotes({ since }: Pick<Plan, "since">): readonly string[] {
  if (!since?.marks) return [];
  const { entries, takenBack } = since.marks;
  const counts = formatMarks({ since });
  const those = (mark: Mark) => [...entries].flatMap(([address, one]) => (one === mark ? [address] : []));
  const named = [
    ...(["both", "pending"] as const).map((mark) => [titles[mark], those(mark)] as const),
    ["Taken back by this branch", takenBack.map(({ family, name }) => createAddress(family, name))] as const,
  ].filter(([, addresses]) => addresses.length > 0);
  return [
    ...(counts === "" ? [] : [`Compared with the plan of ${formatName(since.ref)}:${counts}`]),
    ...named.map(([title, addresses]) => `${title}: ${cutNames(addresses)}.`),
  ];
}

function cutNames(names: readonly string[]): string {
  const more = names.length > mostNamed ? `, and ${names.length - mostNamed} more` : "";
  return `${joinNames(names.slice(0, mostNamed))}${more}`;
}

const mostNamed = 10;
