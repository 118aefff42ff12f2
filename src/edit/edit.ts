// YAML files edited in place: comments, order, anchors, quotes, line breaks and every other byte stay.
import { isError } from "../diagnostics/diagnostic.ts";
import { createSourceFile } from "../diagnostics/source.ts";
import { isEqual, isList, isObject, type Json, type Value } from "../json/value.ts";
import { parseDocuments, parseLayout } from "../load/yaml.ts";
import { toValue } from "../model/node.ts";
import { editDocument, type Wanted } from "./edit-nodes.ts";
import type { Text } from "./edit-text.ts";
import { NotEditable } from "./not-editable.ts";
import { applyTextEdits, findLineBreak } from "./text-edits.ts";

/** A value that is to be somewhere in a file. */
export interface YamlEdit {
  /** Of several documents, which, from 0 on; empty ones do not count. */
  readonly document?: number;
  /** Keys from the top down, and positions in lists. */
  readonly path: readonly string[];
  /** As it is written, references and all; absent: what is there is removed. */
  readonly value?: Json;
}

/** The text with the edits made, or why they cannot be: "it cannot be edited in place, because …". */
export type EditedYaml =
  | { readonly text: string; readonly problem?: undefined }
  | { readonly text?: undefined; readonly problem: string };

/**
 * The file with other values. What comes of it was parsed again, and says what was wanted and nothing else.
 *
 * @param text a byte order mark stays
 */
export function editYaml(text: string, edits: readonly YamlEdit[]): EditedYaml {
  const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
  const body = text.slice(mark.length);
  const before = readValues(body);
  if (!before) return { problem: "the file has errors" };
  try {
    const wanted = edits.reduce<readonly Value[]>(applyEdit, before);
    const edited = editText(body, edits, before.length);
    const after = readValues(edited);
    if (!after || !isEqual(after, wanted))
      throw new NotEditable("that would change what other places of the file mean");
    return { text: mark + edited };
  } catch (error) {
    if (error instanceof NotEditable) return { problem: error.message };
    if (error instanceof RangeError) return { problem: "it is nested too deep" };
    throw error;
  }
}

function readValues(text: string): readonly Value[] | undefined {
  const { documents, diagnostics } = parseDocuments(createSourceFile("", text));
  return diagnostics.some(isError) ? undefined : documents.map(toValue);
}

function editText(text: string, edits: readonly YamlEdit[], documents: number): string {
  const layouts = parseLayout(text);
  if (layouts.length !== documents)
    throw new NotEditable("it has documents that gate-sync does not know the layout of");
  const edited: Text = { text, lineBreak: findLineBreak(text), edits: [] };
  for (const [index, wanted] of groupEdits(edits)) {
    const root = layouts[index];
    if (!root) throw new NotEditable("it has no such document");
    editDocument(edited, root, wanted);
  }
  const result = applyTextEdits(text, edited.edits);
  if (result === undefined) throw new NotEditable("two edits are about the same place");
  return result;
}

/** By document, as a tree of what is to be where. */
function groupEdits(edits: readonly YamlEdit[]): ReadonlyMap<number, Wanted> {
  const roots = new Map<number, Mutable>();
  for (const { document = 0, path, value } of edits) {
    const root: Mutable = roots.get(document) ?? { below: new Map() };
    roots.set(document, root);
    let at: Mutable = root;
    for (const key of path) {
      const next: Mutable = at.below.get(key) ?? { below: new Map() };
      at.below.set(key, next);
      at = next;
    }
    at.leaf = value === undefined ? {} : { value };
  }
  return roots;
}

interface Mutable {
  leaf?: { readonly value?: Json };
  readonly below: Map<string, Mutable>;
}

function applyEdit(documents: readonly Value[], { document = 0, path, value }: YamlEdit): readonly Value[] {
  return documents.map((one, index) => (index === document ? withValueAt(one, path, value) : one));
}

function withValueAt(whole: Value | undefined, path: readonly string[], value: Json | undefined): Value {
  const [key, ...rest] = path;
  if (key === undefined) {
    if (value === undefined) throw new NotEditable("a whole document cannot be removed");
    return value;
  }
  if (isList(whole)) {
    const at = Number(key);
    const next = rest.length === 0 ? value : withValueAt(whole[at], rest, value);
    return next === undefined
      ? whole.filter((_, index) => index !== at)
      : [...whole.slice(0, at), next, ...whole.slice(at + 1)];
  }
  if (!isObject(whole) && (whole ?? null) !== null) throw new NotEditable("there is no map where a key is wanted");
  const fields = isObject(whole) ? whole : {};
  if (rest.length === 0 && value === undefined) {
    const { [key]: _, ...others } = fields;
    return others;
  }
  return {
    ...fields,
    [key]:
      rest.length === 0
        ? (value as Json)
        : withValueAt(Object.hasOwn(fields, key) ? fields[key] : undefined, rest, value),
  };
}
