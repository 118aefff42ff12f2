import { chooseTargets, type TargetChoice } from "../../load/chosen-target.ts";
import { validateConfigFile } from "../../validate/shape.ts";
import { findConfig, ofConfigFile, stopAtErrors } from "../open.ts";
import type { RunRequest } from "../request.ts";

/**
 * The names of the targets that a run is about, in the order of gate-sync.yaml. No server is asked.
 *
 * @throws RunError `usage` where a name or pattern matches none, `invalid` where gate-sync.yaml has errors
 */
export async function chooseFleet(
  request: Pick<RunRequest, "cwd" | "configPath" | "shared">,
  choice: TargetChoice,
): Promise<readonly string[]> {
  const { found, diagnostics } = await findConfig(request);
  stopAtErrors([...diagnostics, ...(found ? validateConfigFile(found.file, found.root) : [])], ofConfigFile);
  return chooseTargets(found?.root, choice);
}
