import type { ListedCommit } from "../model/listed-commit.ts";
import { locateStatePath } from "./commit.ts";
import { type Git, getPathspec } from "./git.ts";
import { forSince } from "./git-messages.ts";

/** More are too many to read; git log has them. */
const most = 100;

/**
 * The commits after one that changed something below state paths, newest first.
 *
 * @param state the paths of today, relative to `cwd`; each of them exists
 */
export async function listCommitsSince(
  git: Git,
  hash: string,
  { state, cwd }: { readonly state: readonly string[]; readonly cwd: string },
): Promise<readonly ListedCommit[]> {
  const places = await Promise.all(state.map((path) => locateStatePath(git, path, cwd, forSince)));
  const [first] = places;
  if (first === undefined) return [];
  const below = places.map(({ inside }) => getPathspec(inside));
  const form = ["%h", "%an", "%cs", "%s"].join("%x09");
  // `git log` would check signatures where the configuration asks for it.
  const words = ["--encoding=UTF-8", `--format=${form}`, `--max-count=${most}`, `${hash}..HEAD`, "--", ...below];
  const answer = await git.ask(first.root, ["rev-list", ...words]);
  if (!answer.ok) return [];
  return answer.bytes
    .toString("utf8")
    .split("\n")
    .filter((line) => line.includes("\t"))
    .map((line) => {
      const [commit = "", author = "", date = "", ...subject] = line.split("\t");
      return { commit, author, date, subject: subject.join("\t") };
    });
}
