import { isError } from "../../diagnostics/diagnostic.ts";
import { RunError } from "../../diagnostics/failure.ts";
import type { Base } from "../../load/base.ts";
import { listTargets } from "../../load/chosen-target.ts";
import { parseConfigFile } from "../../load/config-document.ts";
import { addInventory } from "../../load/inventory.ts";
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
 * @param title of the commit, for messages
 * @throws RunError `invalid` as {@link resolveSettingsThen}
 */
export async function readSettingsThen(
  base: Base,
  target: string,
  request: RunRequest,
  title: string,
): Promise<SettingsThen | undefined> {
  const { config, hasConfig } = base;
  if (config === undefined) return hasConfig ? undefined : { own: {}, vars: readGivenVariables(request.flags.vars) };
  const root = await readConfigThen(base);
  if (!root) return undefined;
  const names = listTargets(root);
  return names.length === 0 || names.includes(target)
    ? resolveSettingsThen(base, root, target, request, title)
    : undefined;
}

/** gate-sync.yaml of a commit with the targets that its inventory of then lists; undefined where either has errors, or is not there. */
export async function readConfigThen({ config, read }: Base): Promise<Node | undefined> {
  const { found } = config?.file ? parseConfigFile(config.file) : {};
  if (!found) return undefined;
  const { root, diagnostics } = await addInventory(found.root, read);
  return [...diagnostics, ...validateConfigFile(found.file, root)].some(isError) ? undefined : root;
}

/**
 * @param root gate-sync.yaml of then, without errors
 * @param title of the commit, for messages
 * @throws RunError `invalid` where its files of variables, or the variables, have errors
 */
export async function resolveSettingsThen(
  { read }: Base,
  root: Node,
  target: string,
  { flags, env, cwd }: RunRequest,
  title: string,
): Promise<SettingsThen> {
  try {
    return readSettings({ config: await openSettings(root, target, read), flags, env, cwd, secrets: "leave" });
  } catch (error) {
    if (!(error instanceof RunError) || error.kind !== "invalid") throw error;
    const userMessage = {
      what: `gate-sync.yaml or a file of its variables has errors at ${title}.`,
      why: "These are places in the files of then. What they declared is not known.",
      fix: "Name another commit.",
    };
    throw new RunError("invalid", userMessage, error.diagnostics);
  }
}
