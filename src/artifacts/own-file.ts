import { constants, statSync } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { getErrno } from "../load/errno.ts";

const toRead = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * The text of a record: only of a regular file that belongs to the user who runs gate-sync, and of no link to one.
 *
 * @throws Error whose message says nothing of what is in it
 */
export async function readOwn(path: string): Promise<string> {
  // Asked before opening as well: to open a device may be enough for it to do something.
  if (!(await lstat(path)).isFile()) throw notRegular(path);
  const file = await open(path, toRead);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw notRegular(path);
    refuseOtherOwner(path, stats);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

/** @throws Error for a link, and for what is no folder; nothing where there is nothing */
export async function refuseUnlessFolder(path: string): Promise<void> {
  await folderStats(path);
}

/** @throws Error for a folder of another user too */
export async function refuseUnlessOwnFolder(path: string): Promise<void> {
  const stats = await folderStats(path);
  if (stats) refuseOtherOwner(path, stats);
}

/** @throws Error where the folder, or anything in it, belongs to another user */
export async function refuseUnlessAllOwn(folder: string): Promise<void> {
  await refuseUnlessOwnFolder(folder);
  const paths = (await readdir(folder)).map((name) => join(folder, name));
  for (const path of paths) refuseOtherOwner(path, await lstat(path));
}

/**
 * Records decide what a rollback reverts and what counts as known: those of another user must not.
 *
 * @param own the user who runs gate-sync
 * @throws Error that says what to do
 */
export function refuseOtherOwner(path: string, { uid }: { readonly uid: number }, own = ownUid()): void {
  if (own === undefined || uid === own) return;
  throw new Error(
    `${path} belongs to another user (uid ${uid}, gate-sync runs as ${own}). If you trust its content, run: chown -R ${own} ${path}`,
  );
}

/** Undefined where the system has no such numbers. */
function ownUid(): number | undefined {
  const uid = uidByName() ?? statSync("/proc/self", { throwIfNoEntry: false })?.uid;
  return uid === undefined || uid < 0 ? undefined : uid;
}

/** Undefined too for a number without a name, as which a container may run: the system refuses to answer then. */
function uidByName(): number | undefined {
  try {
    return userInfo().uid;
  } catch {
    return undefined;
  }
}

async function folderStats(path: string) {
  const stats = await lstat(path).catch((error: unknown) => {
    if (getErrno(error) === "ENOENT") return undefined;
    throw error;
  });
  if (stats && !stats.isDirectory()) throw new Error(`${path} is no folder, or a link to one.`);
  return stats;
}

function notRegular(path: string): Error {
  return new Error(`${path} is no regular file, or a link to one.`);
}
