import { formatChain } from "../diagnostics/chain.ts";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { compareByCodeUnit } from "../json/canonical.ts";
import { findCycles } from "../json/graph.ts";
import { isEqual, isList } from "../json/value.ts";
import type { DesiredFamily, DesiredState } from "../model/desired.ts";
import type { LiveFamily, LiveResource, LiveState } from "../model/live.ts";
import { findWrittenPlace } from "./written.ts";

type Group = Pick<LiveResource, "value">;

/** Action groups that contain each other, at the first declared member of each cycle; cycles that share a group once. */
export function findGroupCycles(
  desired: DesiredState,
  live: LiveState | undefined,
  dialect: Dialect,
): readonly Diagnostic[] {
  const declared: DesiredFamily = desired.resources.get("action_groups") ?? new Map();
  const held: LiveFamily = live?.resources.get("action_groups") ?? new Map();
  const groups = new Map<string, Group>([...held, ...declared]);
  // Only from declared groups: cycles of the server's own are no problem of these files, and there may be 100 000.
  const cycles = cyclesFrom([...declared.keys()].sort(compareByCodeUnit), groups);
  return cycles.flatMap((cycle) => {
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

/** Groups that hold themselves, which servers refuse, and cycles of several. */
function cyclesFrom(starts: readonly string[], groups: ReadonlyMap<string, Group>): readonly (readonly string[])[] {
  const heldBy = (name: string): readonly string[] => {
    const members = groups.get(name)?.value.allowed_actions;
    return isList(members)
      ? members.filter((member) => typeof member === "string").filter((member) => groups.has(member))
      : [];
  };
  const alone = starts.filter((name) => heldBy(name).includes(name)).map((name) => [name]);
  const others = findCycles(starts, (name) => heldBy(name).filter((member) => member !== name));
  return [...alone, ...others.map(({ cycle }) => cycle)];
}
