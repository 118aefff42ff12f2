import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import type { MapEntry } from "../model/node.ts";
import type { Repository } from "../model/repository.ts";

/** Messages about an entry that is overridden name both places. */
export function addOverridePlaces(
  diagnostics: readonly Diagnostic[],
  { overridden }: Repository,
): readonly Diagnostic[] {
  if (!overridden || overridden.length === 0) return diagnostics;
  return diagnostics.map((found) => {
    const { range, related = [] } = found;
    if (!range) return found;
    const also = overridden.flatMap(({ base, by }) =>
      isWithinRange(range, by)
        ? [{ range: startOf(base), what: "what is overridden is declared here" }]
        : isWithinRange(range, base)
          ? [{ range: startOf(by), what: "overridden here" }]
          : [],
    );
    const added = also.filter((one) => !related.some((other) => isWithinRange(other.range, one.range)));
    return added.length === 0 ? found : { ...found, related: [...related, ...added] };
  });
}

function isWithinRange(inner: SourceRange, { file, start, end }: SourceRange): boolean {
  return inner.file === file && start <= inner.start && inner.end <= end;
}

/** An entry has many lines, and its first names it. */
function startOf({ file, start }: SourceRange): SourceRange {
  const end = file.text.indexOf("\n", start);
  return { file, start, end: end === -1 ? file.text.length : end };
}

/** From its name to the end of its value. */
export function getEntryRange({ keyRange, value }: MapEntry): SourceRange {
  return { file: keyRange.file, start: keyRange.start, end: Math.max(keyRange.end, value.end) };
}
