import type { Dirent } from "node:fs";
import { chmod, lstat, mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import { compareByCodeUnit } from "../json/canonical.ts";
import { getErrno } from "../load/errno.ts";
import { refuseUnlessFolder, refuseUnlessOwnFolder } from "./own-file.ts";

const defaultName = ".gate-sync";

/** The folder of backups and journals, absolute: the one that was named, else `.gate-sync` beside gate-sync.yaml. */
export function getStateDir(cwd: string, given: string | undefined, configPath: string | undefined): string {
  if (given !== undefined) return resolve(cwd, given);
  return join(configPath === undefined ? cwd : dirname(resolve(cwd, configPath)), defaultName);
}

export type RecordKind = "backup" | "journal";

/** Absolute. */
export function locateRecords(stateDir: string, kind: RecordKind): string {
  return join(stateDir, kind === "backup" ? "backups" : "journal");
}

/**
 * What is in the folder of one kind of records, oldest first; nothing where there is none.
 *
 * @throws RunError `usage` for a link, and for a folder of another user: only a folder that was named may belong to another user
 */
export async function listRecords(stateDir: string, kind: RecordKind): Promise<readonly Dirent[]> {
  const folder = locateRecords(stateDir, kind);
  try {
    await refuseOthersFolders(stateDir, folder);
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => compareByCodeUnit(a.name, b.name));
  } catch (error) {
    // Where a file is in its place, writing a record reports it.
    if (["ENOENT", "ENOTDIR"].includes(getErrno(error) ?? "")) return [];
    throw createUnreadableMessage(kind, folder, error);
  }
}

/** The message for a record, or the folder of records, that cannot be read. */
export function createUnreadableMessage(kind: RecordKind, path: string, error: unknown): RunError {
  return new RunError("usage", {
    what: `The ${kind} in ${path} cannot be read.`,
    why: error instanceof Error ? error.message : String(error),
    fix: "Make it readable, or name another folder with --state-dir.",
  });
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
export async function createStateDir(stateDir: string, kind: RecordKind): Promise<void> {
  const isNew = (await mkdir(stateDir, { recursive: true, mode: 0o700 })) !== undefined;
  await keepPrivate(stateDir, isNew || isDefault(stateDir));
  try {
    await writeFile(join(stateDir, ".gitignore"), "*\n", { flag: "wx" });
  } catch (error) {
    if (getErrno(error) !== "EEXIST") throw error;
  }
  const folder = locateRecords(stateDir, kind);
  // A link to nowhere is no folder that is there, and none that can be made.
  await refuseOthersFolders(stateDir, folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await keepPrivate(folder, true);
}

async function refuseOthersFolders(stateDir: string, folder: string): Promise<void> {
  await (isDefault(stateDir) ? refuseUnlessOwnFolder : refuseUnlessFolder)(stateDir);
  await refuseUnlessOwnFolder(folder);
}

function isDefault(stateDir: string): boolean {
  return basename(stateDir) === defaultName;
}

async function keepPrivate(folder: string, isRelevant: boolean): Promise<void> {
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
