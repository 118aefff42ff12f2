import { isList, isObject, type Json } from "../json/value.ts";
import { type Tree, toTree } from "./tree.ts";

export type PatchOp = "add" | "remove" | "replace" | "move" | "copy" | "test";

/** One parsed operation; `path` and `from` are tokens, `written` is the path as it was sent. */
export interface PatchStep {
  readonly op: PatchOp;
  readonly path: readonly string[];
  readonly written: string;
  readonly from: readonly string[];
  readonly value: Tree;
}

/** Thrown while a patch is read or applied; caught by `patched`, which makes it a 400. Nothing was written. */
export class PatchProblem extends Error {}

const members: Readonly<Record<PatchOp, readonly string[]>> = {
  add: ["value"],
  remove: [],
  replace: ["value"],
  move: ["from"],
  copy: ["from"],
  test: ["value"],
};

/** How pointers are read: into tokens, and into the words in which complaints repeat them. */
export interface PointerReading {
  readonly tokens: (pointer: string) => readonly string[];
  readonly written: (pointer: string) => string;
}

/** RFC 6901, repeated as it was sent. */
export const plainReading: PointerReading = { tokens: tokensOf, written: (pointer) => pointer };

/** The steps one by one, so that a broken one fails only after those before it were tried, as on real servers. */
export function* patchSteps(patch: Json, reading: PointerReading = plainReading): Generator<PatchStep> {
  if (!isList(patch)) throw new PatchProblem("Invalid JSON Patch payload (not an array)");
  for (const element of patch as readonly Json[]) yield patchStep(element, reading);
}

function patchStep(element: Json, reading: PointerReading): PatchStep {
  if (!isObject(element)) throw new PatchProblem("Invalid JSON Patch payload (not an object)");
  const fields = new Map(Object.entries(element));
  const named = textOf(fields, "op").toLowerCase();
  const written = textOf(fields, "path");
  if (!Object.hasOwn(members, named)) throw new PatchProblem(`unknown / unsupported operation ${fields.get("op")}`);
  const op = named as PatchOp;
  for (const member of members[op]) if (!fields.has(member)) throw missing(member);
  return {
    op,
    written: reading.written(written),
    path: reading.tokens(written),
    from: fields.has("from") ? reading.tokens(textOf(fields, "from")) : [],
    value: toTree((fields.get("value") as Json | undefined) ?? null),
  };
}

function textOf(fields: ReadonlyMap<string, unknown>, member: string): string {
  const value = fields.get(member);
  if (typeof value !== "string") throw missing(member);
  return value;
}

function missing(member: string): PatchProblem {
  return new PatchProblem(`Invalid JSON Patch payload (missing '${member}' field)`);
}

/** RFC 6901; text before the first slash is ignored, and a single word is a field, as real servers take it. */
function tokensOf(pointer: string): readonly string[] {
  if (pointer === "") return [];
  const parts = pointer.split("/");
  return (parts.length === 1 ? parts : parts.slice(1)).map((token) =>
    token.replaceAll("~1", "/").replaceAll("~0", "~"),
  );
}
