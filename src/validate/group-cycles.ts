import { formatChain } from "../diagnostics/chain.ts";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { compareByCodeUnit } from "../json/canonical.ts";
import { isEqual, isList } from "../json/value.ts";
import type { DesiredFamily, DesiredState } from "../model/desired.ts";
import type { LiveFamily, LiveResource, LiveState } from "../model/live.ts";
import { findWrittenPlace } from "./written.ts";

type Group = Pick<LiveResource, "value">;
type Graph = ReadonlyMap<string, readonly string[]>;

/** Action groups that contain each other, each cycle once, at its first declared member. */
export function findGroupCycles(
  desired: DesiredState,
  live: LiveState | undefined,
  dialect: Dialect,
): readonly Diagnostic[] {
  const declared: DesiredFamily = desired.resources.get("action_groups") ?? new Map();
  const held: LiveFamily = live?.resources.get("action_groups") ?? new Map();
  const graph = graphOf(new Map<string, Group>([...held, ...declared]));
  const knot = knotOf(graph);
  // Cycles of the server's own groups are no problem of these files: there may be 100 000 of them, each to be
  // searched for.
  if (![...declared.keys()].some((name) => knot.has(name))) return [];
  return cycles(knot).flatMap((cycle) => {
    const start = cycle.findIndex((name) => declared.has(name));
    const first = declared.get(cycle[start] ?? "");
    if (!first) return [];
    const turned = [...cycle.slice(start), ...cycle.slice(0, start)];
    const next = turned[1] ?? first.name;
    const harms = dialect.cyclesHarm || cycle.length === 1;
    // What the server holds already is no error when it is declared the same.
    const unchanged = cycle.every((name) => isAsLive(declared, held, name));
    return [
      createDiagnostic(
        findWrittenPlace(first.node, next) ?? first.origin,
        "action-group-cycle",
        {
          what: `Action groups contain each other: ${formatChain([...turned, first.name])}.`,
          why: harms
            ? "The server refuses it, or fails on every later request once a role uses one of them."
            : "Servers of this product bear it, but what such a group grants is unknown.",
          fix: `Take one of them out of the other, such as ${JSON.stringify(next)} out of ${JSON.stringify(first.name)}.`,
        },
        harms && !unchanged ? "error" : "warning",
      ),
    ];
  });
}

function isAsLive(declared: DesiredFamily, held: LiveFamily, name: string): boolean {
  const [wanted, live] = [declared.get(name), held.get(name)];
  return (
    live !== undefined && (wanted === undefined || isEqual(wanted.value.allowed_actions, live.value.allowed_actions))
  );
}

function graphOf(groups: ReadonlyMap<string, Group>): Graph {
  return new Map(
    [...groups].map(([name, { value }]) => {
      const members = isList(value.allowed_actions) ? value.allowed_actions : [];
      return [name, members.filter((member) => typeof member === "string").filter((member) => groups.has(member))];
    }),
  );
}

/** One cycle for each set of groups that reach each other: its shortest, from the name that sorts first. */
function cycles(knot: Graph): readonly (readonly string[])[] {
  const covered = new Set<string>();
  return [...knot.keys()].sort(compareByCodeUnit).flatMap((name) => {
    const cycle = covered.has(name) ? undefined : cycleThrough(knot, name);
    for (const member of cycle ?? []) covered.add(member);
    return cycle ? [cycle] : [];
  });
}

/** Removes groups that only lead to a cycle or only follow one: each would be searched to its end. */
function knotOf(graph: Graph): Graph {
  const leading = withoutLooseEnds(graph);
  const hanging = withoutLooseEnds(reversed(leading));
  return new Map([...leading].filter(([name]) => hanging.has(name)));
}

function reversed(graph: Graph): Graph {
  const users = new Map<string, string[]>([...graph.keys()].map((name) => [name, []]));
  for (const [name, members] of graph) for (const member of members) users.get(member)?.push(name);
  return users;
}

/** Keeps groups from which a cycle can be reached: none in correct files. */
function withoutLooseEnds(graph: Graph): Graph {
  const knot = new Map(graph);
  const users = new Map<string, string[]>();
  const open = new Map<string, number>();
  for (const [name, members] of graph) {
    open.set(name, members.length);
    for (const member of members) usersOf(member, users).push(name);
  }
  const loose = [...graph.keys()].filter((name) => open.get(name) === 0);
  for (const name of loose) {
    knot.delete(name);
    for (const user of users.get(name) ?? []) {
      const left = (open.get(user) ?? 0) - 1;
      open.set(user, left);
      if (left === 0) loose.push(user);
    }
  }
  return knot;
}

function usersOf(member: string, users: Map<string, string[]>): string[] {
  const known = users.get(member) ?? [];
  users.set(member, known);
  return known;
}

/**
 * The shortest path from a group back to itself, without the repetition of its name; undefined where there is none.
 */
function cycleThrough(graph: Graph, start: string): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const name of queue) {
    for (const next of graph.get(name) ?? []) {
      if (next === start) return memberTo(name, cameFrom);
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, name);
      queue.push(next);
    }
  }
  return undefined;
}

function memberTo(end: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const cyclePath = [end];
  for (let name = cameFrom.get(end); name !== undefined; name = cameFrom.get(name)) cyclePath.push(name);
  return cyclePath.reverse();
}
