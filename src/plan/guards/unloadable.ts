import type { Dialect } from "../../dialects/dialect.ts";
import { findUnloadable, type UnloadableEntry } from "../../diff/unloadable.ts";
import type { Change } from "../../model/change.ts";
import type { LiveResource, LiveState } from "../../model/live.ts";
import { isResourceFamily } from "../../model/names.ts";
import type { Guard, GuardFinding, Loadability } from "./guard.ts";

const effect = "As long as it is there, every write is stored and answered 500, and takes no effect.";

export const unloadable: Guard = {
  rule: "unloadable",
  refuses:
    "A plan of writes that would take no effect, because the nodes cannot load what the server holds or would hold.",
  why: "Search Guard 7 answers writes with 500, stores them, and loads none of them: nothing that is written takes effect.",
  fix: "Remove what the message names, such as a null in a pattern or a cycle of action groups, and apply again.",
  byDefault: "always, on Search Guard 7",
  setBy: "nothing: it says what to fix",
  waivedFor: "nothing",
  evaluate: ({ loadability }) => loadability.findings,
};

const none: Loadability = { findings: [], notes: [], repairs: new Set() };

/**
 * Refuses a plan of writes that would be stored and take no effect, because of what the server holds or because of what
 * the plan itself would make of it; where the plan ends that, says by which changes.
 */
export function evaluateLoadability(
  pending: readonly Change[],
  live: LiveState,
  { canBeUnloadable }: Dialect,
): Loadability {
  if (!canBeUnloadable) return none;
  const found = findUnloadable(live);
  if (pending.length === 0) return found.length === 0 ? none : { ...none, notes: [noteOf(found)] };
  const left = findUnloadable(afterwards(live, pending));
  if (left.length > 0) return { ...none, findings: [found.length > 0 ? stays(left) : comes(left)] };
  return { ...none, repairs: new Set(found.flatMap(({ repairs }) => repairs)) };
}

function stays(culprits: readonly UnloadableEntry[]): GuardFinding {
  return {
    what: `The nodes of this server cannot load what it holds: ${whyOf(culprits)}.`,
    why:
      `${effect} Declare it without that, or leave it undeclared where its resource type is managed, in this same plan: ` +
      "then its change goes first. Deleting it works by hand too: a DELETE of it is answered 200.",
    addresses: culprits.map(({ address }) => address),
  };
}

function comes(culprits: readonly UnloadableEntry[]): GuardFinding {
  return {
    what: `The nodes of this server could no longer load what it would hold: ${whyOf(culprits)}.`,
    why: `${effect} Declare it without that.`,
    addresses: culprits.map(({ address }) => address),
  };
}

function noteOf(culprits: readonly UnloadableEntry[]): string {
  return `The nodes of this server cannot load what it holds: ${whyOf(culprits)}. ${effect} Not all that is in sync here may be in effect.`;
}

function whyOf(culprits: readonly UnloadableEntry[]): string {
  const shown = culprits.slice(0, 3).map(({ why }) => why);
  return culprits.length > 3 ? `${shown.join("; ")}; and ${culprits.length - 3} more` : shown.join("; ");
}

/** What the server holds when all of it is done. */
function afterwards(live: LiveState, pending: readonly Change[]): LiveState {
  const resources = new Map([...live.resources].map(([family, held]) => [family, new Map(held)]));
  for (const { family, name, after } of pending) {
    if (!isResourceFamily(family)) continue;
    const held = resources.get(family);
    const changed: LiveResource | undefined = after && { family, name, value: after, ownership: "open" };
    if (changed) held?.set(name, changed);
    else held?.delete(name);
  }
  return { ...live, resources };
}
