import { posix } from "node:path";
import { type Git, getPathspec } from "./git.ts";
import { createSubmoduleMessage, failGit } from "./git-messages.ts";

/** A commit by its whole hash; `ref` is how the user called it. */
export interface Commit {
  readonly root: string;
  readonly hash: string;
  readonly ref: string;
}

/** One line of `git ls-tree`; `path` from the top of the repository. */
export interface Entry {
  readonly kind: "file" | "folder" | "link" | "submodule";
  readonly object: string;
  readonly path: string;
}

const kinds: Readonly<Record<string, Entry["kind"]>> = { "040000": "folder", "120000": "link", "160000": "submodule" };

/** @param lines of `git ls-tree -z` */
export function listEntries(lines: Buffer): readonly Entry[] {
  return lines
    .toString("utf8")
    .split("\0")
    .flatMap((line) => {
      const [, mode = "", object, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      return object === undefined || path === undefined ? [] : [{ kind: kinds[mode] ?? "file", object, path }];
    });
}

export const isDangling = "it is a link that leads nowhere";
export const isCircle = "it is a link that leads back to itself";
const isOutside = "it is a link that leads out of the repository";
/** As the kernel of Linux has it. */
const mostLinks = 40;

/**
 * Where a path of a commit leads, both from the top of the repository: links on it are followed as they are in a checkout, one
 * name after the other. `why` a link of it cannot be; neither where nothing is there.
 */
export function locateIn(
  git: Git,
  { root, hash, ref }: Commit,
  path: string,
): { readonly real?: string; readonly why?: string } {
  const names = path.split("/");
  let real = "";
  let links = 0;
  /** How many names were to come after the last link. */
  let after = Number.POSITIVE_INFINITY;
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    if (name === ".." && real === "") return { why: isOutside };
    real = posix.join(real, name).replace(/^\.$|\/$/, "");
    if (["", ".", ".."].includes(name)) continue;
    const answer = git.askNow(root, ["ls-tree", "-z", "--full-tree", hash, "--", getPathspec(real)]);
    if (!answer.ok) throw failGit(answer.reported);
    const [entry] = listEntries(answer.bytes);
    const isEnd = !entry || (entry.kind === "file" && names.length > 0);
    if (isEnd) return names.length < after ? {} : { why: isDangling };
    if (entry.kind === "submodule") throw createSubmoduleMessage(real, ref);
    if (entry.kind !== "link") continue;
    const target = git.askNow(root, ["cat-file", "blob", entry.object]);
    if (!target.ok) throw failGit(target.reported);
    const written = target.bytes.toString("utf8");
    if (posix.isAbsolute(written)) return { why: isOutside };
    if (++links > mostLinks) return { why: isCircle };
    after = names.length;
    names.unshift("..", ...written.split("/"));
  }
  return { real };
}
