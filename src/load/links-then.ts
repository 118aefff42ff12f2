import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { locateReal } from "./boundary.ts";
import { type Git, type GitWords, getPathspec, isDubious } from "./git.ts";
import { createDubiousMessage, createSubmoduleMessage, failGit } from "./git-messages.ts";

/** A commit by its whole hash, in the outermost repository; `ref` is how the user called it. */
export interface Commit {
  readonly root: string;
  readonly hash: string;
  readonly ref: string;
}

/** One line of `git ls-tree`; `path` from the top of the outermost repository. */
export interface Entry {
  readonly kind: "file" | "folder" | "link" | "submodule";
  readonly object: string;
  readonly path: string;
  /** Of the repository that keeps it: a submodule is one of its own. */
  readonly root: string;
}

const kinds: Readonly<Record<string, Entry["kind"]>> = { "040000": "folder", "120000": "link", "160000": "submodule" };

function ask(git: Git, root: string, words: GitWords): Buffer {
  const answer = git.askNow(root, words);
  if (!answer.ok) throw failGit(answer.reported);
  return answer.bytes;
}

/** What is in a folder: of that name, or all that is below it, and nothing below a link or a submodule. */
export function listEntries(git: Git, folder: Entry, name?: string): readonly Entry[] {
  const meant = name === undefined ? ["-r"] : [];
  const below = name === undefined ? [] : ["--", getPathspec(name)];
  return ask(git, folder.root, ["ls-tree", ...meant, "-z", "--full-tree", folder.object, ...below])
    .toString("utf8")
    .split("\0")
    .flatMap((line) => {
      const [, mode = "", object, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      if (object === undefined || path === undefined) return [];
      return [{ kind: kinds[mode] ?? "file", object, path: posix.join(folder.path, path), root: folder.root }];
    });
}

/**
 * The top of a submodule, at the commit that the repository around it had. A hash is of the same files in every clone, so any that
 * has it will do: a branch may have moved the submodule, or have made something else of it.
 */
export function openSubmodule(git: Git, { root, ref }: Commit, { object, path, root: around }: Entry): Entry {
  const has = (clone: string) => {
    if (!existsSync(join(clone, ".git"))) return false;
    const answer = git.askNow(clone, ["rev-parse", "--verify", "--quiet", `${object}^{commit}`]);
    if (isDubious(answer)) throw createDubiousMessage(path);
    return answer.ok;
  };
  const clones = [locateReal(join(root, path)), around];
  const clone = clones.find(has) ?? listSubmodules(git, around).find(has);
  if (clone === undefined) throw createSubmoduleMessage(path, object, ref);
  return { kind: "folder", object, path, root: clone };
}

/** Those of today. */
function listSubmodules(git: Git, root: string): readonly string[] {
  const lines = ask(git, root, ["ls-files", "--stage", "-z"]).toString("utf8").split("\0");
  const paths = lines.flatMap((line) => (line.startsWith("160000 ") ? [line.slice(line.indexOf("\t") + 1)] : []));
  return paths.map((path) => locateReal(join(root, path)));
}

export const isDangling = "it is a link that leads nowhere";
export const isCircle = "it is a link that leads back to itself";
export const isOutside = "it is a link that leads out of the repository";
/** As the kernel of Linux has it. */
const mostLinks = 40;

/**
 * Where a path of a commit leads, from the top of the outermost repository: links on it are followed as they are in a checkout, one
 * name after the other. `why` a link of it cannot be; neither where nothing is there.
 */
export function locateIn(
  git: Git,
  commit: Commit,
  path: string,
): { readonly entry?: Entry | undefined; readonly why?: string } {
  const top: Entry = { kind: "folder", object: commit.hash, path: "", root: commit.root };
  const passed = [top];
  const names = path.split("/");
  let links = 0;
  /** How many names were to come after the last link. */
  let after = Number.POSITIVE_INFINITY;
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    if (name === ".." && passed.length === 1) return { why: isOutside };
    if (name === "..") passed.pop();
    if (["", ".", ".."].includes(name)) continue;
    const [entry] = listEntries(git, passed.at(-1) ?? top, name);
    const isEnd = !entry || (entry.kind === "file" && names.length > 0);
    if (isEnd) return names.length < after ? {} : { why: isDangling };
    if (entry.kind !== "link") {
      passed.push(entry.kind === "submodule" ? openSubmodule(git, commit, entry) : entry);
      continue;
    }
    const written = ask(git, entry.root, ["cat-file", "blob", entry.object]).toString("utf8");
    if (posix.isAbsolute(written)) return { why: isOutside };
    if (++links > mostLinks) return { why: isCircle };
    after = names.length;
    names.unshift(...written.split("/"));
  }
  return { entry: passed.at(-1) };
}
