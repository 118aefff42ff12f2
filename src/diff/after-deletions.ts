import type { Change } from "../model/change.ts";
import type { LiveState } from "../model/live.ts";

/** What the server will still hold of what it holds now: what a plan deletes can no longer be referred to. */
export function applyDeletions(live: LiveState, changes: readonly Change[]): LiveState {
  const doomed = new Set(
    changes.filter(({ action }) => action === "delete").map(({ family, name }) => `${family}/${name}`),
  );
  const resources = [...live.resources].map(([family, found]) => {
    const left = [...found].filter(([name]) => !doomed.has(`${family}/${name}`));
    return [family, new Map(left)] as const;
  });
  return { ...live, resources: new Map(resources) };
}
