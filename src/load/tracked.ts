import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import { findRepository } from "./boundary.ts";
import { type Git, getPathBelow, getPathspec } from "./git.ts";

/**
 * The names in a folder that git keeps, or of which it keeps a part, in lower case: on some disks that is the same name.
 * None outside of a repository.
 *
 * @param name the one that is asked for; absent: all
 * @throws RunError `usage` where the folder is in a repository and git does not say
 */
export async function listTracked(git: Git, folder: string, name = ""): Promise<ReadonlySet<string>> {
  const real = await realpath(folder).catch(() => undefined);
  const root = real === undefined ? undefined : findRepository(real);
  if (real === undefined || root === undefined) return new Set();
  const words = ["ls-files", "-z", "--", getPathspec(getPathBelow(root, join(real, name)), "icase")] as const;
  const answer = await git.ask(root, words);
  if (!answer.ok) throw createUnknownMessage(answer);
  const depth = getPathBelow(root, real).split("/").filter(Boolean).length;
  const paths = answer.bytes.toString("utf8").toLowerCase().split("\0");
  return new Set(paths.flatMap((path) => path.split("/")[depth] || []));
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
