import { getNoun } from "../../families/index.ts";
import { type Family, isResourceFamily } from "../../model/names.ts";
import type { Plan } from "../../model/plan.ts";
import type { NewlyManaged } from "../../model/since.ts";
import { escapeInvisible } from "../escape.ts";
import { joinWithAnd } from "./words.ts";

/** What follows for families that became managed. */
export interface BecameManaged {
  readonly text: string;
  readonly deletes: boolean;
}

/** A paragraph for each family, or one for all that lose nothing by it. */
export function listBecameManaged(plan: Plan): readonly BecameManaged[] {
  const { since, changes, violations } = plan;
  if (since === undefined) return [];
  const verb = violations.length > 0 ? "would be" : "will be";
  const deletions = (family: Family) =>
    changes.filter((change) => change.family === family && change.action === "delete").length;
  const isHarmless = ({ family }: NewlyManaged) => isResourceFamily(family) && deletions(family) === 0;
  const apart = since.turned.filter((turned) => !isHarmless(turned)).map((turned) => [turned]);
  const together = (["observe", "adopt", "undeclared"] as const)
    .map((was) => since.turned.filter((turned) => isHarmless(turned) && turned.was === was))
    .filter((group) => group.length > 0);
  return [...apart, ...together].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const count = deletions(first.family);
    const families = group.map(({ family }) => family);
    const text = `Since ${since.ref}, ${howTheyTurned(families, first.was)}: ${consequence(first.family, count, verb)}`;
    return [{ text: escapeInvisible(text), deletes: count > 0 }];
  });
}

function howTheyTurned(families: readonly Family[], was: NewlyManaged["was"]): string {
  const names = families.map((family) => (isResourceFamily(family) ? getNoun(family, 2) : `the ${getNoun(family)}`));
  const subject = joinWithAnd(names);
  if (was !== "undeclared") return `${subject} turned from ${was} to manage`;
  return `${subject} ${families.every(isResourceFamily) ? "are" : "is"} managed for the first time`;
}

/** An entry that is not declared was left alone until now. */
function consequence(family: Family, count: number, verb: string): string {
  if (!isResourceFamily(family)) return `what the server holds ${verb} made what is declared.`;
  if (count > 0) return `${count} that only the server has ${verb} deleted.`;
  return "nothing is deleted by that now. From now on, entries that only the server has are deleted.";
}
