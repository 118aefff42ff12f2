// Which state files each target of gate-sync.yaml reads.
import { createBoundary } from "../load/boundary.ts";
import { listTargets } from "../load/chosen-target.ts";
import { createConfigReader } from "../load/configured-file.ts";
import { type FoundFiles, findStateFiles, inputPath } from "../load/files.ts";
import { listStatePaths, readSettings } from "../load/target.ts";
import { findConfig, openSettings } from "./open.ts";
import type { RunRequest } from "./request.ts";

export interface TargetFiles {
  readonly name: string;
  /** As its setting has them. */
  readonly paths: readonly string[];
  readonly found: FoundFiles;
}

/**
 * The files of the targets that are meant, by their settings; none where there is no gate-sync.yaml.
 *
 * @throws RunError where what one of them reads cannot be known
 */
export async function searchTargets(
  request: RunRequest,
  isMeant: (name: string) => boolean,
): Promise<readonly TargetFiles[]> {
  const { cwd, env, flags } = request;
  const { found } = await findConfig(request);
  if (!found) return [];
  const read = createConfigReader(found.root, cwd);
  const targets: TargetFiles[] = [];
  for (const name of listTargets(found.root).filter(isMeant)) {
    const { root, settings } = await openSettings(found.root, name, read);
    const { own, directory } = readSettings({ config: { root, settings }, flags, env, cwd, secrets: "leave" });
    const paths = listStatePaths({ statePaths: [] }, own.state ?? [], cwd, directory);
    targets.push({ name, paths, found: await searchState(request, paths, []) });
  }
  return targets;
}

/** @param named what the command line names */
export function searchState(
  { cwd, configPath }: RunRequest,
  paths: readonly string[],
  named: readonly string[],
): Promise<FoundFiles> {
  const files = paths.filter((path) => path !== inputPath);
  return findStateFiles(files, cwd, { within: createBoundary(cwd, configPath, named) });
}
