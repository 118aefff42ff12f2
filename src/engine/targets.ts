import { RunError } from "../diagnostics/failure.ts";
import { chooseTargets, listTargets } from "../load/chosen-target.ts";
import { findConfigFile } from "../load/config-file.ts";
import { createConfigReader } from "../load/configured-file.ts";
import { combineSettings } from "../load/target-settings.ts";
import type { ListedSetting, ListedTarget } from "../model/listed-target.ts";
import { findMapEntry, getWrittenText, type Node, toValue } from "../model/node.ts";
import { hideSecretsOfConfig } from "../secrets/shown-config.ts";
import { validateConfigFile } from "../validate/shape.ts";
import { ofConfigFile, openSettings, stopAtErrors } from "./open.ts";
import type { RunRequest } from "./request.ts";

/**
 * Every target of gate-sync.yaml, or those that are named, with what it ends up with. No server is asked, and no secret is
 * looked for.
 *
 * @throws RunError `usage` where there is no gate-sync.yaml or no such target, `invalid` where it has errors
 */
export async function listTargetSettings(
  { cwd, configPath }: Pick<RunRequest, "cwd" | "configPath">,
  named?: readonly string[],
): Promise<readonly ListedTarget[]> {
  const { found, diagnostics } = await findConfigFile(cwd, configPath);
  if (!found && diagnostics.length === 0) throw noConfigFile();
  stopAtErrors([...diagnostics, ...(found ? validateConfigFile(found.file, found.root) : [])], ofConfigFile);
  if (!found) return [];
  const names = listTargets(found.root);
  const chosen = named === undefined ? names : chooseTargets(found.root, { named, except: [] });
  const usual = names.length === 1 ? names[0] : findMapEntry(found.root, "default_target")?.value;
  const usualName = typeof usual === "object" ? toValue(usual) : usual;
  const read = createConfigReader(found.root, cwd);
  const listed: ListedTarget[] = [];
  for (const name of chosen) {
    const opened = await openSettings(found.root, name, read);
    const root = hideSecretsOfConfig(opened.root);
    const own = findMapEntry(findMapEntry(root, "targets")?.value, name)?.value;
    listed.push({ name, isUsual: name === usualName, settings: listSettings(combineSettings(root, name), own, []) });
  }
  return listed;
}

/** The values at the ends of a map, and empty maps. */
function listSettings(node: Node, own: Node | undefined, path: readonly string[]): readonly ListedSetting[] {
  if (node.kind !== "map") return [];
  const ownValues = new Map(own?.kind === "map" ? own.entries.map(({ key, value }) => [key, value]) : []);
  return node.entries.flatMap(({ key, keyRange, value }): readonly ListedSetting[] => {
    const ownValue = ownValues.get(key);
    const below = [...path, key];
    if (value.kind === "map" && value.entries.length > 0) return listSettings(value, ownValue, below);
    const isNumber = value.kind === "scalar" && typeof value.value === "number";
    return [
      {
        path: below,
        value: toValue(value),
        ...(isNumber && { written: getWrittenText(value) }),
        origin: keyRange,
        isInherited: ownValue === undefined,
      },
    ];
  });
}

function noConfigFile(): RunError {
  return new RunError("usage", {
    what: "This folder has no gate-sync.yaml.",
    why: "Targets are described there.",
    fix: "Go to the folder that has it, or name it with --config.",
  });
}
