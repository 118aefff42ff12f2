import { chmod, lstat, mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { getErrno } from "../load/errno.ts";
import { refuseUnlessFolder, refuseUnlessOwnFolder } from "./own-file.ts";

const defaultName = ".gate-sync";

/** The folder of the tool's own records, absolute: the one named, else `.gate-sync` beside gate-sync.yaml. */
export function getStateDir(cwd: string, given: string | undefined, configPath: string | undefined): string {
  if (given !== undefined) return resolve(cwd, given);
  return join(configPath === undefined ? cwd : dirname(resolve(cwd, configPath)), defaultName);
}

/**
 * The folder of one kind of records, where there is one.
 *
 * @throws Error for a link, and for a folder of another user: only a folder that was named may belong to another user
 */
export async function listRecordsIn(stateDir: string, below: string): Promise<string> {
  await (isDefault(stateDir) ? refuseUnlessOwnFolder : refuseUnlessFolder)(stateDir);
  const folder = join(stateDir, below);
  await refuseUnlessOwnFolder(folder);
  return folder;
}

/**
 * Names for a new record, in the order in which they are tried: `20261121T153138.123Z-prod`, then `…-prod-2`. By code units
 * they are in the order of time.
 *
 * @param time ISO 8601, UTC
 * @param target its name, which may be anything
 */
export function* listRecordNames(time: string, target: string): Generator<string> {
  const name = `${time.replace(/[-:]/g, "")}-${target.replace(/[^A-Za-z0-9._-]/g, "_").slice(0, 80)}`;
  yield name;
  for (let number = 2; ; number++) yield `${name}-${number}`;
}

/**
 * Makes it, and a folder of records in it, where they are not there yet: for their owner alone, and never part of a commit.
 * A folder that is open to others is narrowed, if it belongs to this user; one that was named and existed before keeps its mode.
 *
 * @throws Error for a link, and for a folder in which others may write
 */
export async function createStateDir(stateDir: string, below: string): Promise<void> {
  const isNew = (await mkdir(stateDir, { recursive: true, mode: 0o700 })) !== undefined;
  await keepToOurselves(stateDir, isNew || isDefault(stateDir));
  try {
    await writeFile(join(stateDir, ".gitignore"), "*\n", { flag: "wx" });
  } catch (error) {
    if (getErrno(error) !== "EEXIST") throw error;
  }
  // A link to nowhere is no folder that is there, and none that can be made.
  const folder = await listRecordsIn(stateDir, below);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await keepToOurselves(folder, true);
}

function isDefault(stateDir: string): boolean {
  return basename(stateDir) === defaultName;
}

async function keepToOurselves(folder: string, isRelevant: boolean): Promise<void> {
  await (isRelevant ? refuseUnlessOwnFolder : refuseUnlessFolder)(folder);
  const { mode } = await lstat(folder);
  if ((mode & 0o077) === 0) return;
  if (isRelevant) {
    await chmod(folder, 0o700).catch(() => {
      throw new Error(`${folder} is open to others, and belongs to another user`);
    });
  } else if ((mode & 0o022) !== 0 && (mode & 0o1000) === 0) {
    throw new Error(`Others may write in ${folder}`);
  }
}
