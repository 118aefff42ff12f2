import type { Message } from "../diagnostics/failure.ts";
import type { Endpoint } from "../dialects/endpoints.ts";
import type { UnloadableEntry } from "../diff/unloadable.ts";
import type { FamilyFinding } from "../model/doctor.ts";
import type { SurveyResult } from "./survey.ts";

/** What keeps a server from being planned for, and what keeps a plan from being applied; both empty where nothing does. */
export function findServerProblems(
  found: readonly SurveyResult[],
  families: readonly FamilyFinding[],
  unloadable: readonly UnloadableEntry[],
  writableBesides: readonly Endpoint[],
  missing: string | undefined,
): { readonly plan: readonly Message[]; readonly apply: readonly Message[] } {
  const isRead = families.some(({ state }) => state === "readable");
  // One that is closed to us may be none of our business; a server that fails is everybody's.
  const failing = found.filter(({ userMessage, forbidden }) => userMessage && !(forbidden && isRead));
  const [first] = failing.flatMap(({ userMessage }) => userMessage ?? []);
  const plan = isRead ? failing.flatMap(({ userMessage }) => userMessage ?? []) : [first ?? nothingThere];
  const mayWrite = families.some(({ state, write }) => state !== "absent" && write !== "no");
  const apply = [
    ...(isRead && !mayWrite ? [{ ...readOnly, ...(missing !== undefined && { why: missing }) }] : []),
    ...(writableBesides.length > 0 ? [createWritableMessage(writableBesides)] : []),
    ...unloadable.map(createUnloadableMessage),
  ];
  return { plan, apply };
}

function createWritableMessage(endpoints: readonly Endpoint[]): Message {
  const dangers = [...new Set(endpoints.flatMap(({ danger }) => danger ?? []))];
  return {
    what: `This login is not read only: no setting of the nodes denies it to write ${endpoints.map(({ name }) => name).join(", ")}.`,
    ...(dangers.length > 0 && { why: `It can ${dangers.join(", ")}.` }),
    fix: "Set endpoints_disabled for these, too: gate-sync doctor --hardening prints the lines.",
  };
}

function createUnloadableMessage({ why, repairs }: UnloadableEntry): Message {
  return {
    what: `The server chokes on what it holds: ${why}.`,
    why: "As long as it is there, every write is stored, answered 500, and takes no effect.",
    fix: `A plan that changes or deletes one of these ends it: ${repairs.join(", ")}.`,
  };
}

const nothingThere: Message = {
  what: "The server has none of the resource types that were asked for.",
  fix: "Ask for others with --family, or leave it out.",
};

const readOnly: Message = {
  what: "These credentials may read and not write: enough for plan, not for apply.",
  fix: "That is as it should be for a plan. Give apply an identity of its own: gate-sync explain first-pipeline.",
};
