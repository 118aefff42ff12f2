import { createSourceFile } from "../diagnostics/source.ts";
import { findMapEntry, type Node } from "../model/node.ts";
import type { Variables } from "../model/target.ts";

/** What `--var` gives has no place in any file. */
const commandLine = createSourceFile("--var", "");

/** Those of the command line: texts. */
export function readGivenVariables(given: Readonly<Record<string, string>> = {}): Variables {
  const place = { file: commandLine, start: 0, end: 0 };
  return new Map(Object.entries(given).map(([name, value]) => [name, { ...place, kind: "scalar", value }]));
}

/** Whether it is defined in a file. */
export function hasPlace(variable: Node): boolean {
  return variable.file !== commandLine;
}

/** Of `team.indices` the variable that has the value: of that name, or else `team`, or else undefined. */
export function findHolder(name: string, names: { has(name: string): boolean }): string | undefined {
  return [name, ...listPrefixes(name)].find((one) => names.has(one));
}

/** The value of `team.indices`: of the variable of that name, or what `indices` is in the map `team`. */
export function findVariable(name: string, variables: Variables): Node | undefined {
  const owner = findHolder(name, variables);
  const value = owner === undefined ? undefined : variables.get(owner);
  return value && owner !== undefined && owner !== name ? findBelow(value, name.slice(owner.length + 1)) : value;
}

/** What a path of keys leads to: a key may have dots, too. */
export function findBelow(node: Node, path: string): Node | undefined {
  if (node.kind !== "map") return undefined;
  const whole = findMapEntry(node, path);
  if (whole) return whole.value;
  const members = new Map(node.entries.map(({ key, value }) => [key, value]));
  const owner = findHolder(path, members);
  const value = owner === undefined ? undefined : members.get(owner);
  return value && owner !== undefined && owner !== path ? findBelow(value, path.slice(owner.length + 1)) : value;
}

/** `a.b`, `a` of `a.b.c`. */
function listPrefixes(name: string): readonly string[] {
  const parts = name.split(".");
  return parts.slice(1).map((_, at) => parts.slice(0, -1 - at).join("."));
}

/** All names by which a value can be referred to, maps taken apart: for suggestions. */
export function listVariableNames(variables: Variables): readonly string[] {
  const below = (name: string, node: Node): readonly string[] =>
    node.kind === "map" ? [name, ...node.entries.flatMap(({ key, value }) => below(`${name}.${key}`, value))] : [name];
  return [...variables].flatMap(([name, node]) => below(name, node));
}
