import { findCycles } from "../json/graph.ts";
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
  const vars = findMapEntry(settings, "vars")?.value;
  const own = vars?.kind === "map" ? vars.entries.map(({ key, value }) => [key, value] as const) : [];
  const done = new Map(readGivenVariables(given));
  const written = new Map([...own, ...done]);
  const needs = (name: string): readonly string[] => {
    const node = done.has(name) ? undefined : written.get(name);
    const names = node ? listNeeded(node) : [];
    return names.flatMap((one) => findHolder(one, written) ?? []);
  };
  for (const { cycle } of findCycles(written.keys(), needs)) {
    const [name = ""] = cycle;
    reader(written).fail(explainCycle([...cycle, name]), ["vars", name]);
  }
  const visit = (name: string): void => {
    const node = written.get(name);
    if (node === undefined || done.has(name)) return;
    for (const other of needs(name)) visit(other);
    // All others stay in sight, so that a misspelt name finds its neighbour.
    done.set(name, reader(new Map([...written, ...done])).publicNode(node, ["vars", name]));
  };
  for (const name of written.keys()) visit(name);
  return new Map([...written.keys()].map((name) => [name, done.get(name) ?? (written.get(name) as Node)]));
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
      what: `These variables refer to each other in a ring: ${names.join(" > ")}.`,
      why: "None of them ever gets a value.",
      fix: "Give one of them a value of its own.",
    },
  } as const;
}
