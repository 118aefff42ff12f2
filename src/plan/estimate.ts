import type { Dialect } from "../dialects/dialect.ts";
import { encodeCanonical } from "../json/canonical.ts";
import { reveal } from "../json/value.ts";
import type { Change } from "../model/change.ts";
import type { LiveState } from "../model/live.ts";
import type { Operation } from "../model/operation.ts";

/** Milliseconds. Shorter estimates are not shown; a longer request may outlive the time-outs of proxies on the way. */
export const notable = 10_000;
export const longest = 300_000;

/** Taking a mapping away was measured to cost a third of writing one. */
const removal = 1 / 3;

/** Milliseconds that the server will need for one change of a role mapping; undefined where nothing is known to be slow. */
export type Estimate = (change: Change) => number;

/** @param changes all of the plan: what becomes of the roles decides what a mapping costs */
export function estimateFor(changes: readonly Change[], live: LiveState, dialect: Dialect): Estimate | undefined {
  if (dialect.mappingCost === undefined || !changes.some(({ family }) => family === "role_mappings")) return undefined;
  const each = dialect.mappingCost * (charactersOfRoles(changes, live) / 1000);
  return ({ family, action }) => (family !== "role_mappings" ? 0 : action === "delete" ? each * removal : each);
}

/** As many parts as it takes for none to be estimated above the limit; each about as long as the others. */
export function cutToSize(changes: readonly Change[], estimate: Estimate | undefined): readonly (readonly Change[])[] {
  const total = estimate ? sum(changes, estimate) : 0;
  const parts = Math.min(changes.length, Math.ceil(total / longest));
  if (parts <= 1) return [changes];
  const size = Math.ceil(changes.length / parts);
  return Array.from({ length: Math.ceil(changes.length / size) }, (_, at) => changes.slice(at * size, (at + 1) * size));
}

/** The operation with its estimate, where that is long enough to show. */
export function withEstimate(
  operation: Operation,
  changes: readonly Change[],
  estimate: Estimate | undefined,
): Operation {
  if (!estimate || operation.family !== "role_mappings") return operation;
  const names = new Set(operation.names);
  const milliseconds = sum(
    changes.filter(({ name }) => names.has(name)),
    estimate,
  );
  return milliseconds < notable ? operation : { ...operation, estimate: Math.round(milliseconds) };
}

function sum(changes: readonly Change[], estimate: Estimate): number {
  return changes.reduce((total, change) => total + estimate(change), 0);
}

/** Roles are written before mappings, so those that come count too. */
function charactersOfRoles(changes: readonly Change[], { resources }: LiveState): number {
  const roles = new Map([...(resources.get("roles") ?? [])].map(([name, { value }]) => [name, value]));
  for (const { family, name, action, after } of changes) {
    if (family === "roles" && after && action !== "leave") roles.set(name, after);
  }
  return [...roles.values()].reduce((total, value) => total + encodeCanonical(reveal(value)).length, 0);
}
