// What Search Guard adds to its patch library (zjsonpatch 0.4.4, ../patch.ts): how it reads pointers.
import { patchDocument } from "../patch.ts";
import type { PointerReading } from "../patch-parse.ts";
import { createReply } from "../reply.ts";
import { copyTree, fromTree, type Tree } from "../tree.ts";
import type { PatchedTree } from "./zjsonpatch.ts";

/** The document after all operations, or the first refusal. The document that is handed in stays as it is. */
export function patchAsOld(document: Tree, patch: Tree): PatchedTree {
  const result = patchDocument(copyTree(document), fromTree(patch), { reading: oldReading, brackets: false });
  return "problem" in result ? { refusal: createReply(400, result.problem) } : { tree: result.tree };
}

const oldReading: PointerReading = {
  tokens: (pointer) => {
    const parts = partsOf(pointer);
    return pointer === "" ? [] : parts.length === 1 ? parts : parts.slice(1);
  },
  written: (pointer) => partsOf(pointer).map(escaped).join("/"),
};

/**
 * The library takes the pointer as JSON prints it, drops the quotes and keeps the escapes: a quote, a backslash or a
 * control character in a name becomes another name. And it unescapes `~0` before `~1`.
 */
function partsOf(pointer: string): readonly string[] {
  const printed = JSON.stringify(pointer).replace(/\\u[0-9a-f]{4}/g, (code) => `\\u${code.slice(2).toUpperCase()}`);
  return printed
    .replaceAll('"', "")
    .split("/")
    .map((part) => part.replaceAll("~0", "~").replaceAll("~1", "/"));
}

function escaped(token: string): string {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}
