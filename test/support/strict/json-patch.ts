import type { Json } from "../../../src/json/value.ts";
import { isArray, isMap, type Members, member, same, setMember } from "./json.ts";
import { Refusal, undocumented } from "./refusal.ts";

/** One element of a JSON Patch, its pointers split into unescaped tokens. */
export interface Step {
  readonly op: "add" | "remove" | "replace" | "move" | "copy" | "test";
  readonly path: readonly string[];
  readonly from?: readonly string[];
  readonly value?: Json;
}

const needs: Readonly<Record<Step["op"], readonly string[]>> = {
  add: ["value"],
  replace: ["value"],
  test: ["value"],
  move: ["from"],
  copy: ["from"],
  remove: [],
};

/** The body of a PATCH; members that RFC 6902 does not give to an operation are no form of it. */
export function readSteps(body: Json): Step[] {
  if (!isArray(body)) throw undocumented("a PATCH body is a JSON Patch array");
  if (body.length === 0) throw undocumented("an empty JSON Patch asks for nothing");
  return body.map(readStep);
}

function readStep(item: Json): Step {
  if (!isMap(item)) throw undocumented("an element of a JSON Patch is an object");
  const { op, path, from, value } = item;
  if (typeof op !== "string" || !Object.hasOwn(needs, op)) throw undocumented(`no JSON Patch operation: ${op}`);
  const kind = op as Step["op"];
  const expected = ["op", "path", ...needs[kind]].sort().join();
  const actual = Object.keys(item).sort().join();
  if (actual !== expected) throw undocumented(`${kind} has the members ${expected}, not ${actual}`);
  return {
    op: kind,
    path: readPointer(path),
    ...(from === undefined ? {} : { from: readPointer(from) }),
    ...(value === undefined ? {} : { value }),
  };
}

/** RFC 6901. The empty pointer addresses the whole document, which no documented form does. */
export function readPointer(pointer: Json | undefined): string[] {
  if (typeof pointer !== "string" || !pointer.startsWith("/")) throw undocumented(`no JSON pointer: ${pointer}`);
  if (/~(?![01])/.test(pointer)) throw undocumented(`"~" is written "~0" in a JSON pointer: ${pointer}`);
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Makes one step on a document that the caller may throw away when this throws. */
export function applyStep(root: Members, step: Step): void {
  const from = step.from ?? [];
  switch (step.op) {
    case "add":
      addAt(root, step.path, step.value as Json);
      break;
    case "remove":
      removeAt(root, step.path);
      break;
    case "replace":
      valueAt(root, step.path);
      replaceAt(root, step.path, step.value as Json);
      break;
    case "copy":
      addAt(root, step.path, structuredClone(valueAt(root, from)));
      break;
    case "move":
      if (from.length < step.path.length && from.every((token, index) => token === step.path[index])) {
        throw undocumented("nothing can be moved into itself");
      }
      addAt(root, step.path, removeAt(root, from));
      break;
    case "test":
      // The one failure that a right client may meet: another writer was faster.
      if (!same(valueAt(root, step.path, false), step.value)) {
        throw new Refusal(400, `test failed at /${step.path.join("/")}`, false);
      }
  }
}

function valueAt(root: Json, path: readonly string[], violation = true): Json {
  let value: Json = root;
  for (const token of path) {
    const child = childOf(value, token);
    if (child === undefined) throw new Refusal(400, `nothing is at /${path.join("/")}`, violation);
    value = child;
  }
  return value;
}

function childOf(value: Json, token: string): Json | undefined {
  if (isArray(value)) return isIndex(token) ? value[Number(token)] : undefined;
  return isMap(value) ? member(value, token) : undefined;
}

function addAt(root: Members, path: readonly string[], value: Json): void {
  const { parent, token } = parentOf(root, path);
  if (!Array.isArray(parent)) {
    setMember(parent as Members, token, value);
    return;
  }
  const index = token === "-" ? parent.length : isIndex(token) ? Number(token) : Number.NaN;
  if (!(index <= parent.length)) throw undocumented(`no position of an array: ${token}`);
  parent.splice(index, 0, value);
}

function replaceAt(root: Members, path: readonly string[], value: Json): void {
  const { parent, token } = parentOf(root, path);
  if (Array.isArray(parent)) parent[Number(token)] = value;
  else setMember(parent as Members, token, value);
}

function removeAt(root: Members, path: readonly string[]): Json {
  const removed = valueAt(root, path);
  const { parent, token } = parentOf(root, path);
  if (Array.isArray(parent)) parent.splice(Number(token), 1);
  else delete (parent as Members)[token];
  return removed;
}

function parentOf(root: Json, path: readonly string[]): { parent: Json; token: string } {
  const parent = valueAt(root, path.slice(0, -1));
  if (typeof parent !== "object" || parent === null) throw undocumented(`nothing can be below /${path.join("/")}`);
  return { parent, token: path.at(-1) as string };
}

function isIndex(token: string): boolean {
  return /^(0|[1-9][0-9]*)$/.test(token);
}
