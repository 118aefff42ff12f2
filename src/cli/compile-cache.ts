import { isAbsolute, join } from "node:path";

/**
 * Where Node may keep what it compiled of gate-sync: in the user's own cache folder. Node's default is the folder for
 * temporary files, where other users could place code that then runs with our credentials. Undefined where there is none.
 */
export function getCompileCacheFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const home = env.HOME || env.USERPROFILE;
  const folders = [env.XDG_CACHE_HOME, env.LOCALAPPDATA, home && join(home, ".cache")];
  const folder = folders.find((found) => found && isAbsolute(found));
  return folder && join(folder, "gate-sync", "compiled");
}
