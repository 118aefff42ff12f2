import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { getScalarSource, type MapEntry, type MapNode, type Node } from "../model/node.ts";
import { createConditionMessage, createSameNameMessage, createTooManyMessage } from "./generator-messages.ts";
import type { Item } from "./items.ts";
import { compileEntry, compileNode, type Generation, type Make, mayRefer, withItem } from "./template.ts";

/** What one generator may make, in values. */
const mostValues = 5_000_000;

/**
 * One entry for each item and template whose condition holds.
 *
 * @param template families, and `when`; variables in it are replaced
 * @param as how its references call an item
 */
export function expandTemplates(
  template: MapNode,
  as: string,
  items: readonly Item[],
): { readonly root: MapNode; readonly diagnostics: readonly Diagnostic[] } {
  const run: Generation = { as, left: mostValues, diagnostics: [] };
  const condition = compileCondition(template, run);
  const wanted = condition ? items.filter((item) => condition(item) === true) : items;
  const families = template.entries.filter(({ key }) => key !== "when");
  const entries = families.flatMap((family): readonly MapEntry[] => {
    if (family.value.kind !== "map") return [];
    const made = generateEntries(family.value, wanted, run);
    return made.length > 0 ? [{ ...family, value: { ...family.value, entries: made } }] : [];
  });
  if (run.left < 0) run.diagnostics.push(createTooManyMessage(template, mostValues));
  return { root: { ...template, entries }, diagnostics: run.diagnostics };
}

/** For each item all templates, in their order. */
function generateEntries({ entries }: MapNode, items: readonly Item[], run: Generation): readonly MapEntry[] {
  const templates = entries.map((entry) => ({
    make: compileEntry(withoutCondition(entry), run),
    condition: compileCondition(entry.value, run),
    isFixed: !mayRefer(entry.key),
  }));
  const made = new Map<string, MapEntry>();
  for (const item of items) {
    for (const { make, condition, isFixed } of templates) {
      if (run.left < 0) return [];
      if (condition && condition(item) !== true) continue;
      const entry = make(item);
      if (!entry) continue;
      const { key, keyRange } = entry;
      const first = made.get(key);
      if (first) run.diagnostics.push(createSameNameMessage(keyRange, key, first.keyRange, isFixed));
      else made.set(key, entry);
    }
  }
  return [...made.values()];
}

function withoutCondition(entry: MapEntry): MapEntry {
  if (entry.value.kind !== "map") return entry;
  return { ...entry, value: { ...entry.value, entries: entry.value.entries.filter(({ key }) => key !== "when") } };
}

/** The value of `when`; undefined where there is none. Cells of CSV are strings. */
function compileCondition(body: Node, run: Generation): Make<boolean> | undefined {
  const when = body.kind === "map" ? body.entries.find(({ key }) => key === "when")?.value : undefined;
  if (!when) return undefined;
  const make = compileNode(when, run);
  return (item) => {
    const made = make(item);
    if (!made) return undefined;
    const value = made.kind === "scalar" ? made.value : undefined;
    if (typeof value === "boolean") return value;
    if (value === "true" || value === "false") return value === "true";
    const shown = made.kind === "scalar" ? JSON.stringify(getScalarSource(made)) : `a ${made.kind}`;
    run.diagnostics.push(createConditionMessage(withItem(when, item), shown));
    return undefined;
  };
}
