// Why an entry is left, and what of it differs.
import { formatLocation, type SourceRange } from "../../diagnostics/source.ts";
import type { KeptField } from "../../edit/entry-edits.ts";
import { factsOf } from "../../families/index.ts";
import { type Fields, isEqual } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import { isResourceFamily } from "../../model/names.ts";
import type { Node } from "../../model/node.ts";
import { type EntryInFile, findOverride } from "./declared.ts";

export function describeOrigin(base: EntryInFile | undefined): string {
  const item = base?.entry.keyRange.generatedFor;
  return item
    ? `it is generated, for the item at ${formatLocation(item)}`
    : "it is not written where it is declared: it comes from a variable, an alias or a merge key";
}

export function describeKept(kept: readonly KeptField[]): string {
  return kept.map(({ field, why }) => `${field}: ${why}`).join("; ");
}

export function findKeptRange(
  [first]: readonly KeptField[],
  base: EntryInFile,
  override: EntryInFile | undefined,
): SourceRange | undefined {
  const inField = [override, base].flatMap((one) =>
    one?.place && first ? findOverride(one.place.node, first.field) : [],
  );
  return inField[0]?.keyRange;
}

/** The innermost key on a path that is written there. */
export function findRange(node: Node | undefined, [name, ...rest]: readonly string[]): SourceRange | undefined {
  const [entry] = node && name !== undefined ? findOverride(node, name) : [];
  return entry && (findRange(entry.value, rest) ?? entry.keyRange);
}

/** Fields as they are on the server, where they differ. */
export function listWanted({ family, before = {}, after = {} }: Change): Fields {
  if (!isResourceFamily(family)) return {};
  const names = Object.keys(factsOf[family].fields).filter((name) => !isEqual(before[name], after[name]));
  return Object.fromEntries(names.map((name) => [name, before[name] ?? null]));
}
