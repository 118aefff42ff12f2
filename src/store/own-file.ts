import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";

const toRead = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * The text of a record of ours: a regular file, and no link to one, which somebody else has put there.
 *
 * @throws Error whose message says nothing of what is in it
 */
export async function readOwn(path: string): Promise<string> {
  // Asked before opening as well: to open a device may be enough for it to do something.
  if (!(await lstat(path)).isFile()) throw notRegular(path);
  const file = await open(path, toRead);
  try {
    if (!(await file.stat()).isFile()) throw notRegular(path);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

/** The same as JSON; what is wrong with it is not quoted. */
export async function readOwnJson(path: string): Promise<unknown> {
  const text = await readOwn(path);
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${path} is no JSON.`);
  }
}

/** @throws Error for a link, and for what is no folder; nothing where there is nothing */
export async function refuseUnlessFolder(path: string): Promise<void> {
  const stats = await lstat(path).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
  if (stats && !stats.isDirectory()) throw new Error(`${path} is no folder, or a link to one.`);
}

function notRegular(path: string): Error {
  return new Error(`${path} is no regular file, or a link to one.`);
}
