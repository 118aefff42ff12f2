import type { Letter } from "../diagnostics/failure.ts";
import type { Poison } from "../diff/poison.ts";
import type { Seen } from "../live/survey.ts";
import type { FamilyFinding } from "../model/doctor.ts";

/** What keeps a server from being planned for, and what keeps a plan from being applied; both empty where nothing does. */
export function problemsIn(
  found: readonly Seen[],
  families: readonly FamilyFinding[],
  poison: readonly Poison[],
): { readonly plan: readonly Letter[]; readonly apply: readonly Letter[] } {
  const isRead = families.some(({ state }) => state === "readable");
  // One that is closed to us may be none of our business; a server that fails is everybody's.
  const failing = found.filter(({ letter, forbidden }) => letter && !(forbidden && isRead));
  const [first] = failing.flatMap(({ letter }) => letter ?? []);
  const plan = isRead ? failing.flatMap(({ letter }) => letter ?? []) : [first ?? nothingThere];
  const mayWrite = families.some(({ state, write }) => state !== "absent" && write !== "no");
  return { plan, apply: [...(isRead && !mayWrite ? [readOnly] : []), ...poison.map(poisoned)] };
}

function poisoned({ why, cures }: Poison): Letter {
  return {
    what: `The server chokes on what it holds: ${why}.`,
    why: "As long as it is there, every write of any family is stored, answered 500, and takes no effect.",
    fix: `A plan that changes or deletes one of these ends it: ${cures.join(", ")}.`,
  };
}

const nothingThere: Letter = {
  what: "The server has none of the families that were asked for.",
  fix: "Ask for others with --family, or leave it out.",
};

const readOnly: Letter = {
  what: "These credentials may read and not write: enough for plan, not for apply.",
  fix: "That is as it should be for a plan. Give apply an identity of its own: README, “A read-only identity for plan”.",
};
