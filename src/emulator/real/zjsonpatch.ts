// The patch library of OpenSearch, zjsonpatch 0.4.16, and of the last Search Guard 7. The older one is in ../patch.ts.
import { createEngineFailure, createReply, type Reply } from "../reply.ts";
import { copyTree, fromTree, isSameTree, type Tree } from "../tree.ts";

export type PatchedTree = { readonly tree: Tree } | { readonly refusal: Reply };

/** The document after all operations, or the first refusal. The document that is handed in stays as it is. */
export function patchAsNew(document: Tree, patch: Tree): PatchedTree {
  if (!Array.isArray(patch)) return { refusal: createReply(400, "Invalid JSON Patch payload (not an array)") };
  let tree = copyTree(document);
  try {
    for (const step of patch) tree = performed(tree, step);
    return { tree };
  } catch (problem) {
    if (problem instanceof Refused) return { refusal: problem.reply };
    throw problem;
  }
}

class Refused extends Error {
  constructor(readonly reply: Reply) {
    super("refused");
  }
}

function refused(message: string): Refused {
  return new Refused(createReply(400, message));
}

const arrayMisuse = new Refused(
  createEngineFailure(500, "illegal_state_exception", "Object operation on array target"),
);

function performed(root: Tree, step: Tree): Tree {
  if (!(step instanceof Map)) throw refused("Invalid JSON Patch payload (not an object)");
  const op = textOf(step, "op").toLowerCase();
  const tokens = splitPointer(textOf(step, "path"));
  switch (op) {
    case "remove":
      return removed(root, tokens);
    case "add":
      return added(root, tokens, givenIn(step));
    case "replace":
      return replaced(root, tokens, givenIn(step));
    case "test":
      return tested(root, tokens, givenIn(step));
    case "copy":
    case "move": {
      const from = splitPointer(textOf(step, "from"));
      const value = copyTree(found(root, from));
      return added(op === "move" ? removed(root, from) : root, tokens, value);
    }
    default:
      throw refused(`unknown / unsupported operation ${op}`);
  }
}

function givenIn(step: Map<string, Tree>): Tree {
  const value = step.get("value");
  if (value === undefined) throw refused("Invalid JSON Patch payload (missing 'value' field)");
  return copyTree(value);
}

function textOf(step: Map<string, Tree>, member: string): string {
  const value = step.get(member);
  if (value === undefined) throw refused(`Invalid JSON Patch payload (missing '${member}' field)`);
  if (typeof value !== "string") throw refused(`Invalid JSON Patch payload (non-text '${member}' field)`);
  return value;
}

/** The last token is unescaped twice: that is the library's mistake. */
export function splitPointer(pointer: string): readonly string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) {
    throw new Refused(createEngineFailure(400, "illegal_argument_exception", "Missing leading slash"));
  }
  const tokens = pointer.slice(1).split("/").map(unescapeToken);
  return tokens.map((token, index) => (index === tokens.length - 1 ? unescapeToken(token) : token));
}

export function unescapeToken(token: string): string {
  return token.replace(/~([01])/g, (_, digit: string) => (digit === "0" ? "~" : "/"));
}

function added(root: Tree, tokens: readonly string[], value: Tree): Tree {
  const last = tokens.at(-1);
  if (last === undefined) return value;
  const parent = parentOf(root, tokens);
  if (parent instanceof Map) parent.set(last, value);
  else if (last === "-") parent.push(value);
  else parent.splice(indexIn(last, parent.length + 1), 0, value);
  return root;
}

function replaced(root: Tree, tokens: readonly string[], value: Tree): Tree {
  const last = tokens.at(-1);
  if (last === undefined) return value;
  const parent = parentOf(root, tokens);
  if (parent instanceof Map) {
    if (!parent.has(last)) throw missing(last);
    parent.set(last, value);
  } else if (last === "-") {
    const reason = `Illegal index -2147483648, array size ${parent.length}`;
    throw new Refused(createEngineFailure(500, "index_out_of_bounds_exception", reason));
  } else {
    parent[indexIn(last, parent.length)] = value;
  }
  return root;
}

/** Removing what is not there does nothing. */
function removed(root: Tree, tokens: readonly string[]): Tree {
  const last = tokens.at(-1);
  if (last === undefined) throw refused("Cannot remove document root");
  const parent = parentOf(root, tokens);
  if (parent instanceof Map) parent.delete(last);
  else if (last !== "-") parent.splice(indexIn(last, parent.length), 1);
  return root;
}

function tested(root: Tree, tokens: readonly string[], value: Tree): Tree {
  const there = found(root, tokens);
  if (isSameTree(there, value)) return root;
  const detail = (tree: Tree): string => JSON.stringify(fromTree(tree));
  throw refused(`Expected value ${detail(value)} but found value ${detail(there)}`);
}

function found(root: Tree, tokens: readonly string[]): Tree {
  let tree = root;
  for (const token of tokens) tree = childOf(tree, token);
  return tree;
}

function parentOf(root: Tree, tokens: readonly string[]): Map<string, Tree> | Tree[] {
  const tree = found(root, tokens.slice(0, -1));
  if (tree instanceof Map || Array.isArray(tree)) return tree;
  throw refused("Cannot reference past scalar value");
}

function childOf(tree: Tree, token: string): Tree {
  if (tree instanceof Map) {
    const child = tree.get(token);
    if (child === undefined) throw missing(token);
    return child;
  }
  if (!Array.isArray(tree)) throw refused("Cannot reference past scalar value");
  if (!isIndex(token)) throw refused(`Can't reference field "${token}" on array`);
  const child = tree[Number(token)];
  if (child === undefined) throw refused(`Array index ${token} out of bounds`);
  return child;
}

function missing(field: string): Refused {
  return refused(`Missing field "${field}"`);
}

function indexIn(token: string, size: number): number {
  if (!isIndex(token)) throw arrayMisuse;
  if (Number(token) >= size) throw refused(`Array index ${token} out of bounds`);
  return Number(token);
}

function isIndex(token: string): boolean {
  return /^(0|[1-9]\d*)$/.test(token);
}
