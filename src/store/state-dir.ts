import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** The folder of the tool's own records, absolute: the one named, else `.gate-sync` beside gate-sync.yaml. */
export function stateDirOf(cwd: string, given: string | undefined, configPath: string | undefined): string {
  if (given !== undefined) return resolve(cwd, given);
  return join(configPath === undefined ? cwd : dirname(resolve(cwd, configPath)), ".gate-sync");
}

/** Makes it where it is not there yet: for its owner alone, and never part of a commit. */
export async function makeStateDir(stateDir: string): Promise<void> {
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  try {
    await writeFile(join(stateDir, ".gitignore"), "*\n", { flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
