import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import { findRepository } from "./boundary.ts";
import { type Git, getPathBelow, getPathspec } from "./git.ts";

/**
 * The names in a folder that git keeps, or of which it keeps a part, in lower case: on some disks that is the same name. All of
 * them where the folder is in a submodule whose own `.git` is not there: which of its files it keeps is unknown. None outside of a
 * repository.
 *
 * @param name the one that is asked for; absent: all
 * @throws RunError `usage` where the folder is in a repository and git does not say
 */
export async function listTracked(
  git: Git,
  folder: string,
  name = "",
): Promise<{ readonly has: (name: string) => boolean }> {
  const real = await realpath(folder).catch(() => undefined);
  const root = real === undefined ? undefined : findRepository(real);
  if (real === undefined || root === undefined) return new Set();
  const names = getPathBelow(root, real).split("/").filter(Boolean);
  const above = names.map((_, at) => names.slice(0, at + 1).join("/"));
  const below = getPathspec(getPathBelow(root, join(real, name)), "icase");
  const answer = await git.ask(root, ["ls-files", "-z", "--", below, ...above.map(getSubmodulePathspec)]);
  if (!answer.ok) throw createUnknownMessage(answer);
  const paths = answer.bytes.toString("utf8").toLowerCase().split("\0");
  if (above.some((path) => paths.includes(path.toLowerCase()))) return { has: () => true };
  const start = names.map((each) => `${each}/`.toLowerCase()).join("");
  return new Set(paths.flatMap((path) => (path.startsWith(start) && path.split("/")[names.length]) || []));
}

/** For a path that is no folder to git, and the like of it, without what is below a folder: a pattern does not mean that. */
function getSubmodulePathspec(path: string): string {
  return `:(top,glob,icase)${path.replace(/[*?[\\]|.$/gsu, "*")}`;
}

function createUnknownMessage({
  missing,
  reported,
}: {
  readonly missing: boolean;
  readonly reported: string;
}): RunError {
  return new RunError("usage", {
    what: "Whether git tracks the records of earlier runs is unknown, so none of them counts.",
    why: `${missing ? "git is not found." : `git says: ${reported}.`} Anyone who may change the repository may have written what git tracks.`,
    fix: "Install git, or keep them outside of the repository: --state-dir.",
  });
}
