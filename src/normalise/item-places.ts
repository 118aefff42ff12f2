import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { formatLocation, type SourceRange } from "../diagnostics/source.ts";

/** Items that a message about a template names, one by one. */
const mostNamed = 3;

/**
 * Messages about what is generated are at the template, one for each place and code, and name the items: what is wrong with
 * a template is wrong for all of them.
 */
export function addItemPlaces(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const groups = new Map<string, Diagnostic[]>();
  const all: Diagnostic[][] = [];
  for (const found of diagnostics) {
    const { code, severity, range } = found;
    const key = range?.generatedFor && `${code} ${severity} ${range.start} ${range.end} ${range.file.path}`;
    const group = key === undefined ? undefined : groups.get(key);
    if (group) {
      group.push(found);
      continue;
    }
    const alone = [found];
    all.push(alone);
    if (key !== undefined) groups.set(key, alone);
  }
  return all.flatMap((group) => combine(distinct(group)).map(nameItems));
}

function combine([first, ...others]: readonly Diagnostic[]): readonly Diagnostic[] {
  if (!first?.range?.generatedFor) return first ? [first] : [];
  const itemOf = ({ range }: Diagnostic, what: string) =>
    range?.generatedFor ? [{ range: range.generatedFor, what }] : [];
  const named = others.slice(0, mostNamed - 1);
  const next = others[named.length];
  const more = others.length - named.length - 1;
  const items = [
    ...itemOf(first, "generated for this item"),
    ...named.flatMap((one) => itemOf(one, one.what === first.what ? "the same for this item" : one.what)),
    ...(next ? itemOf(next, more === 0 ? "the same for this item" : `the same for this item and ${more} more`) : []),
  ];
  return [{ ...first, range: withoutItem(first.range), related: [...items, ...(first.related ?? [])] }];
}

/** The first of each item, in the order of these. */
function distinct(group: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<unknown>();
  const startOf = ({ range }: Diagnostic) => range?.generatedFor?.start ?? 0;
  const sorted = group.toSorted((one, other) => startOf(one) - startOf(other));
  return sorted.filter(({ range }) => !seen.has(range?.generatedFor) && seen.add(range?.generatedFor));
}

/** Other places that are generated name their items in words. */
function nameItems(found: Diagnostic): Diagnostic {
  if (!found.related?.some(({ range }) => range.generatedFor)) return found;
  const related = found.related.map(({ range, what }) =>
    range.generatedFor
      ? { range: withoutItem(range), what: `${what}, generated for ${formatLocation(range.generatedFor)}` }
      : { range, what },
  );
  return { ...found, related };
}

function withoutItem({ file, start, end }: SourceRange): SourceRange {
  return { file, start, end };
}
