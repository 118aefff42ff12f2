// What has to hold of the requests from one fixture to another, in any order that the planner finds: no one holds in between what
// neither side grants, no one misses what both do, nothing is refused; or it is reported. Whether a clean order has fewer
// requests, or is not found, is counted.
import { resourceFamilies } from "../../../src/model/names.ts";
import { randomFrom } from "../../fixtures/index.ts";
import { fewestRequests } from "./fewest.ts";
import type { Pair } from "./pairs.ts";
import { isExplained, isUnsure, type Played, play } from "./played.ts";
import type { Server } from "./server.ts";

/** How often something was met, by what it is. */
export type Counts = ReadonlyMap<string, number>;

export interface Held {
  readonly counts: Counts;
  /** A line for each that does not hold, its kind first. */
  readonly broken: readonly string[];
}

export async function holdToProperty(server: Server, pairs: Iterable<Pair>): Promise<Held> {
  const counts = new Map<string, number>();
  const broken: string[] = [];
  for (const [from, to] of pairs) {
    const played = await play(server, from, to);
    const evaluated = played && evaluatedMember(played, server.dialect.checksRoles);
    for (const kind of ["pairs", ...(evaluated?.kinds ?? ["no such fixture"])])
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (played && evaluated) broken.push(...evaluated.broken.map((what) => `${what}\n${scenario(played)}`));
  }
  return { counts, broken };
}

/** So many of them by chance, or all. */
export function sampleOf<T>(items: readonly T[], most: number, seed: string): readonly T[] {
  return items.length <= most ? items : randomFrom(seed).some(items, most, most);
}

/** Few of what is broken say enough; and how many there are of each kind. */
export function summaryOf(broken: readonly string[]): readonly string[] {
  const kinds = new Map<string, number>();
  for (const line of broken) {
    const [kind = ""] = line.split(":", 1);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return [...[...kinds].map(([kind, count]) => `${count} × ${kind}`), ...broken.slice(0, 5)];
}

export function countsText(counts: Counts): string {
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, count]) => `${kind}: ${count}`)
    .join(", ");
}

interface Evaluated {
  readonly kinds: readonly string[];
  readonly broken: readonly string[];
}

function evaluatedMember(played: Played, checksRoles: boolean): Evaluated {
  const { planned, wrong, breaches } = played;
  const [explained, unsure] = [isExplained(planned), isUnsure(planned)];
  const unreported = explained ? [] : breaches.slice(0, 3).map((what) => `breach that is not reported: ${what}`);
  const { kinds, broken } =
    explained || requestsOf(played) > familiesOf(played) ? evaluatedByAll(played, checksRoles) : plain;
  return {
    kinds: [
      `requests ${requestsOf(played)}`,
      ...(isMoved(played) ? ["moved"] : []),
      ...(requestsOf(played) > familiesOf(played) ? ["split"] : []),
      ...(!explained && (isMoved(played) || requestsOf(played) > familiesOf(played)) ? ["moved or split"] : []),
      ...(explained ? [unsure ? "reported as not certain" : "reported as unclean"] : []),
      ...kinds,
    ],
    broken: [...wrong, ...unreported, ...broken],
  };
}

const plain: Evaluated = { kinds: [], broken: [] };

/** Held against every other way. */
function evaluatedByAll(played: Played, checksRoles: boolean): Evaluated {
  const { before, after, planned } = played;
  const [explained, requests] = [isExplained(planned), requestsOf(played)];
  if (isUnsure(planned)) return plain;
  const fewest = fewestRequests({ before, after, checksRoles, ...(!explained && { most: requests - 1 }) });
  if (fewest === "too many edits") return { kinds: ["not tried in every order"], broken: [] };
  const kinds = ["tried in every order"];
  if (fewest === "none") return { kinds, broken: [] };
  return { kinds: [...kinds, explained ? kindOfMissed : kindOfLonger], broken: [] };
}

export const kindOfMissed = "reported, though some order is clean";
export const kindOfLonger = "more requests than the fewest";

/** Whether more than 2 % of the plans for which an order had to be found are reported, or have too many requests. */
export function missesOften(counts: Counts): boolean {
  const of = (kind: string): number => counts.get(kind) ?? 0;
  const missed = of(kindOfMissed) + of(kindOfLonger);
  // One of a small sample says nothing.
  return missed > 1 && missed > 0.02 * (of("moved or split") + of(kindOfMissed));
}

function requestsOf({ planned }: Played): number {
  return planned.operations.length;
}

function familiesOf({ changes }: Played): number {
  return new Set(changes.map(({ family }) => family)).size;
}

/** Whether families are where they usually are not. */
function isMoved({ planned }: Played): boolean {
  const places = planned.operations.map(({ family }) => (resourceFamilies as readonly string[]).indexOf(family));
  return places.some((place, at) => place < (places[at - 1] ?? 0));
}

function scenario({ before, after, planned }: Played): string {
  const requests = planned.operations.map(({ method, path, body }) => `  ${method} ${path} ${JSON.stringify(body)}`);
  const explained = planned.violations.filter(({ rule }) => rule === "order").map(({ what }) => `  reported: ${what}`);
  return [`  ${JSON.stringify([before, after])}`, ...requests, ...explained].join("\n");
}
