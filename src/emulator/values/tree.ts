import { isList, isObject, type Json } from "../../json/value.ts";

/**
 * JSON that may be changed in place, for the one function that applies a patch. Members lie in maps, so that a
 * resource may be called `__proto__` or `10`.
 */
export type Tree = string | number | boolean | null | Tree[] | Map<string, Tree>;

export function toTree(value: Json): Tree {
  if (isList(value)) return value.map(toTree);
  if (isObject(value)) return new Map(Object.entries(value).map(([key, item]) => [key, toTree(item)]));
  return value;
}

export function fromTree(tree: Tree): Json {
  if (Array.isArray(tree)) return tree.map(fromTree);
  if (tree instanceof Map) return Object.fromEntries([...tree].map(([key, item]) => [key, fromTree(item)]));
  return tree;
}

export function isSameTree(a: Tree | undefined, b: Tree | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSameTree(item, b[index]));
  }
  if (!(a instanceof Map) || !(b instanceof Map) || a.size !== b.size) return false;
  return [...a].every(([key, item]) => b.has(key) && isSameTree(item, b.get(key)));
}

export function copyTree(tree: Tree): Tree {
  if (Array.isArray(tree)) return tree.map(copyTree);
  return tree instanceof Map ? new Map([...tree].map(([key, item]) => [key, copyTree(item)])) : tree;
}

/** What an object has under a name; undefined where it is no object, too. */
export function getMember(tree: Tree | undefined, name: string): Tree | undefined {
  return tree instanceof Map ? tree.get(name) : undefined;
}

/** Empty where there is no list. */
export function getList(tree: Tree | undefined, name: string): readonly Tree[] {
  const list = getMember(tree, name);
  return Array.isArray(list) ? list : [];
}
