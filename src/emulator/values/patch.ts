import { createReply, type Reply } from "../reply.ts";
import { copyTree, isSameTree, type Tree } from "./tree.ts";

/** A value, or the answer in its place. */
export type TreeOrRefusal = { readonly tree: Tree } | { readonly refusal: Reply };

/** One operation of a patch; `path` and `from` are tokens, `written` is the path as complaints repeat it. */
export interface PatchStep {
  readonly op: string;
  readonly path: readonly string[];
  readonly written: string;
  readonly from: readonly string[];
  readonly value: Tree;
}

/** Thrown while a patch is read or applied, with the answer; caught by `applyPatch`. Nothing was written. */
export class PatchFault extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super("The patch is refused.");
    this.reply = reply;
  }
}

/** A patch library of a server: what its releases do and say differently. */
export interface PatchLibrary {
  readonly readPointer: (pointer: string) => Pick<PatchStep, "path" | "written">;
  /** Matches the tokens of a pointer that are an index of a list. */
  readonly index: RegExp;
  /** Whether `copy` and `move` from a place that does not exist take null from there; false: they fail. */
  readonly copiesMissing: boolean;
  /** How removing the whole document fails; undefined: it succeeds and does nothing. */
  readonly rootRemoved?: PatchFault;
  /** How replacing the element `-` of a list fails, where removing it does nothing; undefined: `-` is no index. */
  readonly dashReplaced?: (size: number) => PatchFault;
  readonly notText: (member: string) => PatchFault;
  readonly noOperation: (op: string, written: string) => PatchFault;
  /** The fault where an object on the way to the target is missing. */
  readonly noChild: (parent: Tree, token: string, step: PatchStep) => PatchFault;
  /** The fault where the target is to be replaced or tested and is missing. */
  readonly noTarget: (parent: Tree, token: string, step: PatchStep) => PatchFault;
  /** The fault where the parent of the target is neither an object nor a list. */
  readonly noContainer: (parent: Tree, step: PatchStep, change: TreeChange) => PatchFault;
  readonly noIndex: (token: string, greatest: number) => PatchFault;
  readonly differs: (found: Tree, step: PatchStep) => PatchFault;
}

/** What a step does at one place: a move removes and adds. */
export type TreeChange = "add" | "replace" | "remove";

/** Lets a family rewrite a step that is documented in a form of its own, seeing the document as it is by then. */
export type StepRewrite = (step: PatchStep, root: Tree) => PatchStep;

/** The document after all operations, or the first refusal. The document that is handed in stays as it is. */
export function applyPatch(
  document: Tree,
  patch: Tree,
  library: PatchLibrary,
  rewrite: StepRewrite = (step) => step,
): TreeOrRefusal {
  try {
    if (!Array.isArray(patch)) throw refusePatch("Invalid JSON Patch payload (not an array)");
    let tree = copyTree(document);
    // One by one: a broken step fails only after those before it were tried.
    for (const step of patch) tree = perform(tree, rewrite(parseStep(step, library), tree), library);
    return { tree };
  } catch (problem) {
    if (problem instanceof PatchFault) return { refusal: problem.reply };
    throw problem;
  }
}

/** The usual refusal. */
export function refusePatch(message: string): PatchFault {
  return new PatchFault(createReply(400, message));
}

const members: Readonly<Record<string, string>> = {
  add: "value",
  replace: "value",
  test: "value",
  move: "from",
  copy: "from",
  remove: "path",
};

function parseStep(element: Tree, library: PatchLibrary): PatchStep {
  if (!(element instanceof Map)) throw refusePatch("Invalid JSON Patch payload (not an object)");
  const named = textOf(element, "op", library);
  const op = named.toLowerCase();
  const pointer = library.readPointer(textOf(element, "path", library));
  if (!Object.hasOwn(members, op)) throw library.noOperation(op, named);
  const member = members[op] ?? "";
  if (!element.has(member)) throw refuseMissingMember(member);
  const from = member === "from" ? library.readPointer(textOf(element, "from", library)).path : [];
  return { op, ...pointer, from, value: copyTree(element.get("value") ?? null) };
}

