import type { Json } from "../json/value.ts";
import { PatchProblem, type PatchStep, type PointerReading, patchSteps, plainReading } from "./patch-parse.ts";
import { copyTree, fromTree, isSameTree, type Tree } from "./tree.ts";

/** Lets a family rewrite a step that is documented in a form of its own, seeing the document as it is by then. */
export type Rewrite = (step: PatchStep, root: Tree) => PatchStep;

export type PatchedDocument = { readonly tree: Tree } | { readonly problem: string };

/** What may differ in how a patch is applied. */
export interface PatchHabits {
  readonly rewrite: Rewrite;
  readonly reading: PointerReading;
  /** Besides RFC 6901, `/list[0]/field` is understood. */
  readonly brackets: boolean;
}

/** As documented. */
const documented: PatchHabits = { rewrite: (step) => step, reading: plainReading, brackets: true };

/**
 * The document after all steps of a JSON Patch, or the first problem in the server's words. The document handed in is
 * used up: pass a copy.
 *
 * The rules are those of the library that real servers use: removing a member that is missing does nothing, replacing
 * or testing one is an error, moving or copying from one gives null.
 */
export function patchDocument(document: Tree, patch: Json, habits: Partial<PatchHabits> = {}): PatchedDocument {
  const { rewrite, reading, brackets } = { ...documented, ...habits };
  const located = brackets ? withoutBrackets : (_: Tree, path: readonly string[]) => path;
  try {
    let tree = document;
    for (const step of patchSteps(patch, reading))
      tree = performed(tree, locatedStep(tree, rewrite(step, tree), located));
    return { tree };
  } catch (problem) {
    if (problem instanceof PatchProblem) return { problem: problem.message };
    throw problem;
  }
}

type Located = (root: Tree, path: readonly string[]) => readonly string[];

function locatedStep(root: Tree, step: PatchStep, located: Located): PatchStep {
  return { ...step, path: located(root, step.path), from: located(root, step.from) };
}

function performed(root: Tree, step: PatchStep): Tree {
  const { path, from } = step;
  switch (step.op) {
    case "add":
      return add(root, path, step.value, step);
    case "replace":
      return replace(root, path, step);
    case "remove":
      return remove(root, path, step);
    case "test":
      return test(root, path, step);
    case "copy":
      return add(root, path, copyTree(valueAt(root, from) ?? null), step);
    case "move": {
      const moved = valueAt(root, from) ?? null;
      return add(remove(root, from, step), path, moved, step);
    }
  }
}

function add(root: Tree, path: readonly string[], value: Tree, step: PatchStep): Tree {
  const last = path.at(-1);
  if (last === undefined) return value;
  const parent = parentOf(root, path, step);
  if (parent instanceof Map) parent.set(last, value);
  else if (!Array.isArray(parent)) {
    const node = JSON.stringify(fromTree(parent));
    throw problem(step, `parent is not a container in source, path provided : /${step.written} | node : ${node}`);
  } else if (last === "-") parent.push(value);
  else parent.splice(indexIn(last, parent.length), 0, value);
  return root;
}

function replace(root: Tree, path: readonly string[], step: PatchStep): Tree {
  const last = path.at(-1);
  if (last === undefined) return step.value;
  const parent = parentOf(root, path, step);
  if (Array.isArray(parent)) parent[indexIn(last, parent.length - 1)] = step.value;
  else if (parent instanceof Map && parent.has(last)) parent.set(last, step.value);
  else throw noSuchPath(step, " :");
  return root;
}

function remove(root: Tree, path: readonly string[], step: PatchStep): Tree {
  const last = path.at(-1);
  if (last === undefined) return root;
  const parent = parentOf(root, path, step);
  if (Array.isArray(parent)) parent.splice(indexIn(last, parent.length - 1), 1);
  else if (parent instanceof Map) parent.delete(last);
  else throw noSuchPath(step);
  return root;
}

function test(root: Tree, path: readonly string[], step: PatchStep): Tree {
  if (path.length > 0) parentOf(root, path, step);
  const value = valueAt(root, path);
  if (value === undefined) throw noSuchPath(step, " :");
  if (!isSameTree(value, step.value)) throw problem(step, "value mismatch");
  return root;
}

function valueAt(root: Tree, path: readonly string[]): Tree | undefined {
  return path.reduce<Tree | undefined>(childOf, root);
}

function childOf(tree: Tree | undefined, token: string): Tree | undefined {
  if (tree instanceof Map) return tree.get(token);
  return Array.isArray(tree) && /^\d+$/.test(token) ? tree[Number(token)] : undefined;
}

function parentOf(root: Tree, path: readonly string[], step: PatchStep): Tree {
  const parent = valueAt(root, path.slice(0, -1));
  if (parent === undefined) throw noSuchPath(step);
  return parent;
}

function indexIn(token: string, greatest: number): number {
  if (!/^\d+$/.test(token)) throw new PatchProblem("Object operation on array target");
  const index = Number(token);
  if (index > greatest) throw new PatchProblem(`index Out of bound, index is greater than ${greatest}`);
  return index;
}

/** Section 4 of the documentation writes list indices so. A member that has the brackets in its name goes first. */
function withoutBrackets(root: Tree, path: readonly string[]): readonly string[] {
  const tokens: string[] = [];
  let tree: Tree | undefined = root;
  for (const token of path) {
    const [, list = "", indices = ""] = /^(.+?)((?:\[\d+\])+)$/s.exec(token) ?? [];
    const bracketed: boolean = tree instanceof Map && !tree.has(token) && Array.isArray(tree.get(list));
    const parts: readonly string[] = bracketed ? [list, ...indices.slice(1, -1).split("][")] : [token];
    tokens.push(...parts);
    tree = parts.reduce(childOf, tree);
  }
  return tokens;
}

/** The library writes the same message with and without a space before the colon, and doubles the first slash. */
function noSuchPath(step: PatchStep, before = ":"): PatchProblem {
  return problem(step, `noSuchPath in source, path provided${before} /${step.written}`);
}

function problem(step: PatchStep, complaint: string): PatchProblem {
  return new PatchProblem(`[${step.op.toUpperCase()} Operation] ${complaint}`);
}
