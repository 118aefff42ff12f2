import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { Secret } from "../json/secret.ts";
import { getWrittenText, type MapEntry, type Node, type ScalarNode } from "../model/node.ts";
import { type Lookups, type ReferenceProblem, resolveText } from "./reference-text.ts";
import { findWholeVariable } from "./whole-reference.ts";

/** What variables may add to a document, or to all variables of a target, in values counted as often as they appear. */
export const variableLimit = 1_000_000;

/** How many values variables may still add. */
export interface VariableBudget {
  left: number;
}

/** The tree with every reference replaced; what has none stays the same object. */
export function resolveReferences(
  root: Node,
  lookups: Lookups,
  budget: VariableBudget = { left: variableLimit },
): { readonly node: Node; readonly diagnostics: readonly Diagnostic[] } {
  // Aliases share nodes: each is resolved and complained about once.
  const done = new Map<Node, Node>();
  const diagnostics: Diagnostic[] = [];
  const visit = (node: Node): Node => {
    // Of a million nodes nearly all are such.
    if (node.kind === "scalar" && !mayRefer(node)) return node;
    const known = done.get(node);
    if (known) return known;
    const before = diagnostics.length;
    const resolved = resolveNode(node, { lookups, budget, visit, diagnostics });
    if (resolved !== node || diagnostics.length > before) done.set(node, resolved);
    return resolved;
  };
  return { node: visit(root), diagnostics };
}

/** The place of a problem: the reference itself where it can be found in what was written. */
export function locateProblem(problem: ReferenceProblem, range: SourceRange): Diagnostic {
  const at = range.file.text.indexOf(problem.reference, range.start);
  const found = at !== -1 && at < range.end;
  const place = found ? { ...range, start: at, end: at + problem.reference.length } : range;
  return createDiagnostic(place, problem.code, problem.userMessage);
}

interface Walk {
  readonly lookups: Lookups;
  readonly budget: VariableBudget;
  readonly visit: (node: Node) => Node;
  readonly diagnostics: Diagnostic[];
}

function resolveNode(node: Node, walk: Walk): Node {
  const { lookups, visit, diagnostics } = walk;
  switch (node.kind) {
    case "scalar": {
      if (!mayRefer(node)) return node;
      const variable = findWholeVariable(node.value, lookups.vars);
      if (variable) return useVariable(variable, node, walk);
      const { value, problems, isDefault } = resolveText(node.value, lookups);
      for (const problem of problems) diagnostics.push(locateProblem(problem, node));
      return value === node.value ? node : { ...node, value, ...(isDefault && { isDefault }) };
    }
    case "list": {
      const items = mapped(node.items, visit);
      return items === node.items
        ? node
        : { ...node, items: items.flatMap((item, at) => spread(item, node.items[at])) };
    }
    case "map": {
      const entries = mapped(node.entries, (entry) => resolveEntry(entry, lookups, visit, diagnostics));
      if (entries === node.entries) return node;
      return { ...node, entries: uniqueEntries(entries, diagnostics) };
    }
  }
}

/** A variable that is a list, in a list: its items are among the others. */
function spread(item: Node, written: Node | undefined): readonly Node[] {
  return item.kind === "list" && written?.kind === "scalar" ? item.items : [item];
}

/** The value of a variable at its reference. Once too much was added, nothing more is, and one message says so. */
function useVariable(variable: Node, node: ScalarNode, { budget, diagnostics }: Walk): Node {
  const wasFull = budget.left < 0;
  const { file, start, end } = node;
  const value = moveTo(variable, { file, start, end }, budget);
  if (budget.left >= 0) return value;
  if (!wasFull) diagnostics.push(createDiagnostic(node, "large-variables", explainFull()));
  return node;
}

function explainFull(): Pick<Diagnostic, "what" | "why" | "fix"> {
  return {
    what: `The variables used up to here expand to more than ${variableLimit.toLocaleString("en")} values.`,
    why: "Variables of variables multiply, and a long list counts once for each use.",
    fix: "Refer to shorter lists, or to a pattern that covers them.",
  };
}

/** The value of a variable is, for messages, where it is used. */
function moveTo(node: Node, place: SourceRange, budget: VariableBudget): Node {
  budget.left--;
  if (budget.left < 0) return node;
  switch (node.kind) {
    case "scalar":
      return { ...node, ...place, shown: getWrittenText(node) };
    case "list":
      return { ...node, ...place, items: node.items.map((item) => moveTo(item, place, budget)) };
    case "map":
      return {
        ...node,
        ...place,
        entries: node.entries.map(({ key, value }) => ({ key, keyRange: place, value: moveTo(value, place, budget) })),
      };
  }
}

function mayRefer(node: ScalarNode): node is ScalarNode & { readonly value: string } {
  return typeof node.value === "string" && node.value.includes("${");
}

/** The list with each item changed; the list itself where every item stays. */
function mapped<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  let index = 0;
  for (const item of items) {
    const changed = change(item);
    if (changed !== item) return [...items.slice(0, index), changed, ...items.slice(index + 1).map(change)];
    index++;
  }
  return items;
}

function resolveEntry(
  entry: MapEntry,
  lookups: Lookups,
  visit: (node: Node) => Node,
  diagnostics: Diagnostic[],
): MapEntry {
  const value = visit(entry.value);
  const key = entry.key.includes("${") ? resolveKey(entry, lookups, diagnostics) : entry.key;
  return value === entry.value && key === entry.key ? entry : { ...entry, key, value };
}

function resolveKey({ key, keyRange }: MapEntry, lookups: Lookups, diagnostics: Diagnostic[]): string {
  // A secret in a key is refused whatever its value, so nothing needs to be looked up.
  const { value, problems } = resolveText(key, { ...lookups, secrets: "leave" });
  for (const problem of problems) diagnostics.push(locateProblem(problem, keyRange));
  if (!(value instanceof Secret)) return value;
  diagnostics.push(
    createDiagnostic(keyRange, "secret-in-name", {
      what: `The name "${key}" holds a secret.`,
      why: "Names are shown in plans and logs and are part of the addresses on the server.",
      fix: `Use \${var:NAME} with the target's vars, which are public.`,
    }),
  );
  return key;
}

/** Two keys may become one only when their variables are replaced. */
function uniqueEntries(entries: readonly MapEntry[], diagnostics: Diagnostic[]): MapEntry[] {
  const unique = new Map<string, MapEntry>();
  for (const entry of entries) {
    const first = unique.get(entry.key);
    if (!first) {
      unique.set(entry.key, entry);
      continue;
    }
    diagnostics.push(
      createDiagnostic(entry.keyRange, "duplicate-key", {
        what: `With its variables replaced, the key "${entry.key}" is twice in the same map.`,
        why: "Only one of the two could count.",
        fix: "Keep one of the two, or give the variables different values.",
        related: [{ range: first.keyRange, what: `"${entry.key}" is here first` }],
      }),
    );
  }
  return [...unique.values()];
}