function textOf(step: ReadonlyMap<string, Tree>, member: string, library: PatchLibrary): string {
  const value = step.get(member);
  if (value === undefined) throw refuseMissingMember(member);
  if (typeof value !== "string") throw library.notText(member);
  return value;
}

export function refuseMissingMember(member: string): PatchFault {
  return refusePatch(`Invalid JSON Patch payload (missing '${member}' field)`);
}

/** Removing a member that is missing does nothing. */
function perform(root: Tree, step: PatchStep, library: PatchLibrary): Tree {
  const { path, from, value } = step;
  switch (step.op) {
    case "add":
      return add(root, path, value, step, library);
    case "replace":
      return replace(root, step, library);
    case "remove":
      return remove(root, path, step, library);
    case "test": {
      const found = find(root, path, step, library);
      if (!isSameTree(found, value)) throw library.differs(found, step);
      return root;
    }
    default: {
      const copied = copyTree(source(root, step, library));
      return add(step.op === "move" ? remove(root, from, step, library) : root, path, copied, step, library);
    }
  }
}

function source(root: Tree, step: PatchStep, library: PatchLibrary): Tree {
  const found = step.from.reduce<Tree | undefined>((tree, token) => findChild(tree, token, library), root);
  return found ?? (library.copiesMissing ? null : find(root, step.from, step, library));
}

function add(root: Tree, path: readonly string[], value: Tree, step: PatchStep, library: PatchLibrary): Tree {
  const last = path.at(-1);
  if (last === undefined) return value;
  const parent = parentOf(root, path, step, library, "add");
  if (parent instanceof Map) parent.set(last, value);
  else if (last === "-") parent.push(value);
  else parent.splice(indexIn(last, parent.length, library), 0, value);
  return root;
}

function replace(root: Tree, step: PatchStep, library: PatchLibrary): Tree {
  const last = step.path.at(-1);
  if (last === undefined) return step.value;
  const parent = parentOf(root, step.path, step, library, "replace");
  if (Array.isArray(parent)) {
    if (last === "-" && library.dashReplaced) throw library.dashReplaced(parent.length);
    parent[indexIn(last, parent.length - 1, library)] = step.value;
  } else {
    if (!parent.has(last)) throw library.noTarget(parent, last, step);
    parent.set(last, step.value);
  }
  return root;
}

function remove(root: Tree, path: readonly string[], step: PatchStep, library: PatchLibrary): Tree {
  const last = path.at(-1);
  if (last === undefined) {
    if (library.rootRemoved) throw library.rootRemoved;
    return root;
  }
  const parent = parentOf(root, path, step, library, "remove");
  if (parent instanceof Map) parent.delete(last);
  else if (last !== "-" || !library.dashReplaced) parent.splice(indexIn(last, parent.length - 1, library), 1);
  return root;
}

/** The value at a path, or the fault of there being none. */
function find(root: Tree, path: readonly string[], step: PatchStep, library: PatchLibrary): Tree {
  return path.reduce<Tree>((tree, token, at) => {
    const child = findChild(tree, token, library);
    if (child !== undefined) return child;
    throw at === path.length - 1 ? library.noTarget(tree, token, step) : library.noChild(tree, token, step);
  }, root);
}

function parentOf(root: Tree, path: readonly string[], step: PatchStep, library: PatchLibrary, change: TreeChange) {
  const parent = path.slice(0, -1).reduce<Tree>((tree, token) => {
    const child = findChild(tree, token, library);
    if (child === undefined) throw library.noChild(tree, token, step);
    return child;
  }, root);
  if (parent instanceof Map || Array.isArray(parent)) return parent;
  throw library.noContainer(parent, step, change);
}

export function findChild(tree: Tree | undefined, token: string, { index }: Pick<PatchLibrary, "index">) {
  if (tree instanceof Map) return tree.get(token);
  return Array.isArray(tree) && index.test(token) ? tree[Number(token)] : undefined;
}

function indexIn(token: string, greatest: number, library: PatchLibrary): number {
  if (!library.index.test(token) || Number(token) > greatest) throw library.noIndex(token, greatest);
  return Number(token);
}
