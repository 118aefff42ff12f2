import { findCycles } from "../json/graph.ts";
import { listVariables } from "./reference-text.ts";
import type { SettingReader } from "./setting.ts";

type Vars = Readonly<Record<string, string>>;

/**
 * The variables of a target with the references in them replaced, each after those that it refers to.
 *
 * @param reader reads a setting with the variables it is given
 * @param given by the command line, before those of the target; used unchanged
 * @throws RunError `invalid` for a reference that cannot be replaced, and for variables that refer to each other in a
 * cycle
 */
export function resolveTargetVars(own: Vars, given: Vars, reader: (vars: Vars) => SettingReader): Vars {
  const done = new Map(Object.entries(given));
  const written = { ...own, ...given };
  const needs = (name: string) =>
    done.has(name) || !Object.hasOwn(written, name) ? [] : listVariables(written[name] as string);
  for (const { cycle } of findCycles(Object.keys(written), needs)) {
    const [name = ""] = cycle;
    reader(written).fail(explainCycle([...cycle, name]), ["vars", name]);
  }
  const visit = (name: string): void => {
    const text = Object.hasOwn(written, name) ? written[name] : undefined;
    if (text === undefined || done.has(name)) return;
    const needed = listVariables(text);
    for (const other of needed) visit(other);
    // All others stay in sight, so that a misspelt name finds its neighbour.
    const vars = needed.length === 0 ? written : { ...written, ...Object.fromEntries(done) };
    done.set(name, reader(vars).publicText(text, ["vars", name]));
  };
  for (const name of Object.keys(written)) visit(name);
  return Object.fromEntries(Object.keys(written).map((name) => [name, done.get(name) ?? ""]));
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
