import { resolve } from "node:path";
import { type CatalogueEntry, catalogue } from "../../diagnostics/catalogue.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { findCursor } from "../../language/cursor.ts";
import { findSchemas } from "../../load/schema-tree.ts";
import type { ReferenceEntry } from "../../model/reference.ts";
import { placeInSchema } from "./completion.ts";
import type { EditorPlace, ProjectNames } from "./names.ts";

/** What `gate-sync explain` says of what is at a place: of a key, or of a code, in the texts that it has. */
export interface PlaceExplanation {
  readonly start: number;
  readonly end: number;
  readonly entry: ReferenceEntry;
}

export function explainPlace(
  names: ProjectNames,
  diagnostics: readonly Diagnostic[],
  place: EditorPlace,
): readonly PlaceExplanation[] {
  return [
    ...explainComment(place),
    ...explainKey(names, place),
    ...diagnostics.flatMap(({ code, range }) =>
      range &&
      range.file.text === place.text &&
      resolve(names.folder, range.file.path) === place.absolute &&
      range.start <= place.offset &&
      place.offset <= range.end
        ? [{ start: range.start, end: range.end, entry: explainCode(code, catalogue[code]) }]
        : [],
    ),
  ];
}

function explainCode(name: string, { title, why, fix }: CatalogueEntry): ReferenceEntry {
  return { group: "codes", name, title, facts: { why, fix } };
}

const codes: ReadonlyMap<string, CatalogueEntry> = new Map(Object.entries(catalogue));

/** A code that a comment silences. */
function explainComment({ text, offset }: EditorPlace): readonly PlaceExplanation[] {
  const word = findWord(text, offset);
  const before = text.slice(text.lastIndexOf("\n", word.start) + 1, word.start);
  const known = /#\s*gate-sync-ignore\s+$/.test(before) ? codes.get(word.text) : undefined;
  return known ? [{ ...word, entry: explainCode(word.text, known) }] : [];
}

function explainKey(names: ProjectNames, { absolute, text, offset }: EditorPlace): readonly PlaceExplanation[] {
  const word = findWord(text, offset);
  if (word.text === "" || !/^["']?\s*:(\s|$)/.test(text.slice(word.end, word.end + 8))) return [];
  const cursor = findCursor(text, word.end);
  if (!cursor || cursor.isBehindKey || cursor.word !== word.text) return [];
  const { schema, path } = placeInSchema(cursor, absolute, names);
  // A lint rule is a key of gate-sync.yaml.
  const rule = schema === "gate-sync" && path.at(-1) === "lint" ? codes.get(word.text) : undefined;
  if (rule) return [{ ...word, entry: explainCode(word.text, rule) }];
  const isOwn = findSchemas(schema, path).some(({ properties = {} }) => Object.hasOwn(properties, word.text));
  const found = isOwn ? findSchemas(schema, [...path, word.text]) : [];
  const title = found.find(({ description }) => description !== undefined)?.description;
  if (title === undefined) return [];
  const values = found.flatMap(({ enum: some = [] }) => some.map(String));
  const byDefault = found.find((one) => one.default !== undefined)?.default;
  const facts = {
    ...(values.length > 0 && { values: values.join(", ") }),
    ...(byDefault !== undefined && { default: JSON.stringify(byDefault) }),
  };
  return [{ ...word, entry: { group: "keys", name: word.text, title, facts } }];
}

function findWord(
  text: string,
  offset: number,
): { readonly text: string; readonly start: number; readonly end: number } {
  let [start, end] = [offset, offset];
  while (/[\w-]/.test(text.charAt(start - 1))) start--;
  while (/[\w-]/.test(text.charAt(end))) end++;
  return { text: text.slice(start, end), start, end };
}
