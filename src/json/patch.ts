// The adapter of fast-json-patch, which finds the edits (RFC 6902) between two values.
import fastJsonPatch from "fast-json-patch";
import { compareByCodeUnit } from "./canonical.ts";
import { fromPointer, getValueAt, toPointer } from "./pointer.ts";
import { Secret } from "./secret.ts";
import { type Fields, holdsSecret, isList, isObject, isText, toComparable, type Value } from "./value.ts";

/** One field-level difference; `before` is absent where something appears, `after` where it goes. */
export interface Edit {
  readonly path: readonly string[];
  readonly before?: Value;
  readonly after?: Value;
}

/** The edits that lead from one object to the other, by place in code-unit order. */
export function findEdits(before: Fields, after: Fields): readonly Edit[] {
  const appearing = Object.keys(before).length === 0;
  if (appearing || Object.keys(after).length === 0) {
    const names = Object.keys(appearing ? after : before).sort();
    return names.map((name) => edit([name], getValueAt(before, [name]), getValueAt(after, [name])));
  }
  const [was, is] = holdsSecret(before) || holdsSecret(after) ? hideSecrets(before, after) : [before, after];
  const operations = fastJsonPatch.compare(was as object, is as object);
  const edits = new Map<string, Edit>();
  for (const operation of operations) {
    const path = throughLists(before, fromPointer(operation.path));
    edits.set(toPointer(path), edit(path, getValueAt(before, path), getValueAt(after, path)));
  }
  return [...edits].sort(([a], [b]) => compareByCodeUnit(a, b)).map(([, found]) => found);
}

/** The object with the edits made, none of them inside a list; the one handed in stays as it is. */
export function applyEdits(value: Fields, edits: readonly Edit[]): Fields {
  return edits.reduce((whole, { path, after }) => withValueAt(whole, path, after), value);
}

function withValueAt(value: Fields, [token = "", ...rest]: readonly string[], after: Value | undefined): Fields {
  if (rest.length > 0) {
    const inner = getValueAt(value, [token]);
    return { ...value, [token]: withValueAt(isObject(inner) ? inner : {}, rest, after) };
  }
  if (after !== undefined) return { ...value, [token]: after };
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== token));
}

function edit(path: readonly string[], before: Value | undefined, after: Value | undefined): Edit {
  return { path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

/** A list is changed as a whole: positions inside it mean nothing to a reader, and move. */
function throughLists(root: Fields, path: readonly string[]): readonly string[] {
  let value: Value | undefined = root;
  for (let depth = 0; depth < path.length; depth++) {
    if (isList(value)) return path.slice(0, depth);
    value = isObject(value) ? value[path[depth] as string] : undefined;
  }
  return path;
}

/** fast-json-patch knows plain JSON only: a secret goes through it as a token, equal texts as the same one. */
function hideSecrets(before: Fields, after: Fields): readonly [Value, Value] {
  const texts = new Set<string>();
  collectTexts(before, texts);
  collectTexts(after, texts);
  const tokens = new Map([...texts].map((text, at) => [text, `\u0000secret ${at}`]));
  const hide = (value: Value): Value =>
    isText(value) ? (tokens.get(toComparable(value)) ?? escaped(value)) : mapChildren(value, hide);
  return [hide(before), hide(after)];
}

function collectTexts(value: Value, found: Set<string>): void {
  if (value instanceof Secret) found.add(toComparable(value));
  else if (isList(value)) for (const child of value) collectTexts(child, found);
  else if (isObject(value)) for (const child of Object.values(value)) collectTexts(child, found);
}

/** So that no plain text is ever taken for a token. */
function escaped(value: string | Secret): Value {
  return typeof value === "string" && value.startsWith("\u0000") ? `\u0000${value}` : value;
}

function mapChildren(value: Value, change: (child: Value) => Value): Value {
  if (isList(value)) return value.map(change);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, change(child)]));
  return value;
}
