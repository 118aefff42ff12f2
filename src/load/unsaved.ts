import { dirname } from "node:path";
import type { FileEdit } from "../model/file-edit.ts";
import type { UnsavedFile } from "../model/file-update.ts";
import { findRepository } from "./boundary.ts";
import { type Git, getPathBelow, getPathspec } from "./git.ts";
import { createFileSource } from "./read.ts";

/**
 * Files that have text which neither HEAD nor the index has: what is written over it, git cannot bring back. Line ends do not
 * count.
 *
 * @returns `outside`: files in no repository, of which nothing is asked
 */
export async function findUnsaved(
  git: Git,
  edits: readonly FileEdit[],
): Promise<{ readonly unsaved: readonly UnsavedFile[]; readonly outside: readonly string[] }> {
  const unsaved: UnsavedFile[] = [];
  const outside: string[] = [];
  for (const { absolute, path, before } of edits) {
    if (!before) continue;
    const root = findRepository(dirname(absolute));
    const opened = root === undefined ? undefined : git.open(root);
    if (root === undefined || !opened) outside.push(path);
    else if (!opened.ok) unsaved.push({ path, reported: opened.missing ? "git is not found" : opened.reported });
    else if (!(await hasText(git, root, getPathBelow(root, absolute), before.text))) unsaved.push({ path });
  }
  return { unsaved, outside };
}

async function hasText(git: Git, root: string, inside: string, text: string): Promise<boolean> {
  const staged = await git.ask(root, ["ls-files", "-s", "-z", "--", getPathspec(inside)]);
  const lines = staged.ok ? staged.bytes.toString("utf8").split("\0") : [];
  const hashes = lines.flatMap((line) => /^\d+ ([0-9a-f]{40,64}) /.exec(line)?.[1] ?? []);
  for (const object of [`HEAD:${inside}`, ...hashes]) {
    const answer = await git.ask(root, ["cat-file", "blob", object]);
    const kept = answer.ok ? createFileSource(inside, answer.bytes).file : undefined;
    if (kept && unifyLineEnds(kept.text) === unifyLineEnds(text)) return true;
  }
  return false;
}

function unifyLineEnds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
