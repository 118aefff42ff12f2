import { getNoun } from "../families/index.ts";
import { listMentions } from "../families/mentions.ts";
import type { Change } from "../model/change.ts";
import type { LiveState } from "../model/live.ts";
import { createAddress, type Family } from "../model/names.ts";

/**
 * One note for each deleted resource that an unmanaged, remaining entry still refers to. References of declared
 * entries are checked in the files.
 */
export function listDanglingNotes(changes: readonly Change[], live: LiveState): readonly string[] {
  const deleted = changes.filter(({ action }) => action === "delete");
  if (deleted.length === 0) return [];
  const decided = new Map([...live.resources.keys()].map((family) => [family as Family, new Set<string>()]));
  for (const change of changes) if (isDecided(change)) decided.get(change.family)?.add(change.name);
  const users = new Map<string, string[]>();
  for (const resource of [...live.resources.values()].flatMap((family) => [...family.values()])) {
    if (decided.get(resource.family)?.has(resource.name)) continue;
    for (const { to, name } of listMentions(resource)) {
      const address = createAddress(to, name);
      users.set(address, [
        ...(users.get(address) ?? []),
        `${getNoun(resource.family)} ${JSON.stringify(resource.name)}`,
      ]);
    }
  }
  return deleted.flatMap(({ family, name }) => {
    const left = users.get(createAddress(family, name)) ?? [];
    if (left.length === 0) return [];
    return [`The ${getNoun(family)} ${JSON.stringify(name)} is deleted, and still used by the ${list(left)}.`];
  });
}

/** Declared, or deleted with it. */
function isDecided({ action, origin }: Change): boolean {
  return action === "delete" || origin !== undefined;
}

function list(users: readonly string[]): string {
  const shown = users.slice(0, 3).join(", ");
  return users.length > 3 ? `${shown} and ${users.length - 3} more` : shown;
}
