import { isError } from "../../diagnostics/diagnostic.ts";
import type { Base } from "../../load/base.ts";
import { listTargets } from "../../load/chosen-target.ts";
import { parseConfigFile } from "../../load/config-file.ts";
import { readSettings, type TargetConfig } from "../../load/target.ts";
import { readGivenVariables } from "../../load/variables.ts";
import type { Node } from "../../model/node.ts";
import type { Variables } from "../../model/target.ts";
import { validateConfigFile } from "../../validate/shape.ts";
import { openSettings } from "../open.ts";
import type { RunRequest } from "../request.ts";

export interface SettingsThen {
  readonly own: TargetConfig;
  readonly vars: Variables;
}

/**
 * The settings and variables of a target by gate-sync.yaml of a commit: none where that was not there; undefined where it cannot
 * be read, or had other targets only.
 *
 * @throws RunError `invalid` as {@link resolveSettingsThen}
 */
export async function readSettingsThen(
  base: Base,
  target: string,
  request: RunRequest,
): Promise<SettingsThen | undefined> {
  const { config, hasConfig } = base;
  if (config === undefined) return hasConfig ? undefined : { own: {}, vars: readGivenVariables(request.flags.vars) };
  const { found } = parseConfigFile(config);
  if (!found || validateConfigFile(found.file, found.root).some(isError)) return undefined;
  const names = listTargets(found.root);
  return names.length === 0 || names.includes(target)
    ? resolveSettingsThen(base, found.root, target, request)
    : undefined;
}

/**
 * @param root gate-sync.yaml of then, without errors
 * @throws RunError `invalid` where its files of variables, or the variables, have errors
 */
export async function resolveSettingsThen(
  { read }: Base,
  root: Node,
  target: string,
  { flags, env, cwd }: RunRequest,
): Promise<SettingsThen> {
  return readSettings({ config: await openSettings(root, target, read), flags, env, cwd, secrets: "leave" });
}
