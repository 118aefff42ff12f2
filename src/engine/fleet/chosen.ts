import { chooseTargets, type TargetChoice } from "../../load/chosen-target.ts";
import { findConfigFile } from "../../load/config-file.ts";
import { validateConfigFile } from "../../validate/shape.ts";
import { ofConfigFile, stopAtErrors } from "../open.ts";
import type { RunRequest } from "../request.ts";

/**
 * The names of the targets that a run is about, in the order of gate-sync.yaml. No server is asked.
 *
 * @throws RunError `usage` where a name or pattern matches none, `invalid` where gate-sync.yaml has errors
 */
export async function chooseFleet(
  { cwd, configPath }: Pick<RunRequest, "cwd" | "configPath">,
  choice: TargetChoice,
): Promise<readonly string[]> {
  const { found, diagnostics } = await findConfigFile(cwd, configPath);
  stopAtErrors([...diagnostics, ...(found ? validateConfigFile(found.file, found.root) : [])], ofConfigFile);
  return chooseTargets(found?.root, choice);
}
