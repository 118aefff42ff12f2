import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Git } from "./git.ts";

/** The files below a folder that git keeps, named from there; none without git, outside of a repository and where nothing is. */
export async function listTrackedBelow(git: Git, folder: string): Promise<ReadonlySet<string>> {
  const stats = await stat(folder).catch(() => undefined);
  if (!stats?.isDirectory()) return new Set();
  const answer = await git.ask(folder, ["ls-files", "-z", "--", "."]);
  return new Set(answer.ok ? answer.bytes.toString("utf8").split("\0").filter(Boolean) : []);
}

/** @param place absolute; no file without git, outside of a repository, and none that git does not know */
export async function isTracked(git: Git, place: string): Promise<boolean> {
  const answer = await git.ask(dirname(place), ["ls-files", "-z", "--", basename(place)]).catch(() => undefined);
  return answer?.ok === true && answer.bytes.length > 0;
}
