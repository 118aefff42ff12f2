// Which names there are: by the files, the server, or what products ship.

import { findNearest } from "../diagnostics/suggest.ts";
import { listBuiltinNames } from "../dialects/builtin/names.ts";
import type { DesiredState } from "../model/desired.ts";
import type { LiveState } from "../model/live.ts";
import type { ResourceFamily } from "../model/names.ts";

/** The names of a family, as far as they are known. */
export interface KnownNames {
  readonly has: (name: string) => boolean;
  /**
   * Whether a name that is not in the list certainly does not exist; otherwise only a misspelling can be recognised.
   */
  readonly complete: boolean;
  readonly offline: boolean;
  /** The one that a misspelt name most probably meant. */
  readonly nearestTo: (name: string) => string | undefined;
}

/**
 * @param live what was read of the server
 * @param spokenOf names that are no mistake besides
 * @param builtin the built-in names of a family that was not read
 */
export function collectKnownNames(
  family: ResourceFamily,
  state: DesiredState,
  live: LiveState | undefined,
  spokenOf: readonly string[] = [],
  builtin: () => readonly string[] = () => listBuiltinNames(family),
): KnownNames {
  const declared = state.resources.get(family);
  const read = live?.resources.get(family);
  const others = () => (read ? read.keys() : builtin());
  let all: ReadonlySet<string> | undefined;
  // What servers ship is a page of data: not loaded for files that name only what they declare.
  const names = () => {
    all ??= new Set([...(declared?.keys() ?? []), ...others(), ...spokenOf]);
    return all;
  };
  return {
    has: (name) => declared?.has(name) === true || names().has(name),
    complete: read !== undefined || declared !== undefined,
    offline: read === undefined,
    nearestTo: lookedUpOnce(names, isOfOneKind),
  };
}

/** Whether it can only be a slip of the pen: READ beside read, or sg_logstash beside logstash, may well exist. */
export function isSlip(name: string, meant: string | undefined): boolean {
  if (meant === undefined || meant.toLowerCase() === name.toLowerCase()) return false;
  return Math.abs(meant.length - name.length) <= 1;
}

/** Whether each word of a name is near its word in the other: indexes_full_access is no knn_full_access. */
function isOfOneKind(name: string, near: string): boolean {
  const [words, others] = [name, near].map((text) => text.toLowerCase().split(/[_.:/-]/));
  if (words === undefined || others === undefined || words.length !== others.length) return true;
  return words.every((word, at) => word === others[at] || findNearest(word, [others[at] ?? ""]) !== undefined);
}

/** How many names are compared with others, about two seconds. Thousands of different wrong names are no misspellings. */
const mostComparisons = 5_000_000;

/**
 * The same wrong name is often in thousands of entries. After so many different names no further one is searched for.
 */
function lookedUpOnce(
  names: () => ReadonlySet<string>,
  isMeant: (name: string, near: string) => boolean,
): (name: string) => string | undefined {
  const found = new Map<string, string | undefined>();
  const likely = (near: string | undefined, name: string) =>
    near !== undefined && isMeant(name, near) ? near : undefined;
  return (name) => {
    const most = Math.ceil(mostComparisons / Math.max(1, names().size));
    if (!found.has(name)) found.set(name, found.size < most ? likely(findNearest(name, names()), name) : undefined);
    return found.get(name);
  };
}
