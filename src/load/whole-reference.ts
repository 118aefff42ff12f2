import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Node } from "../model/node.ts";
import type { Variables } from "../model/target.ts";
import { findVariable, hasPlace } from "./variables.ts";

/** What is between the braces of `${var:NAME:-default}`. */
interface NameAndDefault {
  readonly name: string;
  readonly fallback?: string;
}

/** As in a shell: the part after `:-` replaces a value that is absent or empty. */
export function readNameAndDefault(rest: string): NameAndDefault {
  const at = rest.indexOf(":-");
  return at === -1 ? { name: rest } : { name: rest.slice(0, at), fallback: rest.slice(at + 2) };
}

/** A default replaces it. */
export function isEmptyVariable(node: Node): boolean {
  return node.kind === "scalar" && (node.value === "" || node.value === null);
}

/** The variable that is the whole of a text, where it is more than a text. */
export function findWholeVariable(text: string, vars: Variables): Node | undefined {
  const { name, fallback } = readWholeReference(text) ?? {};
  const node = name === undefined ? undefined : findVariable(name, vars);
  if (!node || (fallback !== undefined && isEmptyVariable(node))) return undefined;
  return node.kind === "scalar" && typeof node.value === "string" ? undefined : node;
}

function readWholeReference(text: string): NameAndDefault | undefined {
  const [, rest] = /^\$\{var:([^{}]*)\}$/.exec(text) ?? [];
  return rest === undefined ? undefined : readNameAndDefault(rest);
}

/** Messages at a place that is nothing but a variable say where that is defined, too. */
export function addDefinitions(diagnostics: readonly Diagnostic[], vars: Variables): readonly Diagnostic[] {
  if (vars.size === 0) return diagnostics;
  return diagnostics.map((found) => {
    const { range, related = [] } = found;
    const written = range?.file.text.slice(range.start, range.end);
    const name = written && readWholeReference(written.replace(/^(["'])(.*)\1$/s, "$2"))?.name;
    const node = name === undefined ? undefined : findVariable(name, vars);
    if (!node || !hasPlace(node) || related.some((one) => one.range === node)) return found;
    return { ...found, related: [...related, { range: node, what: `"${name}" is defined here` }] };
  });
}
