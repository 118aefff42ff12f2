// The adapter of fast-json-patch: it makes the edits (RFC 6902) between two values and applies them.
import fastJsonPatch from "fast-json-patch";
import { compareByCodeUnit } from "./canonical.ts";
import { fromPointer, toPointer } from "./pointer.ts";
import { Secret } from "./secret.ts";
import { type Fields, isList, isObject, isText, toComparable, type Value } from "./value.ts";

/** One field-level difference; `before` is absent where something appears, `after` where it goes. */
export interface Edit {
  readonly path: readonly string[];
  readonly before?: Value;
  readonly after?: Value;
}

/** The edits that lead from one object to the other, by place in code-unit order. */
export function findEdits(before: Fields, after: Fields): readonly Edit[] {
  const redact = new Redact(before, after);
  const operations = fastJsonPatch.compare(redact.hide(before) as object, redact.hide(after) as object);
  const edits = new Map<string, Edit>();
  for (const operation of operations) {
    const path = throughLists(before, fromPointer(operation.path));
    edits.set(toPointer(path), edit(path, getValueAt(before, path), getValueAt(after, path)));
  }
  return [...edits].sort(([a], [b]) => compareByCodeUnit(a, b)).map(([, found]) => found);
}

/** The object with the edits made; the one handed in stays as it is. */
export function applyEdits(value: Fields, edits: readonly Edit[]): Fields {
  const redact = new Redact(value, ...edits.flatMap(({ after }) => (after === undefined ? [] : [after])));
  const operations = edits.map(({ path, after }) =>
    after === undefined
      ? { op: "remove" as const, path: toPointer(path) }
      : { op: "add" as const, path: toPointer(path), value: redact.hide(after) },
  );
  const patched = fastJsonPatch.applyPatch(redact.hide(value), operations, false, false).newDocument;
  return redact.show(patched as Value) as Fields;
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

export function getValueAt(root: Value | undefined, path: readonly string[]): Value | undefined {
  let value = root;
  for (const token of path) {
    if (!isObject(value) || !Object.hasOwn(value, token)) return undefined;
    value = value[token];
  }
  return value;
}

/** fast-json-patch knows plain JSON only: a secret goes through it as a token, equal texts as the same one. */
class Redact {
  readonly #tokens = new Map<string, string>();
  readonly #secrets = new Map<string, Secret>();

  constructor(...values: readonly Value[]) {
    for (const value of values) this.#collect(value);
  }

  hide(value: Value): Value {
    if (isText(value)) return this.#tokens.get(toComparable(value)) ?? escaped(value);
    return mapChildren(value, (child) => this.hide(child));
  }

  show(value: Value): Value {
    if (typeof value === "string") return this.#secrets.get(value) ?? unescaped(value);
    return mapChildren(value, (child) => this.show(child));
  }

  #collect(value: Value): void {
    if (value instanceof Secret) {
      if (this.#tokens.has(value.reveal())) return;
      const token = `\u0000secret ${this.#tokens.size}`;
      this.#tokens.set(value.reveal(), token);
      this.#secrets.set(token, value);
    } else if (isList(value)) {
      for (const child of value) this.#collect(child);
    } else if (isObject(value)) {
      for (const child of Object.values(value)) this.#collect(child);
    }
  }
}

/** So that no plain text is ever taken for a token. */
function escaped(value: string | Secret): Value {
  return typeof value === "string" && value.startsWith("\u0000") ? `\u0000${value}` : value;
}

function unescaped(text: string): string {
  return text.startsWith("\u0000") ? text.slice(1) : text;
}

function mapChildren(value: Value, change: (child: Value) => Value): Value {
  if (isList(value)) return value.map(change);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, change(child)]));
  return value;
}
