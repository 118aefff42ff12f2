import type { Semantics } from "../../dialects/semantics.ts";
import { actionGroups } from "../../families/action-groups.ts";
import { getUnknownText } from "../../families/unknown.ts";
import { collectReached } from "../../json/graph.ts";
import { listTexts, type Value } from "../../json/value.ts";
import type { HeldEntries } from "./state.ts";

/** One pattern of actions that a list of permissions comes to. */
export interface ExpandedPermission {
  readonly pattern: string;
  /** The group names that lead to it, in the order of the list; empty where the list holds it directly. */
  readonly via: readonly string[];
}

/** Expands lists of permissions; what a group holds is worked out once. */
export type GroupExpander = (permissions: Value | undefined) => readonly ExpandedPermission[];

/** Finds the groups with unknown fields among those that permissions name, directly or through other groups. */
export type UnknownGroups = (permissions: readonly string[]) => readonly UnknownGroup[];

export interface UnknownGroup {
  readonly name: string;
  /** Canonical text of these fields. */
  readonly fields: string;
}

export function createUnknownGroupFinder(groups: HeldEntries): UnknownGroups {
  const unknown = [...groups].flatMap(([name, group]) => {
    const fields = getUnknownText(group, actionGroups.fields);
    return fields === undefined ? [] : [{ name, fields }];
  });
  if (unknown.length === 0) return () => [];
  return (permissions) => {
    const reached = collectReached(permissions, (name) => listTexts(groups.get(name)?.allowed_actions));
    return unknown.filter(({ name }) => reached.has(name));
  };
}

/**
 * Replaces names of groups by their contents, transitively. A name that is undefined, or whose group is empty, stays
 * a pattern. In a cycle each group counts once: `validate` reports what servers make of cycles.
 */
export function createGroupExpander(groups: HeldEntries, { groupsReplaceNames }: Semantics): GroupExpander {
  const known = new Map<string, readonly ExpandedPermission[]>();
  const within = (name: string): readonly ExpandedPermission[] => {
    const found = known.get(name);
    if (found) return found;
    known.set(name, []);
    const held = reached(name);
    known.set(name, held);
    return held;
  };
  const listed = (name: string): readonly string[] => listTexts(groups.get(name)?.allowed_actions);

  /** With a queue, and chains spelled out on demand only: they may be longer than the machine's stack. */
  const reached = (start: string): readonly ExpandedPermission[] => {
    const patterns = new Map<string, ExpandedPermission>();
    const cameFrom = new Map<string, string | undefined>([[start, undefined]]);
    for (const [name] of cameFrom) {
      for (const text of listed(name)) {
        const isGroup = groups.has(text);
        if (isGroup && !cameFrom.has(text)) cameFrom.set(text, name);
        if ((!isGroup || !groupsReplaceNames) && !patterns.has(text))
          patterns.set(text, new Reached(text, name, cameFrom));
      }
    }
    return [...patterns.values()];
  };

  return (permissions) => {
    const patterns = new Map<string, ExpandedPermission>();
    const add = (granted: ExpandedPermission) => {
      if (!patterns.has(granted.pattern)) patterns.set(granted.pattern, granted);
    };
    const texts = listTexts(permissions);
    for (const text of texts) {
      if (!groups.has(text) || !groupsReplaceNames || within(text).length === 0) add({ pattern: text, via: [] });
    }
    for (const text of texts) if (groups.has(text)) for (const granted of within(text)) add(granted);
    return [...patterns.values()];
  };
}

type CameFrom = ReadonlyMap<string, string | undefined>;

/** `via` is a getter of the class, so that JSON made for comparing holds the last group alone, not the whole chain. */
class Reached implements ExpandedPermission {
  readonly pattern: string;
  readonly last: string;
  readonly #cameFrom: CameFrom;

  constructor(pattern: string, last: string, cameFrom: CameFrom) {
    this.pattern = pattern;
    this.last = last;
    this.#cameFrom = cameFrom;
  }

  get via(): readonly string[] {
    const chain: string[] = [];
    for (let name: string | undefined = this.last; name !== undefined; name = this.#cameFrom.get(name)) {
      chain.push(name);
    }
    return chain.reverse();
  }
}
