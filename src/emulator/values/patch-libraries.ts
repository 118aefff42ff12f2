// The patch libraries of the servers, as data for patch.ts.
import { createEngineFailure } from "../reply.ts";
import { findChild, PatchFault, type PatchLibrary, type PatchStep, refuseMissingMember, refusePatch } from "./patch.ts";
import { fromTree, type Tree } from "./tree.ts";

/** The library writes the same message with and without a space before the colon, and doubles the first slash. */
function noSuchPath(step: PatchStep, before = ":"): PatchFault {
  return complain(step, `noSuchPath in source, path provided${before} /${step.written}`);
}

function complain(step: PatchStep, complaint: string): PatchFault {
  return refusePatch(`[${step.op.toUpperCase()} Operation] ${complaint}`);
}

/**
 * zjsonpatch 0.4.4, of Search Guard. It takes the pointer as JSON prints it, drops the quotes and keeps the escapes: a
 * quote, a backslash or a control character in a name becomes another name. And it unescapes `~0` before `~1`.
 */
export const searchGuardPatch: PatchLibrary = {
  readPointer: (pointer) => {
    const printed = JSON.stringify(pointer).replace(/\\u[0-9a-f]{4}/g, (code) => `\\u${code.slice(2).toUpperCase()}`);
    const parts = printed
      .replaceAll('"', "")
      .split("/")
      .map((part) => part.replaceAll("~0", "~").replaceAll("~1", "/"));
    const escaped = (token: string): string => token.replaceAll("~", "~0").replaceAll("/", "~1");
    return { path: pathOf(pointer, parts), written: parts.map(escaped).join("/") };
  },
  index: /^\d+$/,
  copiesMissing: true,
  notText: refuseMissingMember,
  noOperation: (_, written) => refusePatch(`unknown / unsupported operation ${written}`),
  noChild: (_, __, step) => noSuchPath(step),
  noTarget: (_, __, step) => noSuchPath(step, " :"),
  noContainer: (parent, step, change) => {
    if (change === "replace") return noSuchPath(step, " :");
    if (change === "remove") return noSuchPath(step);
    const node = JSON.stringify(fromTree(parent));
    return complain(step, `parent is not a container in source, path provided : /${step.written} | node : ${node}`);
  },
  noIndex: (token, greatest) =>
    refusePatch(
      /^\d+$/.test(token)
        ? `index Out of bound, index is greater than ${greatest}`
        : "Object operation on array target",
    ),
  differs: (_, step) => complain(step, "value mismatch"),
};

/** Text before the first slash is ignored, and a single word is a field. */
function pathOf(pointer: string, parts: readonly string[]): readonly string[] {
  if (pointer === "") return [];
  return parts.length === 1 ? parts : parts.slice(1);
}

/** As Search Guard's, but for pointers: RFC 6901, and `/list[0]/field`, as the documentation writes it. */
export const documentedPatch: PatchLibrary = {
  ...searchGuardPatch,
  readPointer: (pointer) => ({
    path: pathOf(
      pointer,
      pointer.split("/").map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~")),
    ),
    written: pointer,
  }),
};

/** Indices in brackets taken apart. A member that has the brackets in its name is not. */
export function splitBrackets(root: Tree, step: PatchStep): PatchStep {
  return { ...step, path: withoutBrackets(root, step.path), from: withoutBrackets(root, step.from) };
}

function withoutBrackets(root: Tree, path: readonly string[]): readonly string[] {
  const tokens: string[] = [];
  let tree: Tree | undefined = root;
  for (const token of path) {
    const [, list = "", indices = ""] = /^(.+?)((?:\[\d+\])+)$/s.exec(token) ?? [];
    const isBracketed: boolean = tree instanceof Map && !tree.has(token) && Array.isArray(tree.get(list));
    const parts: readonly string[] = isBracketed ? [list, ...indices.slice(1, -1).split("][")] : [token];
    tokens.push(...parts);
    tree = parts.reduce<Tree | undefined>((inner, part) => findChild(inner, part, documentedPatch), tree);
  }
  return tokens;
}

/** zjsonpatch 0.4.16, of OpenSearch and the last Search Guard 7. */
export const openSearchPatch: PatchLibrary = {
  readPointer: (pointer) => ({ path: splitPointer(pointer), written: pointer }),
  index: /^(0|[1-9]\d*)$/,
  copiesMissing: false,
  rootRemoved: refusePatch("Cannot remove document root"),
  dashReplaced: (size) =>
    failInEngine("index_out_of_bounds_exception", `Illegal index -2147483648, array size ${size}`),
  notText: (member) => refusePatch(`Invalid JSON Patch payload (non-text '${member}' field)`),
  noOperation: (op) => refusePatch(`unknown / unsupported operation ${op}`),
  noChild: noElement,
  noTarget: noElement,
  noContainer: () => pastScalar,
  noIndex: (token) =>
    /^(0|[1-9]\d*)$/.test(token)
      ? refusePatch(`Array index ${token} out of bounds`)
      : failInEngine("illegal_state_exception", "Object operation on array target"),
  differs: (found, { value }) => {
    const detail = (tree: Tree): string => JSON.stringify(fromTree(tree));
    return refusePatch(`Expected value ${detail(value)} but found value ${detail(found)}`);
  },
};

const pastScalar = refusePatch("Cannot reference past scalar value");

function noElement(parent: Tree, token: string): PatchFault {
  if (parent instanceof Map) return refusePatch(`Missing field "${token}"`);
  if (!Array.isArray(parent)) return pastScalar;
  return refusePatch(
    /^(0|[1-9]\d*)$/.test(token) ? `Array index ${token} out of bounds` : `Can't reference field "${token}" on array`,
  );
}

function failInEngine(type: string, reason: string, status = 500): PatchFault {
  return new PatchFault(createEngineFailure(status, type, reason));
}

/** The last token is unescaped twice: that is the library's mistake. */
function splitPointer(pointer: string): readonly string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) throw failInEngine("illegal_argument_exception", "Missing leading slash", 400);
  const tokens = pointer.slice(1).split("/").map(unescapeToken);
  return tokens.map((token, index) => (index === tokens.length - 1 ? unescapeToken(token) : token));
}

export function unescapeToken(token: string): string {
  return token.replace(/~([01])/g, (_, digit: string) => (digit === "0" ? "~" : "/"));
}
