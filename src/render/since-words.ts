import { nounOf } from "../families/index.ts";
import { type Family, isResourceFamily } from "../model/names.ts";
import type { Plan } from "../model/plan.ts";
import type { Turned } from "../model/since.ts";

/** For each family that turned to `manage`, what follows from that: one paragraph, and whether anything is deleted. */
export function turnedWords(plan: Plan): readonly { readonly text: string; readonly deletes: boolean }[] {
  const { since, changes, violations } = plan;
  if (since === undefined) return [];
  return since.turned.map(({ family, was }) => {
    const count = changes.filter((change) => change.family === family && change.action === "delete").length;
    const verb = violations.length > 0 ? "would be" : "will be";
    const text = `Since ${since.ref}, ${howItTurned(family, was)}: ${consequence(family, count, verb)}`;
    return { text, deletes: count > 0 };
  });
}

function howItTurned(family: Family, was: Turned["was"]): string {
  const several = nounOf(family, 2);
  const subject = isResourceFamily(family) ? several : `the ${nounOf(family)}`;
  if (was !== "undeclared") return `${subject} turned from ${was} to manage`;
  return `${subject} ${isResourceFamily(family) ? "are" : "is"} managed for the first time`;
}

/** What nobody declared was left alone until now. */
function consequence(family: Family, count: number, verb: string): string {
  if (!isResourceFamily(family)) return `what the server holds ${verb} made what is declared.`;
  if (count > 0) return `${count} that only the server has ${verb} deleted.`;
  return "nothing is deleted by that now; from here on, what only the server has is.";
}
