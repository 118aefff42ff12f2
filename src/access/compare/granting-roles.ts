import type { AccessDifference } from "../../model/access.ts";
import type { AccessModel } from "../model/access-model.ts";
import type { Subject } from "../model/subject.ts";
import { type CoveredArea, createSourceFinder, type RoleSource } from "./table/grant-sources.ts";

/** Regions may have thousands of cases; most are granted by few roles. */
const mostEvaluated = 64;
const mostCompared = 8;

/**
 * The grant path of the witness, by the role that grants most of the difference; where that path does not hold for all
 * indices and actions of it, the roles that grant its parts.
 */
export function findGrantingRoles(
  found: AccessDifference,
  before: AccessModel,
  after: AccessModel,
  subject: Subject,
): Pick<AccessDifference, "via" | "viaParts"> {
  const { indices, actions, witness } = found;
  const sourcesAt = createSourceFinder(found, before, after, subject);
  const rows: readonly (string | undefined)[] = indices?.examples ?? [undefined];
  const columns = actions.examples;
  const [first, ...others] = sourcesAt(witness.action, witness.index);
  if (!first || rows.length * columns.length === 1) return first?.paths[0] ? { via: first.paths[0] } : {};

  const open = new Uint8Array(rows.length * columns.length).fill(1);
  const start = rows.indexOf(witness.index) * columns.length + columns.indexOf(witness.action);
  const picked: RoleSource[] = [];
  let hasMore = false;
  for (let [at, count] = [Math.max(start, 0), 0]; at !== -1; at = open.indexOf(1)) {
    if (count++ === mostEvaluated) {
      hasMore = true;
      break;
    }
    const [row, column] = [Math.floor(at / columns.length), at % columns.length];
    const sources = count === 1 ? [first, ...others] : sourcesAt(columns[column] ?? "", rows[row]);
    const source = pickLargest(sources, open, columns.length);
    if (source) picked.push(source);
    for (const area of source?.areas([]) ?? []) closeArea(open, area, columns.length);
    open[at] = 0;
  }
  const [main = first] = picked;
  const roles = [...new Set(picked.map(({ role }) => role))].sort();
  const [path] = main.paths;
  if (!path) return {};
  if (roles.length > 1 || hasMore) {
    return { via: path, viaParts: { roles, groups: [], ...(hasMore && { hasMore }) } };
  }
  const reaches = (groups: readonly string[]): boolean =>
    groups.length === 0 || countOpen(open.fill(1), main.areas(groups), columns.length) === open.length;
  const whole = main.paths.find(({ groups }) => reaches(groups));
  if (whole) return { via: whole };
  const shared = path.groups.findLastIndex((_, at) => reaches(path.groups.slice(0, at + 1)));
  return { via: path, viaParts: { roles, groups: path.groups.slice(0, shared + 1) } };
}

/** The first of those that grant most of what is left. */
function pickLargest(sources: readonly RoleSource[], open: Uint8Array, width: number): RoleSource | undefined {
  const [first, ...others] = sources.slice(0, mostCompared);
  if (!first || others.length === 0) return first;
  let [best, most] = [first, countOpen(open, first.areas([]), width)];
  for (const source of others) {
    const count = countOpen(open, source.areas([]), width);
    if (count > most) [best, most] = [source, count];
  }
  return best;
}

function countOpen(open: Uint8Array, areas: readonly CoveredArea[], width: number): number {
  const left = open.slice();
  return areas.reduce((count, area) => count + closeArea(left, area, width), 0);
}

/** How many of the area were open. */
function closeArea(open: Uint8Array, { rows, columns }: CoveredArea, width: number): number {
  let count = 0;
  for (const [row, isMeant] of rows.entries()) {
    if (isMeant === 0) continue;
    for (let [column, at] = [0, row * width]; column < width; column++, at++) {
      if (columns[column] === 0 || open[at] === 0) continue;
      open[at] = 0;
      count++;
    }
  }
  return count;
}
