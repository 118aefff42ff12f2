import { findCycles, sortAfterNext } from "../json/graph.ts";
import { findMapEntry, type Node } from "../model/node.ts";
import type { Variables } from "../model/target.ts";
import { listVariables } from "./reference-text.ts";
import type { SettingReader } from "./setting.ts";
import type { TargetSettings } from "./target-settings.ts";
import { findHolder, readGivenVariables } from "./variables.ts";

/**
 * The variables of a target with the references in them replaced, each after those that it refers to.
 *
 * @param given by the command line, before those of the target; used unchanged
 * @param reader reads a setting with the variables it is given
 * @throws RunError `invalid` for a reference that cannot be replaced, and for variables that refer to each other in a
 * cycle
 */
export function resolveTargetVars(
  settings: TargetSettings | undefined,
  given: Readonly<Record<string, string>> | undefined,
  reader: (vars: Variables) => SettingReader,
): Variables {
  const stated = findMapEntry(settings, "vars")?.value;
  const own = stated?.kind === "map" ? stated.entries.map(({ key, value }) => [key, value] as const) : [];
  const fromFlags = readGivenVariables(given);
  // All stay in sight while each gets its value, so that a misspelt name finds its neighbour.
  const vars = new Map([...own, ...fromFlags]);
  const read = reader(vars);
  const needs = (name: string): readonly string[] => {
    const node = fromFlags.has(name) ? undefined : vars.get(name);
    return node ? listNeeded(node).flatMap((one) => findHolder(one, vars) ?? []) : [];
  };
  for (const { cycle } of findCycles(vars.keys(), needs)) {
    const [name = ""] = cycle;
    read.fail(explainCycle([...cycle, name]), ["vars", name]);
  }
  for (const name of sortAfterNext(vars.keys(), needs)) {
    const node = vars.get(name);
    if (node && !fromFlags.has(name)) vars.set(name, read.publicNode(node, ["vars", name]));
  }
  return vars;
}

/** The variables that a value refers to. */
function listNeeded(node: Node): readonly string[] {
  switch (node.kind) {
    case "scalar":
      return typeof node.value === "string" ? listVariables(node.value) : [];
    case "list":
      return node.items.flatMap(listNeeded);
    case "map":
      return node.entries.flatMap(({ key, value }) => [...listVariables(key), ...listNeeded(value)]);
  }
}

function explainCycle(names: readonly string[]) {
  return {
    code: "unknown-variable",
    userMessage: {
      what: `These variables refer to each other in a cycle: ${names.join(" > ")}.`,
      why: "None of them ever gets a value.",
      fix: "Give one of them a value of its own.",
    },
  } as const;
}
