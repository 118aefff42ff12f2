import { isError } from "../../diagnostics/diagnostic.ts";
import type { Base } from "../../load/base.ts";
import { listTargets } from "../../load/chosen-target.ts";
import { parseConfigFile } from "../../load/config-file.ts";
import type { TargetConfig } from "../../load/target.ts";
import { combineSettings } from "../../load/target-settings.ts";
import { toValue } from "../../model/node.ts";
import { validateConfigFile } from "../../validate/shape.ts";

/**
 * The settings of a target by gate-sync.yaml of a commit: none where that was not there; undefined where it cannot be read, or
 * had other targets only.
 */
export function readSettingsThen({ config, hasConfig }: Base, target: string): TargetConfig | undefined {
  if (config === undefined) return hasConfig ? undefined : {};
  const { found } = parseConfigFile(config);
  if (!found || validateConfigFile(found.file, found.root).some(isError)) return undefined;
  const names = listTargets(found.root);
  return names.length === 0 || names.includes(target)
    ? (toValue(combineSettings(found.root, target)) as TargetConfig)
    : undefined;
}
