import { RunError } from "../diagnostics/failure.ts";
import { formatLocation, type SourceRange } from "../diagnostics/source.ts";
import { getNoun } from "../families/index.ts";
import { findSame, type Occurrence } from "./occurrences.ts";

/** What replaces a stretch of a file. */
export interface PlacedText {
  readonly place: SourceRange;
  readonly text: string;
}

/**
 * The name everywhere in another form. A role and its mapping are renamed together.
 *
 * @throws RunError `refused` where the result would not be the same state under another name
 */
export function editNameEverywhere(
  all: readonly Occurrence[],
  { family, name }: Occurrence,
  to: string,
): readonly PlacedText[] {
  const same = findSame(all, { family, name });
  const noun = getNoun(family);
  if (!same.some(({ as }) => as === "entry")) {
    throw refuse(`No file declares the ${noun} ${JSON.stringify(name)}.`, "Only what files declare can be renamed.");
  }
  // What is only named would mean this entry from then on.
  const [taken] = findSame(all, { family, name: to });
  if (taken && to !== name) {
    throw refuse(`There is ${JSON.stringify(to)} already, at ${formatLocation(taken.place)}.`, "Choose another name.");
  }
  if (to.trim() === "" || /[\p{Cc}\p{Zl}\p{Zp}]|\$\{/u.test(to)) {
    throw refuse(`${JSON.stringify(to)} is no name.`, "Choose one without line breaks and references.");
  }
  const known = new Set<string>();
  return same.flatMap(({ place }) => {
    const key = `${place.start} ${place.file.path}`;
    if (known.has(key)) return [];
    known.add(key);
    const text = writeLike(place, name, to);
    if (text !== undefined) return [{ place, text }];
    throw refuse(
      `At ${formatLocation(place)} the name is made of something else than its own characters.`,
      "Rename it there, and where that comes from, by hand.",
    );
  });
}

/** In the quotes that are there; undefined where the name itself is not written. */
function writeLike({ file, start, end, generatedFor }: SourceRange, name: string, to: string): string | undefined {
  const source = file.text.slice(start, end);
  if (generatedFor) return undefined;
  if (source === name) return isPlain(to) ? to : JSON.stringify(to);
  if (source === `'${name.replaceAll("'", "''")}'`) return `'${to.replaceAll("'", "''")}'`;
  return source.startsWith('"') && source === JSON.stringify(name) ? JSON.stringify(to) : undefined;
}

/** Without quotes YAML reads it as this string. */
function isPlain(text: string): boolean {
  return /^[A-Za-z_][\w.-]*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text);
}

function refuse(what: string, fix: string): RunError {
  return new RunError("refused", { what, fix });
}
