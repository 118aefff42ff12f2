import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile, SourceRange } from "../diagnostics/source.ts";
import { findFirstIndex } from "../json/collections.ts";
import type { MapEntry } from "../model/node.ts";
import type { Overridden, Repository } from "../model/repository.ts";
import { addItemPlaces } from "./item-places.ts";

/** Messages about an entry that is overridden, or generated, name all of its places. */
export function addEntryPlaces(diagnostics: readonly Diagnostic[], repository: Repository): readonly Diagnostic[] {
  return addItemPlaces(addOverridePlaces(diagnostics, repository));
}

/** Messages about an entry that is overridden name both places. */
function addOverridePlaces(diagnostics: readonly Diagnostic[], { overridden }: Repository): readonly Diagnostic[] {
  if (!overridden || overridden.length === 0 || diagnostics.length === 0) return diagnostics;
  const findOthers = indexOthers(overridden);
  return diagnostics.map((found) => {
    const { range, related = [] } = found;
    const others = range ? findOthers(range) : [];
    const added = others.filter(({ whole }) => !related.some((one) => isWithinRange(one.range, whole)));
    if (added.length === 0) return found;
    return { ...found, related: [...related, ...added.map(({ whole, what }) => ({ range: startOf(whole), what }))] };
  });
}

/** Where the other part of what a range is within is. */
interface Other {
  readonly own: SourceRange;
  readonly whole: SourceRange;
  readonly what: string;
}

/** Entries of one file do not overlap, and there may be thousands of them. */
function indexOthers(overridden: readonly Overridden[]): (range: SourceRange) => readonly Other[] {
  const byFile = new Map<SourceFile, Other[]>();
  const add = (other: Other): void => {
    const others = byFile.get(other.own.file);
    if (others) others.push(other);
    else byFile.set(other.own.file, [other]);
  };
  for (const { base, by } of overridden) {
    add({ own: by, whole: base, what: "what is overridden is declared here" });
    add({ own: base, whole: by, what: "overridden here" });
  }
  for (const others of byFile.values()) others.sort((a, b) => a.own.start - b.own.start);
  return (range) => {
    const others = byFile.get(range.file) ?? [];
    const from = findFirstIndex(others, ({ own }) => own.start > range.start) - 1;
    const start = others[from]?.own.start;
    const first = findFirstIndex(others, ({ own }) => start !== undefined && own.start >= start);
    const isOwn = ({ own }: Other) => isWithinRange(range, own) && range.generatedFor === own.generatedFor;
    return others.slice(first, from + 1).filter(isOwn);
  };
}

function isWithinRange(inner: SourceRange, { file, start, end }: SourceRange): boolean {
  return inner.file === file && start <= inner.start && inner.end <= end;
}

/** An entry has many lines, and its first names it. */
function startOf(range: SourceRange): SourceRange {
  const { file, start } = range;
  const end = file.text.indexOf("\n", start);
  return { ...range, end: end === -1 ? file.text.length : end };
}

/** From its name to the end of its value. */
export function getEntryRange({ keyRange, value }: MapEntry): SourceRange {
  return { ...keyRange, end: Math.max(keyRange.end, value.end) };
}
