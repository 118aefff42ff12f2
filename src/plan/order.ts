import { loginChildren } from "../families/config.ts";
import type { Change } from "../model/change.ts";
import type { Family } from "../model/names.ts";

interface Stage {
  readonly family: Family;
  readonly reason?: string;
}

/** Each family after those it refers to, so that nothing is sent that the server refuses for want of another. */
const resourcesInOrder: readonly Stage[] = [
  { family: "action_groups" },
  { family: "tenants" },
  { family: "roles" },
  { family: "role_mappings" },
  { family: "blocks" },
];

/**
 * The order of the families' writes. Whether a server lets the config be changed is known only when it is tried: so it
 * goes first, and a refusal leaves nothing half-done. Where it decides who may log in, it goes last, so that a mistake
 * in it cannot stop the rest. The license follows the config: the config document that is written holds the old one.
 */
export function stages(changes: readonly Change[]): readonly Stage[] {
  const config = changes.find(({ family, action }) => family === "config" && action !== "leave");
  const license: Stage = { family: "license" };
  if (!config) return [license, ...resourcesInOrder];
  const afterConfig: Stage = { family: "license", reason: "after the config, which carries the old license" };
  if (decidesWhoLogsIn(config)) {
    const last: Stage = { family: "config", reason: "last, because it decides who may log in" };
    return [...resourcesInOrder, last, afterConfig];
  }
  const first: Stage = { family: "config", reason: "first, so that a refusal leaves nothing half-done" };
  return [first, afterConfig, ...resourcesInOrder];
}

function decidesWhoLogsIn(config: Change): boolean {
  return config.edits.some(({ path }) => path[0] !== "dynamic" || path[1] === undefined || loginChildren.has(path[1]));
}
