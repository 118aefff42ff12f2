import { isError } from "../../diagnostics/diagnostic.ts";
import type { Base } from "../../load/base.ts";
import { parseConfigFile } from "../../load/config-file.ts";
import type { ConfigFile } from "../../load/target.ts";
import { toValue } from "../../model/node.ts";
import { validateConfigFile } from "../../validate/shape.ts";

/** gate-sync.yaml of a commit: undefined where it cannot be read; an empty one where there is none, then as today. */
export function readConfigThen({ config, hasConfig }: Base): ConfigFile | undefined {
  if (config === undefined) return hasConfig ? undefined : {};
  const { found } = parseConfigFile(config);
  if (!found || validateConfigFile(found.file, found.root).some(isError)) return undefined;
  return toValue(found.root) as ConfigFile;
}

/** The state paths that the target had then, relative to gate-sync.yaml; undefined where that says none. */
export function listStateThen(base: Base, target: string): readonly string[] | undefined {
  const config = readConfigThen(base);
  return config?.targets?.[target]?.state ?? config?.state;
}
